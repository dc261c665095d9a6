# M-TYPE-62, M-TYPE-65, M-TYPE-66, M-TYPE-70, M-TYPE-85 BOUNDS_PREMISE
Decl n(X) bound [/number]. Decl s(X) bound [/string]. Decl l(X) bound [.List</number>]. Decl p(X, Y) bound [/number, /name].
n(1). s("a"). l([1]). p(1, /a).
r(X) :- n(X), s(X).
# constants and expressions too
r(1) :- n("a").
r(1) :- l(["a"]).
r(X) :- n(X), l([X]).
r(X) :- n(X), s(fn:plus(X, 1)).
# equality gives the type of the other side
s(Y) :- s(X), Y = X.
r(Y) :- s(X), Y = X, n(Y).
r(X) :- s(X), X = 1.
# inequality wants what could be equal
r(X) :- n(X), X != 2.
r(X) :- n(X), X != "a".
# negated atoms must be possible, and say nothing of their variables
r(X) :- n(X), !p(X, /b).
r(X) :- n(X), !s(X).
Decl any(X). any(1).
Decl m(X) bound [/number].
m(X) :- any(X), !n(X).
