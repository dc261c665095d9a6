# What the server tells of notes, and is told again.
Decl revision(Note, Commit)
  descr [doc("The commit that a note was last revised in."), direction("both")]
  bound [/string, /string].
