# M-EVAL-20: two premises that both need facts first found in the same round are joined
p(1).
p(Z) :- p(X), p(Y), X = Y, Z = fn:plus(X, Y), Z < 20.
q(1).
q(Z) :- q(X), q(Y), Z = fn:plus(X, Y), Z < 6.
