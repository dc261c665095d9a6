# M-VAL-12
flag(/true). flag(/false). flag(/maybe).
on(X) :- flag(X), :filter(X).
text(X, S) :- flag(X), S = fn:name:to_string(X).
told(X) :- flag(X), X = fn:list:contains([1, 2], 2).
told(X) :- flag(X), X = fn:list:contains([1, 2], 3).
below(X) :- flag(X), :match_prefix(/true/ly, X).
