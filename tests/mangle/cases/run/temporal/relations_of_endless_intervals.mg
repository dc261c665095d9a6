# M-TEMP-80, M-TEMP-81, M-TEMP-83, M-TEMP-84, M-TEMP-85
Decl e(X) temporal. e(/always)@[_, _]. e(/until)@[_, 2024-01-05]. e(/since)@[2024-01-06, _].
before(X, Y) :- e(X)@[A, B], e(Y)@[C, D], :interval:before(fn:pair(A, B), fn:pair(C, D)).
after(X, Y) :- e(X)@[A, B], e(Y)@[C, D], :interval:after(fn:pair(A, B), fn:pair(C, D)).
during(X, Y) :- e(X)@[A, B], e(Y)@[C, D], :interval:during(fn:pair(A, B), fn:pair(C, D)), X != Y.
contains(X, Y) :- e(X)@[A, B], e(Y)@[C, D], :interval:contains(fn:pair(A, B), fn:pair(C, D)), X != Y.
apart(X, Y) :- e(X)@[A, B], e(Y)@[C, D], !:interval:overlaps(fn:pair(A, B), fn:pair(C, D)).
