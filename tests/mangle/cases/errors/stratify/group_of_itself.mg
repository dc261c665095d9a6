# M-STR-3 STRATIFY
n(1). n(Z) :- n(X) |> do fn:group_by(), let Z = fn:count().
