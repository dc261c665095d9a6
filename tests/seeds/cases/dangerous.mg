# White paper, "Temporal Stores, Evaluation Time, and Termination Controls": dangerous temporal
# patterns are refused. M-ANA-72
Decl due(X) temporal.
due(/a)@[now] :- <+[0s, 1d] due(/a).
