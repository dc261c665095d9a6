# M-FUN-29
n("/a/b").
r(X) :- n(Y), X = fn:name:tip(Y).
