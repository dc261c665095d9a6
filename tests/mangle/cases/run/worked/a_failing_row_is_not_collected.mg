# M-EVAL-66
n([1]). n([2, 3]).
h(L) :- n(X) |> do fn:group_by(), let L = fn:collect(fn:list:get(X, 1)).
