# M-AGG-28
v(fn:duration:parse("1s")).
r(M) :- v(X) |> do fn:group_by(), let M = fn:time:max(X).
