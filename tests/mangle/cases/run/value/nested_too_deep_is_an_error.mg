# M-LIM-13
l([]).
l(X) :- l(Y), X = [Y].
