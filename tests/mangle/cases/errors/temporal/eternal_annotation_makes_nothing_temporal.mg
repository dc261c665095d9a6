# M-TEMP-97, M-ANA-50 ok
p(1)@[_, _]. p(2).
r(X) :- p(X).
