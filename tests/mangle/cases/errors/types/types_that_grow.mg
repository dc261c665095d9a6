# M-TYPE-63 BOUNDS_RULE
# lists of lists of lists: what has no end is anything
g(1).
g([X]) :- g(X).
Decl n(X) bound [/number]. Decl any(X) bound [/any].
any(X) :- g(X).
n(X) :- g(X).
