# M-DECL-13, M-DECL-24: extensional() and the internal markers reject no rule
Decl leg(X, Y) descr [extensional()].
Decl seen(X) descr [desugared()].
leg(1, 2).
leg(X, Y) :- leg(Y, X).
seen(X) :- leg(X, _).
