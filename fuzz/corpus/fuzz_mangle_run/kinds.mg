Decl least(A, B, C) descr [mode('+', '+', '-'), deferred()].
least(A, B, A) :- A <= B. least(A, B, B) :- B < A.
Decl cost(X, C) descr [fundep([X], [C]), merge([C], "least")].
cost(/a, 0). cost(/b, 9).
cost(Y, D) :- cost(X, C), road(X, Y, W), D = fn:plus(C, W).
road(/a, /b, 3). road(/b, /c, 2). road(/a, /c, 7). road(/c, /a, 1).
near(X) :- cost(X, C), C < 5.
far(X) :- road(_, X, _), !near(X).
Decl step(X, Y) descr [mode('+', '-'), deferred()].
step(X, Y) :- road(X, Y, _), near(Y).
step(X, Y) :- road(X, Z, W), W > 5, step(Z, Y).
goes(X, Y) :- near(X), step(X, Y).
n(N) :- goes(_, Y), step(Y, _) |> do fn:group_by(), let N = fn:count().
Decl ev(X) temporal.
ev(/a)@[2024-06-10T11:58:00, 2024-06-10T11:59:00].
Decl hot(X) descr [mode('+'), deferred()].
hot(X) :- <-[5m] ev(X).
warm(X) :- near(X), hot(X), !step(X, /d).
