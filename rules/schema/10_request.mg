# What the server tells the rules about one request. Nobody else may say these things: a client that
# sends a fact of one of these names is refused, and a domain that defines one does not load.

Decl intent_type(Intent, Name)
  descr [doc("The request asks for the intent Name. Intent is the constant /intent.")]
  bound [.Singleton</intent>, /string].
Decl permission_for(Name)
  descr [doc("The server wants to know nothing but whether the caller may use the intent Name.")]
  bound [/string].
Decl intent_param(Intent, Key, Value)
  descr [doc("One member of intent.params: Key is a string, Value whatever was sent.")]
  bound [.Singleton</intent>, /string, /any].

Decl client_kind(Kind)
  descr [doc("anonymous: nobody in open demo mode; local: stdio without a token; known: authenticated.")]
  bound [/string].
Decl client_identity(Id)
  descr [doc("Name of a known caller, \"local\" for the local one; absent for anonymous callers.")]
  bound [/string].
Decl client_permission(Permission)
  descr [doc("A permission string of the caller, such as intent:observe or intent:*.")]
  bound [/string].
Decl client_trust_level(Level)
  descr [doc("\"automated\": the caller is a program by itself, with nobody there to ask; absent for all others.")]
  bound [/string].
Decl waived_effect(Effect)
  descr [doc("The operator waived confirmation of this side effect for this automated caller.")]
  bound [/string].

Decl disclosure_upgrade(MacroId)
  descr [doc("The client asks to see this tool in full. It changes what is shown, never what is chosen.")]
  bound [/string].
