# M-DECL-16 NOT_SUPPORTED
Decl s(X) temporal descr [mode('+'), deferred()].
s(X)@[2024-01-01] :- t(X). t(1).
