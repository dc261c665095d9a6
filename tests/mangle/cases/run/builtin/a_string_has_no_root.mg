# M-FUN-28
n("/a/b").
r(X) :- n(Y), X = fn:name:root(Y).
