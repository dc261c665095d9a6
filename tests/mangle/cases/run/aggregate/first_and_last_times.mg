# M-AGG-28, Q-75
v(fn:time:parse_rfc3339("2024-05-02T00:00:00Z")). v(fn:time:parse_rfc3339("1969-12-31T23:59:59Z")).
v(fn:time:parse_rfc3339("2024-05-01T23:00:00-02:00")). empty([]).
range(A, B) :- v(X) |> do fn:group_by(), let A = fn:time:min(X), let B = fn:time:max(X).
start(A, B) :- empty(L), A = fn:time:min(L), B = fn:time:max(L).
all(L) :- v(X) |> do fn:group_by(), let L = fn:collect(X).
listed(N, B) :- all(L), N = fn:list:len(L), B = fn:time:max(L).
