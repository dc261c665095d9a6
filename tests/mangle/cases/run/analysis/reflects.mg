# M-ANA-14, M-DECL-17
Decl color(X) descr [reflects(/color)].
color(/color/red).
thing(/color/blue). thing(/shape/round). thing(/color/red). thing(/color).
# X is bound: the premise asks for the prefix, not for a fact
is_color(X) :- thing(X), color(X).
# not so where it comes first, or is negated
known(X) :- color(X).
known_thing(X) :- color(X), thing(X).
