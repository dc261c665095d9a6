# M-FUN-52, M-FUN-51
a(fn:time:parse_rfc3339("2024-03-02T00:00:00Z"), fn:time:parse_rfc3339("2024-03-01T00:00:00Z")).
min(fn:time:from_unix_nanos(-9223372036854775808)). max(fn:time:from_unix_nanos(9223372036854775807)).
d(X, Y) :- a(T, U), X = fn:time:sub(T, U), Y = fn:time:sub(U, T).
low(D) :- min(T), D = fn:time:sub(T, fn:time:from_unix_nanos(1)).
high(T) :- max(M), T = fn:time:add(M, fn:duration:from_nanos(1)).
