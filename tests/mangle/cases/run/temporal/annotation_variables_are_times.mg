# M-TEMP-35
Decl p(X) temporal. Decl q(X) temporal.
p(/a)@[2024-03-01, 2024-03-05].
y(D, S) :- p(/a)@[S, F], :time:lt(S, F), D = fn:time:day(F).
q(X)@[F, _] :- p(X)@[_, F].
