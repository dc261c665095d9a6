# M-EVAL-14, M-PRED-13: v holds no list, but nothing gets as far as the test
Decl none(X).
v(/a).
r(X) :- v(X), none(_), !:list:member(1, X).
ok(X) :- v(X), !r(X).
