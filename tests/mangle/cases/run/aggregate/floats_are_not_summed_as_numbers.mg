# M-AGG-23, M-AGG-25, M-AGG-29
v(1). v(2.5).
r(S) :- v(X) |> do fn:group_by(), let S = fn:avg(X).
