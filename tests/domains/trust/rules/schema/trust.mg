Decl reviewed(What) descr [doc("The tool review was run on it."), direction("both")]
  bound [/string].
Decl on_duty(Who) temporal descr [doc("Somebody may be called."), direction("both")]
  bound [/string].
Decl cleared(What) descr [doc("Nothing speaks against it."), direction("both"), privileged()]
  bound [/string].
Decl note(Key, Value) descr [doc("Whatever the client likes to say."), direction("both")]
  bound [/string, /any].
