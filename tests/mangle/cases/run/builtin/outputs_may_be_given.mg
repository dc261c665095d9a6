# M-PRED-20, M-PRED-21: a constant, a bound variable, the same variable twice, an expression, _
s({/k : 3, /j : 4}). s({/k : 5, /j : 5}).
p(fn:pair(1, 1)). p(fn:pair(1, 2)).
three(S) :- s(S), :match_field(S, /k, 3).
same(S) :- s(S), :match_field(S, /k, V), :match_field(S, /j, V).
twin(P) :- p(P), :match_pair(P, X, X).
next(P) :- p(P), :match_pair(P, X, fn:plus(1, 1)).
any(X) :- p(P), :match_pair(P, X, _).
