# M-TEMP-12, M-TEMP-32: a way exists while all its parts do
Decl bridge(A, B) temporal.
Decl way(A, B) temporal.
bridge(/n, /o)@[2024-06-01, 2024-06-10]. bridge(/o, /p)@[2024-06-05, 2024-06-20].
bridge(/p, /q)@[2024-06-15, 2024-06-30].
way(A, B)@[S, E] :- bridge(A, B)@[S, E].
way(A, C)@[U, E] :- way(A, B)@[S, E], bridge(B, C)@[U, V], :time:le(S, U), :time:le(U, E), :time:le(E, V).
