# M-EVAL-65
v(1). v(2). v(3).
pairs(L) :- v(X), v(Y), X < Y |> do fn:group_by(), let L = fn:collect(X, Y).
