# M-TEMP-103, M-TEMP-13
Decl job(X) temporal. Decl both(X) temporal. Decl loose(X) temporal.
job(/a)@[2024-01-01, 2024-01-10]. job(/b)@[2024-01-01, 2024-01-04].
slot(fn:time:parse_rfc3339("2024-01-05T00:00:00Z"), fn:time:parse_rfc3339("2024-01-20T00:00:00Z")).
both(X)@[S2, E1] :- job(X)@[S1, E1], slot(S2, E2), :time:le(S1, S2), :time:le(E1, E2), :time:le(S2, E1).
loose(X)@[S2, E1] :- job(X)@[S1, E1], slot(S2, E2), :time:le(S1, S2), :time:le(E1, E2).
