# M-PRED-10, M-PRED-11
v([/a : 1, /b : 2]). v({/a : 3, /b : 4}). v({/b : 5}). v(fn:map()). v({}). v([fn:pair(/a, 6)]).
k(/a). k(/b). k("/a").
entry(K, X) :- v(V), k(K), :match_entry(V, K, X).
field(L, X) :- v(V), k(L), :match_field(V, L, X).
