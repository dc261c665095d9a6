# From pieces of evidence to links, and from links to chains of any length.

# ---- reasons add up -----------------------------------------------------------------------------------

# Of one sort only the strongest counts: two ways of saying that something came right after are one.
Decl sort_strength(Effect, Cause, Sort, Strength) bound [/string, /string, /string, /number].
sort_strength(E, C, Sort, Strength) :- reason(E, C, Sort, S, Why)
  |> do fn:group_by(E, C, Sort), let Strength = fn:max(S).
Decl reason_sum(Effect, Cause, Sum) bound [/string, /string, /number].
reason_sum(E, C, Sum) :- sort_strength(E, C, Sort, S) |> do fn:group_by(E, C), let Sum = fn:sum(S).

Decl at_most_95(Sum, Strength)
  descr [mode('+', '-'), deferred()]
  bound [/number, /number].
at_most_95(Sum, Sum) :- Sum <= 95.
at_most_95(Sum, 95) :- 95 < Sum.

# What failed had been made good before the error: the same was asked for again, and came.
Decl made_good_by(R, Later, Ms) bound [/string, /string, /number].
made_good_by(R, Later, Ms) :-
  went_wrong(R),
  same_address(R, Method, Origin, Path),
  same_address(Later, Method, Origin, Path),
  R != Later,
  went_well(Later),
  sent_at(R, A),
  sent_at(Later, B),
  A <= B,
  known_at(R, Known),
  known_at(Later, Ms),
  Known <= Ms.
Decl made_good_at(R, Ms) bound [/string, /number].
made_good_at(R, Ms) :- made_good_by(R, Later, M) |> do fn:group_by(R), let Ms = fn:min(M).
Decl came_too_late(E, R) bound [/string, /string].
came_too_late(E, R) :-
  made_good_at(R, Good),
  error_at(E, At),
  Good < At,
  !error_about_request(E, R).

# "Failed to fetch" is not said of what was answered, whatever the status.
Decl is_contradicted(E, R) bound [/string, /string].
is_contradicted(E, R) :-
  speaks_of(E, "fetch"),
  status_of(R, _),
  !no_answer(R, _),
  !cors_error(R, _, _),
  !request_blocked(R, _).

Decl link(Effect, Cause, Strength)
  descr [doc("A direct link that is good enough to be called one.")]
  bound [/string, /string, /number].
link(E, C, Strength) :-
  reason_sum(E, C, Sum),
  50 <= Sum,
  E != C,
  !came_too_late(E, C),
  !is_contradicted(E, C),
  at_most_95(Sum, Strength).

# A link that a rule about a kind says outright.
Decl is_special(Effect, Cause) bound [/string, /string].
is_special(E, C) :- causes(E, C, Why), !reason(E, C, _, _, Why), E != C.
link(E, C, 85) :- is_special(E, C).

# The same without a ceiling, for comparing: what a rule about a kind says outright is worth two good reasons.
Decl pull(Effect, Cause, Strength) bound [/string, /string, /number].
pull(E, C, Sum) :- link(E, C, _), reason_sum(E, C, Sum), 50 <= Sum.
pull(E, C, 130) :- is_special(E, C).

# ---- in words -------------------------------------------------------------------------------------------

Decl best_reason(Effect, Cause, Strength) bound [/string, /string, /number].
best_reason(E, C, Strength) :- reason(E, C, Sort, S, Why)
  |> do fn:group_by(E, C), let Strength = fn:max(S).
Decl best_why(Effect, Cause, Why) bound [/string, /string, /string].
best_why(E, C, Why) :- best_reason(E, C, S), reason(E, C, Sort, S, W)
  |> do fn:group_by(E, C), let Why = fn:pick_any(W).
causes(E, C, Why) :- link(E, C, _), best_why(E, C, Why).

Decl special_why(Effect, Cause, Why) bound [/string, /string, /string].
special_why(E, C, Why) :- is_special(E, C), causes(E, C, W), !reason(E, C, _, _, W)
  |> do fn:group_by(E, C), let Why = fn:pick_any(W).
Decl link_why(Effect, Cause, Why) bound [/string, /string, /string].
link_why(E, C, Why) :- special_why(E, C, Why).
link_why(E, C, Why) :- link(E, C, _), !is_special(E, C), best_why(E, C, Why).

# ---- chains -----------------------------------------------------------------------------------------------

leads(E, C) :- link(E, C, _).
leads(E, Root) :- leads(E, C), link(C, Root, _).
