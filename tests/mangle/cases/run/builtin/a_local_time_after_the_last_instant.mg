# M-FUN-56: four hours later in UTC than in New York
r(X) :- X = fn:time:parse_civil("2262-04-11T23:00:00", "America/New_York").
