# M-PRED-4 ok
# other implementations compare the plain text: there /pq/x and /product are below /p
Decl seen(X) temporal.
v(/p/x). v(/pq/x). w(/p/x, "/pq"). seen(/product)@[2024-01-01].
r(X) :- v(X), :match_prefix(X, /p).
none(X) :- v(X), !:match_prefix(X, /p).
# found behind rules, in a head, in a temporal fact
made(/pot) :- v(_).
all(X) :- v(X).
all(X) :- made(X).
all(X) :- seen(X)@[S, _].
all(X) :- all(X), :match_prefix(X, /pr).
deep(X) :- all(X), :match_prefix(X, /po).
# whole parts, the name itself, other columns and other kinds are no news
fine(X) :- v(X), :match_prefix(X, /pq).
fine(X) :- w(X, _), :match_prefix(X, /p).
fine(X) :- w(_, X), :match_prefix(X, /p).
fine(X) :- v(X), P = /p, :match_prefix(X, P).
