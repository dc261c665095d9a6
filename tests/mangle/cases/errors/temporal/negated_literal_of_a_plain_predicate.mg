# M-ANA-52 TEMP_LITERAL
q(1). s(1). r(X) :- s(X), !<-[5m] q(X).
