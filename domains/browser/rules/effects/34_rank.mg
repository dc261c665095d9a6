# Whom to blame. Every suspect behind a trouble is a possible cause; of those that are not cleared the deepest counts:
# a failed token, not the 403 that it led to. Between roots that do not lead to each other the stronger evidence decides,
# then which was nearer in time.

# ---- what is to be explained ----------------------------------------------------------------------------

Decl blamable(X) bound [/string].
blamable(X) :- odd(X), !cleared(X, _), !is_past(X).

Decl trouble_weight(X, Weight) bound [/string, /number].
trouble_weight(X, Weight) :- trouble(X, W, Text) |> do fn:group_by(X), let Weight = fn:max(W).
Decl trouble_text(X, Text) bound [/string, /string].
trouble_text(X, Text) :- trouble_weight(X, W), trouble(X, W, T)
  |> do fn:group_by(X), let Text = fn:pick_any(T).

# The browser's reports, and what the page itself wrote, are made good with the request they tell of.
Decl tells_of_cleared(E) bound [/string].
tells_of_cleared(E) :- link(E, R, _), cleared(R, _), !is_thrown(E), error_source(E, _).
Decl tells_of_blamable(E) bound [/string].
tells_of_blamable(E) :- leads(E, R), blamable(R).
Decl is_settled(X) bound [/string].
is_settled(X) :- cleared(X, _).
is_settled(E) :- tells_of_cleared(E), !tells_of_blamable(E).
is_settled(E) :- is_report(E), !tells_of_blamable(E).

Decl to_explain(X, Weight) bound [/string, /number].
to_explain(X, Weight) :- trouble_weight(X, Weight), !is_settled(X), !is_past(X).

# ---- how far the evidence carries -------------------------------------------------------------------------

# A chain is as strong as its weakest link, and a little weaker with each.
Decl weaker(A, B, C)
  descr [mode('+', '+', '-'), deferred()]
  bound [/number, /number, /number].
weaker(A, B, C) :- A <= B, C = fn:minus(A, 2).
weaker(A, B, C) :- B < A, C = fn:minus(B, 2).
Decl stronger(A, B, C)
  descr [mode('+', '+', '-'), deferred()]
  bound [/number, /number, /number].
stronger(A, B, A) :- B <= A.
stronger(A, B, B) :- A < B.
Decl reach(X, Cause, Strength)
  descr [fundep([X, Cause], [Strength]), merge([Strength], "stronger")]
  bound [/string, /string, /number].
reach(X, C, S) :- to_explain(X, _), pull(X, C, S).
reach(X, Root, S) :- reach(X, C, A), pull(C, Root, B), 2 < A, weaker(A, B, S).

possible_cause(X, R, S) :- reach(X, R, S), odd(R), X != R.
possible_cause(X, X, 80) :- to_explain(X, _), odd(X).

Decl viable(X, R, Score) bound [/string, /string, /number].
viable(X, R, S) :- possible_cause(X, R, S), blamable(R).
Decl has_deeper(X, R, Deeper) bound [/string, /string, /string].
has_deeper(X, R, Q) :- viable(X, R, _), leads(R, Q), viable(X, Q, _), R != Q, !leads(Q, R).
Decl is_on_the_way(X, R) bound [/string, /string].
is_on_the_way(X, R) :- has_deeper(X, R, _).
Decl deepest(X, R, Score) bound [/string, /string, /number].
deepest(X, R, S) :- viable(X, R, S), !is_on_the_way(X, R).

Decl best_score(X, Score) bound [/string, /number].
best_score(X, Score) :- deepest(X, R, S) |> do fn:group_by(X), let Score = fn:max(S).
Decl is_best(X, R) bound [/string, /string].
is_best(X, R) :- best_score(X, S), deepest(X, R, S).
Decl nearest_best(X, Ms) bound [/string, /number].
nearest_best(X, Ms) :- is_best(X, R), when(R, M) |> do fn:group_by(X), let Ms = fn:max(M).
Decl chosen(X, R) bound [/string, /string].
chosen(X, R) :- nearest_best(X, Ms), is_best(X, Q), when(Q, Ms)
  |> do fn:group_by(X), let R = fn:pick_any(Q).
cause_of(X, R) :- chosen(X, R).

# Things without a time of their own are there from the first moment.
Decl has_time(X) bound [/string].
has_time(X) :- node_at(X, _).
Decl when(X, Ms) bound [/string, /number].
when(X, Ms) :- node_at(X, M) |> do fn:group_by(X), let Ms = fn:min(M).
when(X, 0) :- odd(X), !has_time(X).

# ---- and who is not it -----------------------------------------------------------------------------------

lost_cause(X, R, Why) :- possible_cause(X, R, _), cleared(R, Why).
lost_cause(X, R, Why) :-
  cause_of(X, Root),
  has_deeper(X, R, Root),
  request_label(Root, Label),
  Why = fn:string:concat("itself led to by ", Label).
lost_cause(X, R, "other evidence is stronger") :- cause_of(X, Root), deepest(X, R, _), R != Root.
