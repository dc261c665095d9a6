# What each tool is made of now: its chain, and what follows from the chain for safety. Static parts
# are worked out once, when the domain is loaded.

# ---- the chain ----
left_out(Tool, Step) :- omits_step(Tool, Step).
chain_step(Tool, Step) :-
  tool_step(Tool, Step, _),
  !optional_step(Tool, Step),
  !left_out(Tool, Step).
chain_step(Tool, Step) :-
  optional_step(Tool, Step),
  includes_step(Tool, Step),
  !left_out(Tool, Step).
chain_action(Tool, Action) :- tool_step(Tool, Step, Action), chain_step(Tool, Step).
chain_action(Tool, Action) :- step_undo(Tool, Step, Action), chain_step(Tool, Step).  # may run, too

# A chain in which a step lacks what it reads cannot run.
reader(Tool, Step) :- chain_step(Tool, Step).
reader(Tool, "") :- tool(Tool).
broken_chain(Tool) :-
  step_reads(Tool, Step, Earlier),
  reader(Tool, Step),
  !chain_step(Tool, Earlier).

# ---- side effects: no fact means none ----
# Files and databases are one category each, whether they are read or written. The mark beside it says
# that no step does more than read.
reading_mark("filesystem", "x-filesystem-read").
reading_mark("database", "x-database-read").
does_more(Tool, Mark) :-
  reading_mark(Category, Mark),
  chain_action(Tool, Action),
  action_side_effect(Action, Category),
  !action_side_effect(Action, Mark).
macro_has_side_effect(Tool, Effect) :-
  chain_action(Tool, Action),
  action_side_effect(Action, Effect),
  Effect != "none",
  !does_more(Tool, Effect).
has_effect(Tool) :- macro_has_side_effect(Tool, Effect), Effect != "none".

# ---- reversible, idempotent: only if every step is ----
irreversible(Tool) :-
  chain_action(Tool, Action),
  action_tier(Action, Tier),
  0 < Tier,
  !action_reversible(Action).
macro_reversible(Tool) :- tool(Tool), !irreversible(Tool).
repeat_matters(Tool) :- chain_action(Tool, Action), !action_idempotent(Action).
macro_idempotent(Tool) :- tool(Tool), !repeat_matters(Tool).

# ---- confirmation: ask unless every effect that gives reason to ask is waived for this caller ----
dangerous_effect("destructive").
dangerous_effect("payments").
dangerous_effect("authentication").
dangerous_action(Action) :- action_side_effect(Action, Effect), dangerous_effect(Effect).
dangerous_action(Action) :- action_tier(Action, Tier), 3 <= Tier.
excused(Action) :- trusted_action(Action), action_tier(Action, _), !dangerous_action(Action).

asks(Tool, Effect) :- macro_has_side_effect(Tool, Effect), dangerous_effect(Effect).
asks(Tool, Effect) :-
  chain_action(Tool, Action),
  action_tier(Action, Tier),
  2 <= Tier,
  action_side_effect(Action, Effect),
  !excused(Action).
asks(Tool, Effect) :-
  chain_action(Tool, Action),
  action_tier(Action, 1),
  !action_reversible(Action),
  action_side_effect(Action, Effect),
  !excused(Action).
asks(Tool, Effect) :- requires_confirmation(Tool), macro_has_side_effect(Tool, Effect).
asks(Tool, "none") :- requires_confirmation(Tool), !has_effect(Tool).

# A waiver of writing covers reading; one of reading covers the category where nothing is written. What
# asks without an effect asks because a rule says so: there is no effect to waive.
covered(Tool, Effect) :- asks(Tool, Effect), waived_effect(Effect), Effect != "none".
covered(Tool, Mark) :- reading_mark(Category, Mark), waived_effect(Category), asks(Tool, Mark).
covered(Tool, Category) :-
  reading_mark(Category, Mark),
  waived_effect(Mark),
  asks(Tool, Category),
  macro_has_side_effect(Tool, Mark).
confirm(Tool) :- asks(Tool, Effect), !covered(Tool, Effect).
