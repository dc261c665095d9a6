# M-ANA-80 SYNTAX
r(X) <- p(X).
r(X) -> p(X).
r(X) => p(X).
r(X) <= p(X).
r(X) : p(X).
r(X) if p(X).
p(1), q(2).
Parent(/a, /b).
