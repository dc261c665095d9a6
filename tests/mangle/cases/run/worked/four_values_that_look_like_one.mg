# M-EVAL-67
n(1). n("1"). n(1.0). n(/1).
c(N) :- n(_) |> do fn:group_by(), let N = fn:count().
g(K, N) :- n(K) |> do fn:group_by(K), let N = fn:count().
