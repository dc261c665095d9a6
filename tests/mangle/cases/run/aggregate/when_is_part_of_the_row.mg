# M-AGG-7, Q-60
Decl up(H) temporal.
up(/a)@[2024-06-01, 2024-06-02]. up(/a)@[2024-06-05, 2024-06-06].
up(/b)@[2024-06-09, 2024-06-10]. up(/c)@[2024-06-01, 2024-06-02].
hours(H, D) :- up(H)@[S, E] |> do fn:group_by(H), let D = fn:duration:sum(fn:time:sub(E, S)).
first(H, T) :- up(H)@[S, _] |> do fn:group_by(H), let T = fn:time:min(S).
recent(L) :- <-[8d] up(H) |> do fn:group_by(), let L = fn:collect(H).
