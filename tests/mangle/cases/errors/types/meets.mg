# M-TYPE-54, M-TYPE-62 BOUNDS_RULE
Decl ns(X) bound [.Union</number, /string>]. Decl sf(X) bound [.Union</string, /float64>]. Decl s(X) bound [/string].
Decl n(X) bound [/number]. Decl a(X) bound [/a]. Decl ab(X) bound [/a/b].
ns(1). sf("a"). s("a"). n(1). ab(/a/b/1).
# unions meet alternative by alternative, and the smaller of two is their meet
s(X) :- ns(X), sf(X).
ab(X) :- a(X), ab(X).
# each row is an alternative of its own: X and Y stay together
Decl p(X, Y) bound [/number, /string] bound [/string, /number].
Decl q(X, Y) bound [/number, /string] bound [/string, /number].
q(X, Y) :- p(X, Y).
q(X, Y) :- p(X, Y), s(X).
n(Y) :- p(X, Y), s(X).
s(Y) :- p(X, Y), s(X).
q(X, Y) :- p(X, _), p(_, Y).
r(X) :- n(X), s(X).
r(X) :- p(X, X).
