# M-TEMP-50, M-TEMP-53
Decl p(X) temporal.
p(/a)@[2024-06-10T10:00:00Z]. p(/b)@[2024-06-10T11:30:00Z].
d(/hour, fn:duration:parse("1h")). d(/day, fn:duration:parse("24h")).
d(/time, fn:time:parse_rfc3339("2024-06-10T09:00:00Z")). d(/number, 1718017200000000000).
q(N, X) :- d(N, D), <-[D, now] p(X).
