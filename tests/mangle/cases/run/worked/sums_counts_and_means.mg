# M-EVAL-62
sale(/tea, 3). sale(/tea, 4). sale(/rum, 10).
total(P, S, N) :- sale(P, Q) |> do fn:group_by(P), let S = fn:sum(Q), let N = fn:count().
all(S) :- sale(_, Q) |> do fn:group_by(), let S = fn:sum(Q).
avg(A) :- sale(_, Q) |> do fn:group_by(), let A = fn:avg(Q).
none(N) :- sale(/gin, Q) |> do fn:group_by(), let N = fn:count().
