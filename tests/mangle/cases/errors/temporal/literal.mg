# M-ANA-52 TEMP_LITERAL
q(1). r(X) :- <-[0s, 1h] q(X).
