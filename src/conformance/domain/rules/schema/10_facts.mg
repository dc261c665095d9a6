# What clients may send and what comes back.

Decl fx_basic(Tag, N, On, X)
  descr [doc("One argument of each kind."), direction("input")]
  bound [/string, /number, fn:Union(fn:Singleton(/true), fn:Singleton(/false)), /any].
Decl fx_event(Name, Kind) temporal
  descr [doc("Something that happened."), direction("both")]
  bound [/string, /string].
Decl fx_noname(A, B)
  descr [doc("Has no named form."), direction("input"), positional()]
  bound [/string, /number].
Decl fx_out(X)
  descr [doc("Only ever comes from the server."), direction("output")]
  bound [/string].
Decl fx_flag() descr [doc("No arguments at all."), direction("input")].

Decl fx_score(Tool, Score)
  descr [doc("How much speaks for a tool of fx.pair."), direction("input")]
  bound [/string, /number].
Decl fx_ban(Tool)
  descr [doc("Do not offer this tool."), direction("input")]
  bound [/string].
Decl fx_seed(N)
  descr [doc("A seed of fx.blowup."), direction("input")]
  bound [/number].
Decl fx_needs_skill(Why)
  descr [doc("The tool of fx.skill needs its skill."), direction("input")]
  bound [/string].
Decl fx_choice(Value)
  descr [doc("A value that the tool of fx.vary may take."), direction("input")]
  bound [/string].
Decl fx_extra() descr [doc("Changes nothing."), direction("input")].
Decl fx_item(Id, State)
  descr [doc("A thing that fx.bulk changed."), direction("both")]
  bound [/number, /string].
Decl fx_seen(X) descr [doc("What fx.reflect was given."), direction("both")].
Decl fx_note(Label, Count)
  descr [doc("What fx.mark was given."), direction("both")]
  bound [/string, /number].

Decl fx_stamp(Nanos)
  descr [doc("A moment, in nanoseconds since 1970."), direction("input")]
  bound [/number].

# What others answer: the manifest says which of them give the same answer each time.
Decl fx_colour(Name, Code)
  descr [doc("The code of a colour."), external(), mode('+', '-')]
  bound [/string, /string].
Decl fx_words(Text, Words)
  descr [doc("Words of a text, counted by a program."), external(), mode('+', '-')]
  bound [/string, /number].
