# M-VAL-21, M-VAL-54
f(0.0). f(-0.0).
z(X) :- f(X).
n(N) :- f(_) |> do fn:group_by(), let N = fn:count().
