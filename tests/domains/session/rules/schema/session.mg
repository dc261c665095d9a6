Decl fx_item(Id)
  descr [doc("Something there is."), direction("input")]
  bound [/string].
Decl fx_done(Tool, Label)
  descr [doc("A tool ran."), direction("both")]
  bound [/string, /string].
