# M-ANA-3 ARITY_HEAD
s(1). s(1, 2).
