# M-AGG-6, Q-59: a single on-demand atom as body
Decl next(A, B) descr [mode('+', '-'), deferred()].
next(A, B) :- B = fn:plus(A, 1).
next(A, B) :- B = fn:plus(A, 10).
r(N, S) :- next(4, B) |> do fn:group_by(), let N = fn:count(), let S = fn:sum(B).
