# M-ANA-80 SYNTAX
SELECT x FROM p WHERE x;
p(1). q(1).
r(X) :- p(X) AND q(X).
r(X) :- p(X) or q(X).
r(X) :- p(X), X <> 1.
r(X) :- p(X), X in [1, 2].
r(X) :- p(X), X like "a".
r(X) :- p(null).
r(X) :- p(X), X = true.
r(N) :- p(X) |> let N = count(X).
