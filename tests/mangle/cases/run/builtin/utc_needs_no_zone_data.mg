# M-FUN-56, M-FUN-58, M-FUN-60, M-FUN-70
t(fn:time:parse_civil("2024-06-12T10:30:00", "UTC")).
f(X) :- t(T), X = fn:time:format_civil(T, "", /minute).
w(X) :- t(T), X = fn:time:trunc_civil(T, "UTC", /week).
