# What clients may say ("input"), and what the server tells them in return ("both").
Decl visitor(Name) temporal
  descr [doc("Somebody came in."), direction("input")]
  bound [/string].
Decl greeted(Name)
  descr [doc("Somebody has been greeted."), direction("both")]
  bound [/string].
