# M-PRED-3
d("1s"). d("1000ms"). d("-2h"). d("90s").
r(X, Y) :- d(X), d(Y), :duration:lt(fn:duration:parse(X), fn:duration:parse(Y)).
same(X, Y) :- d(X), d(Y), X != Y, :duration:le(fn:duration:parse(X), fn:duration:parse(Y)), :duration:ge(fn:duration:parse(X), fn:duration:parse(Y)).
most(X) :- d(X), :duration:gt(fn:duration:parse(X), fn:duration:parse("1s")).
