# M-TEMP-51, M-TEMP-58, M-TEMP-59, M-TEMP-61, M-TEMP-62, M-TEMP-63, M-TEMP-64, M-TEMP-65
Decl up(X) temporal. Decl due(X) temporal.
up(/a)@[2024-06-09T12:00:00, 2024-06-10T12:00:00]. up(/b)@[2024-06-10T11:00:00]. due(/c)@[2024-06-10T13:00:00, _].
t58(X) :- <-[0s, 1h] up(X).
t59(X) :- <-[25h, 30h] up(X).
t61(X) :- [-[0s, 24h] up(X).
t62(X) :- [-[0s, 25h] up(X).
t63(X) :- <+[0s, 1h] due(X).
t64(X) :- [+[1h, 48h] due(X).
t65(X) :- up(X)@[now].
