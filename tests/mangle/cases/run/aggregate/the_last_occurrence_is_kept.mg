# M-AGG-31, M-EVAL-31: rows 1, 2, 3 give 1, 0, 1
v(3). v(1). v(2).
l(L) :- v(X) |> do fn:group_by(), let L = fn:collect_distinct(fn:mod(X, 2)).
