# M-DECL-19 NOT_SUPPORTED
Decl cost(X, C) descr [fundep([X], [C]), merge([C], "least")].
