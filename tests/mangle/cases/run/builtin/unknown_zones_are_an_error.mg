# M-FUN-70
t(fn:time:from_unix_nanos(0)).
r(X) :- t(T), X = fn:time:format_civil(T, "../etc/passwd", /day).
