# M-DECL-19, M-LIM-13 NOT_SUPPORTED
Decl best(X, C) descr [fundep([X], [C]), merge([C], fn:plus(1, T))].
best(/a, 1).
