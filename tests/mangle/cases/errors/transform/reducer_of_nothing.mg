# M-ANA-59 TRANSFORM_VAR
r(K, S) :- t(K, V) |> do fn:group_by(K), let S = fn:sum(S). t(/a, 1).
