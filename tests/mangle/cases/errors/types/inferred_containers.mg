# M-TYPE-42, M-TYPE-43, M-TYPE-44, M-TYPE-45, M-TYPE-53 BOUNDS_RULE
Decl q(X, Y, Z) bound [/number, /string, /any]. q(1, "a", 2).
Decl n(X) bound [/name].
n(L) :- q(X, Y, _), L = [X].
n(L) :- q(X, Y, _), L = [X, Y].
n(L) :- q(X, Y, Z), L = [X, Y, Z].
n(L) :- q(X, Y, _), L = [X, X].
n(L) :- q(_, _, _), L = [].
n(L) :- q(X, Y, _), L = [Y : X].
n(L) :- q(X, Y, _), L = [Y : X, X : X].
n(L) :- q(X, Y, _), L = {/b : X, /a : Y}.
n(L) :- q(X, Y, _), L = fn:pair(X, Y).
n(L) :- q(X, Y, Z), L = fn:tuple(X, Y, Z).
# fitting ones
Decl l(L) bound [.List</number>]. Decl p(P) bound [.Pair</number, .Pair</string, /any>>].
l(L) :- q(X, _, _), L = [X].
l(L) :- q(_, _, _), L = [].
p(P) :- q(X, Y, Z), P = fn:tuple(X, Y, Z).
