# M-FUN-56
r(X) :- X = fn:time:parse_civil("2024-01-15T10:30:00Z", "UTC").
