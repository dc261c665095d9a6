# M-AGG-33
v(10). v(2). v("a").
r(X) :- v(V) |> do fn:group_by(), let X = fn:pick_any(V).
