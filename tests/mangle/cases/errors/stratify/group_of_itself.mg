# M-STR-3, M-ANA-95 STRATIFY
n(1). n(Z) :- n(X) |> do fn:group_by(), let Z = fn:count().
