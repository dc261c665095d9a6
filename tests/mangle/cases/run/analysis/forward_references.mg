# M-ANA-56, M-ANA-57
last(X) :- middle(X).
middle(X) :- first(X).
middle(X) :- first(X).
first(/a). first(/a).
Decl first(X) descr [doc("declared after its use")].
