# M-ANA-71 TEMP_MUTUAL_REC
Decl up(X) temporal. up(1)@[2024-01-01].
seen(X) :- <-[1h] up(X).
up(X)@[now] :- seen(X).
