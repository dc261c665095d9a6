# M-TYPE-15, M-TYPE-25, M-TYPE-38, M-TYPE-72 BOUNDS_RULE
Decl f(X, Y) bound [X, fn:List(X)].
f(1, ["a"]). f(/a, []).
Decl g(X) bound [T].
g(1).
Decl h(X) bound [.Fun<.List<T>, T>].
# everything conforms to a variable
Decl s(X) bound [/string].
s("a").
g(X) :- s(X).
f(X, [X]) :- s(X).
# one of which nothing is known is /any
s(X) :- g(X).
# but lists only hold what is a list
f(X, X) :- s(X).
