# M-ANA-52, M-TEMP-95 TEMP_LITERAL
q(1). r(X) :- q(X)@[now].
