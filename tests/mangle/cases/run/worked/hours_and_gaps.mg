# M-EVAL-64
at(fn:time:parse_rfc3339("2024-03-10T22:15:30.5+01:00")).
same(X) :- at(X).
hr(S) :- at(X) |> let Y = fn:time:trunc(X, /hour), let S = fn:time:format(Y, /minute).
gap(D) :- at(X), D = fn:time:sub(X, fn:time:from_unix_nanos(1710104400000000000)).
