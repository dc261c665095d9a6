# The predicates that the tests send.

Decl fx_basic(Tag, N, On, X)
  descr [doc("Any four values."), direction("input"), wire("string", "number", "boolean", "any")].
Decl fx_event(Id, Kind) temporal
  descr [doc("Something happened."), direction("both")] bound [/string, /string].
Decl fx_noname(A, B)
  descr [doc("Has no argument names."), direction("input"), positional()] bound [/string, /number].
Decl fx_out(A) descr [doc("The server's alone."), direction("output")] bound [/string].
Decl fx_score(Tool, Score) descr [direction("input")] bound [/string, /number].
Decl fx_ban(Tool) descr [direction("input")] bound [/string].
Decl fx_seed(N) descr [direction("input")] bound [/number].
Decl fx_needs_skill() descr [direction("input")].
Decl fx_wants(Step) descr [direction("input")] bound [/string].
Decl fx_unused(X) descr [doc("No rule reads it."), direction("input")] bound [/any].
Decl fx_item(Id, State) descr [doc("An item that fx_bulk changes."), direction("both")]
  bound [/string, /string].
Decl fx_glimpse(What, Size) temporal
  descr [doc("What an action saw, for rules alone."), direction("evidence")] bound [/string, /number].
Decl fx_done(Tool, Label) descr [doc("fx_echo ran."), direction("both")] bound [/string, /string].
Decl fx_number(N) descr [open_to("domain")] bound [/number].
