# M-ANA-44 FN_ARITY
r(L) :- s(X) |> do fn:group_by(), let L = fn:collect(). s(1).
