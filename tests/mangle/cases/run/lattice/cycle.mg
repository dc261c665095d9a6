# M-EVAL-42, M-EVAL-43, M-EVAL-41: shortest ways round a cycle; a later stratum reads final values only
Decl cost(X, Y, C) descr [fundep([X, Y], [C]), merge([C], "least")].
Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, C) :- A < B, C = A.
least(A, B, C) :- B <= A, C = B.
leg(/p, /q, 4). leg(/q, /r, 1). leg(/p, /r, 9). leg(/r, /p, 2).
cost(X, Z, S) :- cost(X, Y, C), leg(Y, Z, D) |> let S = fn:plus(C, D).
cost(X, Y, C) :- leg(X, Y, C).
dear(X, Y) :- cost(X, Y, C), C > 6.
sum(S) :- cost(/p, _, C) |> do fn:group_by(), let S = fn:sum(C).
nine() :- cost(/p, /r, 9).
not_nine() :- !cost(/p, /r, 9), leg(/p, /r, 9).
