# M-ANA-55
sale(/ann, /tea, 3). sale(/ann, /milk, 4). sale(/bob, /tea, 5).
# the key need not be in the head, nor what is reduced
totals(T) :- sale(Who, What, N) |> do fn:group_by(Who), let T = fn:sum(N).
most(Who, M) :- sale(Who, What, N) |> do fn:group_by(Who), let M = fn:max(N).
