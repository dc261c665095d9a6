# M-VAL-68, M-EVAL-30
v({/a : 1}). v(["k" : 1]). v([1]). v(fn:pair(1, 2)). v(fn:duration:parse("1s")).
v(fn:time:from_unix_nanos(0)). v(1.5). v(2). v(10). v(-1). v(b"a"). v("a"). v("B"). v(/b). v(/a/b).
u(X) :- v(X).
