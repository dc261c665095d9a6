# M-TYPE-69 BOUNDS_RULE
Decl any(X). any(1).
# with one mode, X is known to be a /number before the body is read
Decl twice(X, Y) descr [mode('+', '-')] bound [/number, /number].
twice(X, Y) :- any(X), Y = fn:mult(X, 2).
# without a mode nothing is known of it
Decl plain(X) bound [/number].
plain(X) :- any(X).
# at `-` neither, and two modes say nothing
Decl out(X) descr [mode('-')] bound [/number].
out(X) :- any(X).
Decl two(X) descr [mode('+'), mode('+')] bound [/number].
two(X) :- any(X).
