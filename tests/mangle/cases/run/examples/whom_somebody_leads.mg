# M-EVAL-20, M-AGG-4: an organisation, the length of its lines, its largest team
leads(/ann, /ben). leads(/ann, /cleo). leads(/ben, /dov). leads(/dov, /eve). leads(/dov, /fay).
pay(/ann, 90). pay(/ben, 70). pay(/cleo, 75). pay(/dov, 60). pay(/eve, 50). pay(/fay, 55).
below(A, B, 1) :- leads(A, B).
below(A, C, N) :- below(A, B, M), leads(B, C) |> let N = fn:plus(M, 1).
under(A, N, P) :- below(A, B, _), pay(B, Q) |> do fn:group_by(A), let N = fn:count(), let P = fn:avg(Q).
size(A, N) :- leads(A, _) |> do fn:group_by(A), let N = fn:count().
largest(N) :- size(_, M) |> do fn:group_by(), let N = fn:max(M).
of(A) :- largest(N), size(A, N).
leaf(P) :- pay(P, _), !leads(P, _).
