# M-EVAL-41: what is stored may be neither of the two
Decl span(X, L) descr [fundep([X], [L]), merge([L], "join")].
Decl join(A, B, C) descr [mode('+', '+', '-'), deferred()].
join(A, B, C) :- :match_pair(A, A1, A2), :match_pair(B, B1, B2), smaller(A1, B1, L), smaller(B2, A2, M), larger(A2, B2, H), C = fn:pair(L, H), M <= H.
Decl smaller(A, B, C) descr [mode('+', '+', '-'), deferred()].
smaller(A, B, A) :- A <= B.
smaller(A, B, B) :- B < A.
Decl larger(A, B, C) descr [mode('+', '+', '-'), deferred()].
larger(A, B, A) :- B <= A.
larger(A, B, B) :- A < B.
seen(/a, 3). seen(/a, 9). seen(/a, 5). seen(/b, 1).
span(X, fn:pair(T, T)) :- seen(X, T).
next(/b, /a). next(/a, /b).
span(Y, L) :- span(X, L), next(X, Y).
