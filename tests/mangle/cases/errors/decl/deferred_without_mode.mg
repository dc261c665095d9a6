# M-DECL-16 DECL_MODE
Decl s(X) descr [deferred()].
s(X) :- t(X). t(1).
