# M-AGG-9, Q-21: 1 and 1.0 print alike
v(1, /a). v(1.0, /b). v(1, /c).
r(K, N) :- v(K, _) |> do fn:group_by(K), let N = fn:count().
