# M-EXT-22, M-AGG-6: let and do inside a deferred rule; a deferred premise as the only one of a group
Decl total(G, S) descr [mode('+', '-'), deferred()].
total(G, S) :- item(G, _, V) |> do fn:group_by(G), let S = fn:sum(V).
Decl count(G, N, T) descr [mode('+', '-', '-'), deferred()].
count(G, N, T) :- item(_, X, _), X != G |> do fn:group_by(G), let N = fn:count(), let T = fn:pair(G, N).
Decl double(X, Y) descr [mode('+', '-'), deferred()].
double(X, Y) :- n(X) |> let Y = fn:mult(X, 2).
item(/a, "x", 1). item(/a, "y", 2). item(/b, "x", 5).
n(2). n(3).
g(/a). g(/b). g(/c).
sums(G, S) :- g(G), total(G, S).
counts(N, T) :- count("x", N, T).
doubles(Y) :- n(X), double(X, Y).
pieces(N) :- part(3, _) |> do fn:group_by(), let N = fn:count().
Decl part(X, P) descr [mode('+', '-'), deferred()].
part(X, P) :- n(P), P <= X.
