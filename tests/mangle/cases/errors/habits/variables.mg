# M-LEX-8, M-ANA-80 SYNTAX
r(_x) :- p(_x).
r(X) :- p($X).
r(X) :- p(?X).
r(n) :- p(X) |> do fn:group_by(), let n = fn:count().
r(N) :- p(X) |> do fn:group_by(), let n = fn:count().
p(0x10).
p(1_000).
