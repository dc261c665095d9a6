# M-FUN-53
t(fn:time:parse_rfc3339("2024-02-29T23:59:58.75Z")). t(fn:time:parse_rfc3339("1970-01-01T00:59:59.5+01:00")).
day(Y, M, D) :- t(T), Y = fn:time:year(T), M = fn:time:month(T), D = fn:time:day(T).
clock(H, M, S) :- t(T), H = fn:time:hour(T), M = fn:time:minute(T), S = fn:time:second(T).
