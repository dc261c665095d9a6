# M-AGG-10, Q-57
a(/x, 1). a(/x, 2). b(/y, 10). b(/x, 5).
total(K, S) :- a(K, V) |> do fn:group_by(K), let S = fn:sum(V).
total(K, S) :- b(K, V) |> do fn:group_by(K), let S = fn:sum(V).
sum(S) :- a(_, V) |> do fn:group_by(), let S = fn:sum(V).
sum(S) :- b(_, V) |> do fn:group_by(), let S = fn:sum(V).
