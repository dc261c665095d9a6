# M-AGG-26
v(1.5). v(2).
r(M) :- v(X) |> do fn:group_by(), let M = fn:float:max(X).
