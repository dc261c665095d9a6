# M-AGG-4, M-AGG-30, M-AGG-32: sums, lists and maps of a project's bills
bill(/tower, "steel", 300). bill(/tower, "glass", 120). bill(/tower, "glass", 80). bill(/bridge, "steel", 500).
limit(/tower, 450). limit(/bridge, 600). limit(/tunnel, 100).
spent(P, S) :- bill(P, _, C) |> do fn:group_by(P), let S = fn:sum(C).
by(P, W, S) :- bill(P, W, C) |> do fn:group_by(P, W), let S = fn:sum(C).
sheet(P, M) :- by(P, W, S) |> do fn:group_by(P), let M = fn:collect_to_map(W, S).
over(P, D) :- spent(P, S), limit(P, L), S > L |> let D = fn:minus(S, L).
left(P, D) :- spent(P, S), limit(P, L), S <= L |> let D = fn:minus(L, S).
left(P, L) :- limit(P, L), !spent(P, _).
share(P, Q) :- spent(P, S), all(T) |> let Q = fn:float:div(S, T).
all(T) :- spent(_, S) |> do fn:group_by(), let T = fn:sum(S).
