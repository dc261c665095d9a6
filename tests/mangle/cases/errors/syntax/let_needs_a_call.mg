# M-SYN-9 SYNTAX
r(Y) :- s(X) |> let Y = 5.
