# M-ANA-96, M-TYPE-80 BOUNDS_FACT
Decl age(P, N) bound [/name, /number].
age(/ann, 3).
age(/bob, "old").
