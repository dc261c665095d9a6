# What rules make of the evidence: the words in which kinds of fault (rules/effects/40 to 49) and causality
# (rules/effects/30 to 36) speak to each other. X, Effect, Cause and Root are ids of the evidence, and "page",
# "growth:nodes", "loop:div#list", "storage:local", "layout".
#
# So that the rules of all files together have strata: suspect, trouble and innocent are worked out from evidence and
# from each other without negation of what follows below; causes may read those; cleared may read those and causes;
# ranking reads all of them. Nothing reads downwards.

Decl suspect(X, Kind, Text)
  descr [doc("X is abnormal by itself. Kind is the kind of fault, Text half a sentence for people. Not yet blame: nothing may come of it."),
         open_to("domain", "effects")]
  bound [/string, /string, /string].

Decl trouble(X, Weight, Text)
  descr [doc("Something went wrong that a user or a developer notices. Weight 1 to 100: how bad it is; above 50 the page is not in order."),
         open_to("domain", "effects")]
  bound [/string, /number, /string].

Decl causes(Effect, Cause, Why)
  descr [doc("A direct link, from what came later to what came before; Why is a short sentence."),
         open_to("domain", "effects")]
  bound [/string, /string, /string].

Decl cleared(X, Why)
  descr [doc("X is not to be blamed, although it looks like it."), open_to("domain", "effects")]
  bound [/string, /string].

Decl change_at(Root, Where, What)
  descr [doc("Where to repair and what to do there: GET /api/users, cart.js:14, a header of an answer."),
         open_to("domain", "effects")]
  bound [/string, /string, /string].

Decl check_by(Root, How)
  descr [doc("How to see that the repair worked."), open_to("domain", "effects")]
  bound [/string, /string].
