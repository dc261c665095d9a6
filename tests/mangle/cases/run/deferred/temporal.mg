# M-EXT-22, M-TEMP-30: temporal premises inside a deferred rule; an input as a bound of an interval
Decl on(X) temporal.
on(/a)@[2024-01-01, 2024-01-10]. on(/b)@[2024-02-01, 2024-02-10].
Decl at(T, X) descr [mode('+', '-'), deferred()].
at(T, X) :- on(X)@[T].
Decl since(X, S) descr [mode('+', '-'), deferred()].
since(X, S) :- on(X)@[S, _].
Decl tick(X) temporal.
tick(1)@[2024-01-05]. tick(2)@[2024-02-05].
t(T) :- tick(_)@[T].
seen(T, X) :- t(T), at(T, X).
began(S) :- since(/b, S).
