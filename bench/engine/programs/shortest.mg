Decl road(X, Y, Length).
Decl start(X).

way(X, 0) :- start(X).
way(Y, D) :- way(X, C), road(X, Y, L), D = fn:plus(C, L), D < 60.
shortest(Y, Least) :- way(Y, D) |> do fn:group_by(Y), let Least = fn:min(D).
