:- table shortest(_, min).
shortest(X, 0) :- start(X).
shortest(Y, D) :- shortest(X, C), road(X, Y, L), D is C + L, D < 60.
