# After a macro-tool has run: what the server tells the rules, and what they answer. These are
# evaluated on their own, without the intent and the client's facts.

Decl invoked(Tool)
  descr [doc("The chain of Tool has just run.")]
  bound [/string].
Decl invoke_arg(Name, Value)
  descr [doc("An argument of the invocation, defaults and bound ones included.")]
  bound [/string, /any].
Decl step_status(Step, Status)
  descr [doc("\"success\", \"failure\" or \"skipped\".")]
  bound [/string, /string].
Decl step_output(Step, Value)
  descr [doc("What the step returned, a map with string keys; of a foreach what each item returned.")]
  bound [/string, .Map</string, /any>].
Decl result(Value)
  descr [doc("The result object of the invocation, a map with string keys.")]
  bound [.Map</string, /any>].

Decl delta_assert(Pred, Args, Category)
  descr [doc("Tell the client to add Pred(Args): Args is a list, Category \"server\", \"session\" or \"derived\"."),
         open_to("policy", "domain", "effects")]
  bound [/string, .List</any>, /string].
Decl delta_assert_during(Pred, Args, Category, Start, End)
  descr [doc("The same for a temporal predicate, during [Start, End]; times, or /open for no bound."),
         open_to("policy", "domain", "effects")]
  bound [/string, .List</any>, /string, .Union</time, .Singleton</open>>,
         .Union</time, .Singleton</open>>].
Decl delta_retract(Pred, Args)
  descr [doc("Tell the client to drop what matches Pred(Args); the name /any in Args matches anything."),
         open_to("policy", "domain", "effects")]
  bound [/string, .List</any>].
Decl suggest_intent(Name, Description)
  descr [doc("Suggest a next intent."), open_to("policy", "domain", "effects")]
  bound [/string, /string].
Decl suggest_param(Name, Key, Value)
  descr [doc("A parameter of the suggested intent Name."), open_to("policy", "domain", "effects")]
  bound [/string, /string, /any].
Decl continuation_fact(Pred, Args)
  descr [doc("A fact to send along with the next intent."), open_to("policy", "domain", "effects")]
  bound [/string, .List</any>].
Decl result_member(Name, Value)
  descr [doc("A member of the result, in place of one that the tool says; of several values the first counts."),
         open_to("policy", "domain", "effects")]
  bound [/string, /any].
Decl execution_summary(Text)
  descr [doc("One to three sentences on what happened, instead of the server's own."),
         open_to("policy", "domain", "effects")]
  bound [/string].

# What takes the place of many facts of one predicate in a delta. Clients may send it back.
Decl bulk_change(Predicate, Count)
  descr [doc("So many facts of Predicate changed at once; they are not told one by one."),
         direction("both")]
  bound [/string, /number].
