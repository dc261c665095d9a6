# M-FUN-28, M-FUN-29, M-FUN-30
n(/shop/eu/42). n(/shop). n(/a.b/c-d).
r(X, R, T, L) :- n(X), R = fn:name:root(X), T = fn:name:tip(X), L = fn:name:list(X).
