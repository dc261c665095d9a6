tool_relevant_to_intent("fx_echo", "fx.echo", 90) :- fx_basic(_, _, _, _).
instruction("fx_echo", Text) :-
  fx_basic(Tag, _, _, _), Text = fn:string:concat("Echo what belongs to ", Tag, ".").
param_value("fx_echo", "label", Tag) :- fx_basic(Tag, 77, _, _).

tool_relevant_to_intent("fx_a", "fx.pair", S) :- fx_score("fx_a", S).
tool_relevant_to_intent("fx_b", "fx.pair", S) :- fx_score("fx_b", S).
conflicts_with("fx_a", "fx_b").

mandatory_for_intent("fx.chain", "fx_t").
tool_requires("fx_t", "fx_d").
tool_requires("fx_d", "fx_e2").

tool_relevant_to_intent("fx_recent", "fx.recent", 90) :- <-[300s] fx_event(_, _).
tool_relevant_to_intent("fx_now", "fx.now", 90) :- fx_event(_, _)@[now].

tool_relevant_to_intent("fx_rank_95", "fx.rank", 95).
tool_relevant_to_intent("fx_rank_75", "fx.rank", 75).
tool_relevant_to_intent("fx_rank_70", "fx.rank", 70).
tool_relevant_to_intent("fx_rank_69", "fx.rank", 69).
tool_relevant_to_intent("fx_rank_45", "fx.rank", 45).
tool_relevant_to_intent("fx_rank_40", "fx.rank", 40).
tool_relevant_to_intent("fx_rank_39", "fx.rank", 39).
tool_relevant_to_intent("fx_rank_25", "fx.rank", 25).
tool_relevant_to_intent("fx_rank_20", "fx.rank", 20).
tool_relevant_to_intent("fx_rank_19", "fx.rank", 19).

fx_pairs(A, B) :- intent_type(_, "fx.blowup"), fx_seed(A), fx_seed(B).
tool_relevant_to_intent("fx_rank_95", "fx.blowup", 50) :- fx_pairs(1, 1).

# Shifts its own fact one second onward, without end: only a limit stops it.
Decl fx_tick(X) temporal.
fx_tick("t")@[now] :- intent_type(_, "fx.runaway").
fx_tick(X)@[Later] :- fx_tick(X)@[T], Later = fn:time:add(T, fn:duration:parse("1s")).

# Busy and fruitless: no sum is negative.
fx_sum(S) :-
  intent_type(_, "fx.slow"), fx_number(A), fx_number(B), fx_number(C),
  S = fn:plus(A, B, C), S < 0.
tool_relevant_to_intent("fx_rank_95", "fx.slow", 50) :- intent_type(_, "fx.slow"), !fx_sum(1).

mandatory_for_intent("fx.slow_tool", "fx_slow").
mandatory_for_intent("fx.danger", "fx_danger").
mandatory_for_intent("fx.bulk", "fx_bulk").
mandatory_for_intent("fx.fail", "fx_fail_hard").
mandatory_for_intent("fx.fail", "fx_fail_soft").
mandatory_for_intent("fx.store", "fx_store").
mandatory_for_intent("fx.secret", "fx_secret").
mandatory_for_intent("fx.secret", "fx_rank_95").

mandatory_for_intent("fx.skill", "fx_skilled").
needs_skill("fx_skilled", "fx-guide") :- fx_needs_skill().
needs_file("fx_skilled", "file://guide/first.md", "The first page explains the switch.", 90) :-
  fx_needs_skill().
needs_file("fx_skilled", "s3://fixture/second.md", "The second page has the table.", 40) :-
  fx_needs_skill().
instruction("fx_skilled", "Read the guide before you turn the switch.") :- fx_needs_skill().

mandatory_for_intent("fx.variant", "fx_variant").
includes_step("fx_variant", Step) :- fx_wants(Step).
param_bound("fx_variant", "mode", "long") :- fx_wants("second").
