# M-EVAL-3, M-EVAL-8: definitions that reach a line, and names alive before it
next(1, 2). next(2, 3). next(3, 2). next(3, 4).
sets(1, /x). sets(2, /y). sets(3, /x). sets(4, /z). reads(2, /x). reads(4, /y).
after(L, L, V) :- sets(L, V).
after(L, D, V) :- before(L, D, V), !sets(L, V).
before(M, D, V) :- next(L, M), after(L, D, V).
alive(L, V) :- reads(L, V).
alive(L, V) :- next(L, M), alive(M, V), !sets(L, V).
unused(L, V) :- sets(L, V), !useful(L, V).
useful(L, V) :- next(L, M), alive(M, V), sets(L, V).
