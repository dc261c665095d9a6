# M-FUN-54
n(N) :- N = fn:time:to_unix_nanos(fn:time:parse_rfc3339("1970-01-01T00:00:01.5Z")).
t(T) :- T = fn:time:from_unix_nanos(-1).
same(N) :- n(N), fn:time:to_unix_nanos(fn:time:from_unix_nanos(N)) = N.
