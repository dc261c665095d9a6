# M-TYPE-63, M-TYPE-84, M-DECL-3 BOUNDS_RULE
# a predicate without Decl takes anything, and is what its facts and rules give it
p("a"). p(/b).
u(1). u("a"). u([1]).
Decl n(X) bound [/number]. n(1). Decl s(X) bound [/string]. Decl sn(X) bound [.Union</string, /name>].
q("a").
s(X) :- q(X).
sn(X) :- p(X).
via(X) :- q(X).
s(X) :- via(X).
# inside its own recursion it is /any, afterwards what the rules say
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
edge(/a, /b).
Decl name(X) bound [/name].
name(X) :- path(X, _).
s(X) :- p(X).
n(X) :- via(X).
s(Y) :- path(_, Y).
