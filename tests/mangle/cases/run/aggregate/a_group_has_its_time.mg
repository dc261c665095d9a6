# M-AGG-12, Q-91: the head annotation of a group is kept
Decl open(D) temporal.
Decl span(D) temporal.
open(/a)@[2024-06-01, 2024-06-02]. open(/a)@[2024-06-05, 2024-06-06]. open(/b)@[2024-06-03, 2024-06-04].
span(D)@[A, B] :- open(D)@[S, E] |> do fn:group_by(D), let A = fn:time:min(S), let B = fn:time:max(E).
at(D) :- span(D)@[2024-06-03, 2024-06-04].
