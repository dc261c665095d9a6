# M-LEX-25, M-SYN-53
# it is 2024-06-10T12:00:00Z
Decl ev(X) temporal.
ev(/inside)@[2024-06-10T10:30:00].
ev(/outside)@[2024-06-10T10:29:59.999999999].
late(X) :- <-[1h30m] ev(X).
same(X) :- <-[0s, 1h29m59s1000ms] ev(X).
