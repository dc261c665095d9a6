# M-VAL-68, M-VAL-24: our dialect orders strings and names
w("fig"). w("Fig"). w("äpfel"). w("").
n(/a). n(/a/b). n(/b).
before(X, Y) :- w(X), w(Y), :string:lt(X, Y).
upto(X) :- w(X), :string:le(X, "fig").
first(X) :- n(X), !later(X).
later(X) :- n(X), n(Y), :name:gt(X, Y).
