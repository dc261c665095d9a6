# The words of causality. Rules about kinds of fault (rules/effects/40_*.mg and on) say what is wrong and
# what is abnormal; rules of causality (30_*.mg to 39_*.mg) say what led to what, and whom to blame. Each of the
# predicates open to effects may get rules of new files.
#
# In this order, so that nothing depends on its own negation: trouble, suspect <- evidence; reason, causes <-
# these; leads <- causes; cleared <- all of these; possible_cause, cause_of, lost_cause <- all before.
# A rule of suspect or trouble must not read causes, leads or cleared; a rule of causes must not read cleared.
#
# Nodes are the ids of the evidence ("r3", "console-error-2", "m7", "s4", "n1", "i5", "d1", "x2"), and of what has none:
# "growth:nodes", "loop:TARGET", "storage:local", "shown:alert", "page".

# ---- said by rules about kinds of fault ------------------------------------------------------------

Decl trouble(X, Weight, Text)
  descr [doc("Something went wrong that a user or a developer would notice. Weight 1 to 100; below 30 it is noise unless something explains it."),
         open_to("effects")]
  bound [/string, /number, /string].

Decl suspect(X, Kind, Text)
  descr [doc("X is abnormal by itself, so that it may be where things began. Text says how, in a few words: `GET /api/users answered 404`."),
         open_to("effects")]
  bound [/string, /string, /string].

Decl causes(Effect, Cause, Why)
  descr [doc("A direct link, back in time. Why is a short sentence."), open_to("effects")]
  bound [/string, /string, /string].

Decl reason(Effect, Cause, Sort, Strength, Why)
  descr [doc("A piece of evidence for a link. Strength 1 to 100 is how likely it alone makes the link; reasons of different sorts add up, and a link is one from 50 on. What holds for most requests alike is worth little."),
         open_to("effects")]
  bound [/string, /string, /string, /number, /string].

Decl cleared(X, Why)
  descr [doc("X is not to be blamed, and not to be reported: a later success, no visible effect, handled."),
         open_to("effects")]
  bound [/string, /string].

Decl change_at(X, Where, What)
  descr [doc("If X is the cause: where to repair (`GET /api/users`, `cart.js:14`) and what."),
         open_to("effects")]
  bound [/string, /string, /string].

Decl check_by(X, How)
  descr [doc("If X is the cause: how to see that the repair worked."), open_to("effects")]
  bound [/string, /string].

Decl node_text(X, Text)
  descr [doc("What a node without an id of the evidence says in a chain."), open_to("effects")]
  bound [/string, /string].

# ---- answered by the rules of causality ---------------------------------------------------------------

Decl leads(Effect, Cause)
  descr [doc("Cause is behind Effect, directly or not."), open_to("effects")]
  bound [/string, /string].

Decl possible_cause(Effect, Root, Score)
  descr [doc("Root is a suspect behind the trouble Effect."), open_to("effects")]
  bound [/string, /string, /number].

Decl cause_of(Effect, Root)
  descr [doc("Root is to blame for Effect."), open_to("effects")]
  bound [/string, /string].

Decl lost_cause(Effect, Root, Why)
  descr [doc("Root was looked at for Effect and is not it."), open_to("effects")]
  bound [/string, /string, /string].
