# Which tool serves which intent.

tool_relevant_to_intent("fx_echo", "fx.echo", 90) :- fx_basic(_, _, _, _).

# fx.reflect: the fact's arguments become constants of the tool.
tool_relevant_to_intent("fx_reflect", "fx.reflect", 90) :- fx_basic(_, _, _, _).
param_bound("fx_reflect", "tag", Tag) :- fx_basic(Tag, _, _, _).
param_bound("fx_reflect", "x", X) :- fx_basic(_, _, _, X).

# fx.pair: the client says how much speaks for either.
conflicts_with("fx_pair_a", "fx_pair_b").
tool_relevant_to_intent(Tool, "fx.pair", Score) :- fx_score(Tool, Score).

# fx.chain: T needs D needs E2.
mandatory_for_intent("fx.chain", "fx_chain_t").
tool_requires("fx_chain_t", "fx_chain_d").
tool_requires("fx_chain_d", "fx_chain_e2").

# Time.
tool_relevant_to_intent("fx_recent", "fx.recent", 90) :- <-[5m] fx_event(_, _).
tool_relevant_to_intent("fx_over", "fx.over", 90) :- <-[5m] fx_event(_, _).
tool_relevant_to_intent("fx_early", "fx.early", 90) :- <-[5m] fx_event(_, _).
tool_relevant_to_intent("fx_present", "fx.present", 90) :- fx_event(_, _)@[now].
tool_relevant_to_intent("fx_past_some", "fx.window", 90) :- <-[5m] fx_event(_, _).
tool_relevant_to_intent("fx_past_all", "fx.window", 90) :- [-[5m] fx_event(_, _).
tool_relevant_to_intent("fx_future_some", "fx.window", 90) :- <+[5m] fx_event(_, _).
tool_relevant_to_intent("fx_future_all", "fx.window", 90) :- [+[5m] fx_event(_, _).

# fx.rank.
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

tool_relevant_to_intent("fx_slow", "fx.after", 90).
tool_relevant_to_intent("fx_danger", "fx.danger", 90).
tool_relevant_to_intent("fx_danger_twin", "fx.danger", 80).
tool_relevant_to_intent("fx_write", "fx.write", 90).
tool_relevant_to_intent("fx_bulk", "fx.bulk", 90).
tool_relevant_to_intent("fx_fail", "fx.fail", 90).
tool_relevant_to_intent("fx_partly", "fx.fail", 80).
tool_relevant_to_intent("fx_lies", "fx.fail", 75).
tool_relevant_to_intent("fx_mark", "fx.mark", 90).
mandatory_for_intent("fx.hidden", "fx_hidden").
tool_relevant_to_intent("fx_hidden", "fx.rank", 100).
tool_relevant_to_intent("fx_secret", "fx.secret", 90).

# fx.vary: only the values that the client knows.
tool_relevant_to_intent("fx_vary", "fx.vary", 90).
param_value("fx_vary", "value", V) :- fx_choice(V).

# fx.stamp: a column of nanoseconds that means a moment of time.
tool_relevant_to_intent("fx_stamp", "fx.stamp", 90) :-
  fx_stamp(Nanos),
  fx_event(_, _)@[T],
  T = fn:time:from_unix_nanos(Nanos).
