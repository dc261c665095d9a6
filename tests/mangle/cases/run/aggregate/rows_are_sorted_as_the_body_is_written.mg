# M-EVAL-31, M-ANA-11
e(1, 1). s(1). s(2).
l(L) :- !e(X, Y), s(Y), s(X) |> do fn:group_by(), let L = fn:collect(Y).
