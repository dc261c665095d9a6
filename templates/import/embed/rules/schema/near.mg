# Who is asked for what is alike in meaning: domain.yaml, external.
Decl tool_near(Text, T, Rank)
  descr [doc("Tools whose texts mean something like Text, the best first. Of rank 0: in place of a tool, why nobody can say."),
         external(),
         mode('+', '-', '-')]
  bound [/any, /string, /number].
