# M-EVAL-40, M-EVAL-41, M-EVAL-43: of all ways between two places only the cheapest stays, on a circle too
Decl way(A, B, C) descr [fundep([A, B], [C]), merge([C], "cheaper")].
Decl cheaper(C, D, E) descr [mode('+', '+', '-'), deferred()].
cheaper(C, D, E) :- C <= D, E = C.
cheaper(C, D, E) :- D < C, E = D.
path(/gate, /well, 7). path(/gate, /mill, 2). path(/mill, /well, 3). path(/well, /barn, 1). path(/barn, /gate, 4).
way(A, B, C) :- path(A, B, C).
way(A, D, S) :- way(A, B, C), path(B, D, E) |> let S = fn:plus(C, E).
far(A, M) :- way(A, _, C) |> do fn:group_by(A), let M = fn:max(C).
