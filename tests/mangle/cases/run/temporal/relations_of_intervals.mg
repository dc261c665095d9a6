# M-TEMP-80, M-TEMP-81, M-TEMP-82, M-TEMP-83, M-TEMP-84, M-TEMP-85, M-TEMP-86, M-TEMP-87, M-TEMP-88
i(/a, fn:pair(1, 9)). i(/b, fn:pair(1, 10)). i(/c, fn:pair(5, 15)). i(/d, fn:pair(12, 15)). i(/e, fn:pair(10, 20)).
i(/f, fn:pair(10, 15)). i(/g, fn:pair(15, 20)). i(/h, fn:pair(5, 25)). i(/j, fn:pair(20, 30)). i(/k, fn:pair(21, 30)).
before(X) :- i(X, P), :interval:before(P, fn:pair(10, 20)).
after(X) :- i(X, P), :interval:after(P, fn:pair(10, 20)).
meets(X) :- i(X, P), :interval:meets(P, fn:pair(10, 20)).
overlaps(X) :- i(X, P), :interval:overlaps(P, fn:pair(10, 20)).
during(X) :- i(X, P), :interval:during(P, fn:pair(10, 20)).
contains(X) :- i(X, P), :interval:contains(P, fn:pair(10, 20)).
starts(X) :- i(X, P), :interval:starts(P, fn:pair(10, 20)).
finishes(X) :- i(X, P), :interval:finishes(P, fn:pair(10, 20)).
equals(X) :- i(X, P), :interval:equals(P, fn:pair(10, 20)).
