# M-ANA-80 SYNTAX
Decl ev(X) temporal.
r(X) :- <-[2 hours] ev(X).
r(X) :- <-[5min] ev(X).
r(X) :- <-[1w] ev(X).
r(X) :- <-5m ev(X).
