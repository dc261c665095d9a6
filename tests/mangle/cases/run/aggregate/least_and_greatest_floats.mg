# M-AGG-26, Q-73
v(1.5). v(-2.0). v(0.25).
low(-1.0e308). root(4). root(-1). empty([]). list([0.5, 2.5]).
range(A, B) :- v(X) |> do fn:group_by(), let A = fn:float:min(X), let B = fn:float:max(X).
endless(M) :- low(X), Y = fn:float:mult(X, 10) |> do fn:group_by(), let M = fn:float:max(Y).
nan(A, B) :- root(X), Y = fn:sqrt(X) |> do fn:group_by(), let A = fn:float:min(Y), let B = fn:float:max(Y).
start(A, B) :- empty(L), A = fn:float:min(L), B = fn:float:max(L).
listed(A, B) :- list(L), A = fn:float:min(L), B = fn:float:max(L).
