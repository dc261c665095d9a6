# M-ANA-80 SYNTAX
Decl ev(X) temporal.
ev(1)@[2024-01-15T10:30].
ev(1)@[2024-01-15 10:30:00Z].
ev(1)@[10:30].
