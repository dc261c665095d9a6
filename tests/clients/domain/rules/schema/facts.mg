Decl half_note(Label)
  descr [doc("What half_told did."), direction("both")]
  bound [/string].
