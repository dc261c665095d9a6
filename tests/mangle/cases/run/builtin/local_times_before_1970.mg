# M-FUN-56, M-FUN-60
t("1969-12-31T23:59:59.5"). t("1677-09-21T00:12:43.145224192"). t("2262-04-11T23:47:16.854775807").
r(S, T) :- t(S), T = fn:time:parse_civil(S, "UTC").
y(X) :- X = fn:time:trunc_civil(fn:time:from_unix_nanos(-1), "UTC", /week).
