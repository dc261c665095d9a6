# M-ANA-40, M-ANA-41 SYNTAX
Decl edge(From, To).
Decl ev(X) temporal.
%% facts
edge(/a, /b) :- edge(/b, /a).
egde(/a, /b).
edge(/a).
edge(/a, X).
edge(/a, fn:div(1, 0)).
edge(/a, /b)@[2024-01-01].
ev(/a)@[2024-01-01, 2023-01-01].
edge(/a, /b.
edge(/a, /b).
