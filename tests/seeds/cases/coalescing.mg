# White paper, "Temporal Stores, Evaluation Time, and Termination Controls": interval coalescing.
# M-TEMP-72
Decl on(X) temporal.
on(/lamp)@[2026-02-19T10:00:00Z, 2026-02-19T11:00:00Z].
on(/lamp)@[2026-02-19T10:30:00Z, 2026-02-19T12:00:00Z].
span(X, S, E) :- on(X)@[S, E].
