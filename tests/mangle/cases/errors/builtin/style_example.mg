# M-ANA-46 BUILTIN_MODE
discount(U) :- vip(U), Total > 100.
vip(/ann).
