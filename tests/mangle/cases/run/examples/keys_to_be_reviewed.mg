# M-TEMP-30, M-TEMP-53, M-TEMP-54: who may enter, who still may although they left
Decl works(P) temporal.
Decl key(P, D) temporal.
works(/uma)@[2023-01-01, _]. works(/vic)@[2022-01-01, 2024-05-31].
key(/uma, /lab)@[2023-02-01, _]. key(/vic, /lab)@[2022-02-01, _]. key(/vic, /roof)@[2022-02-01, 2023-01-01].
employed(P) :- works(P)@[now].
holds(P, D) :- key(P, D)@[now].
stale(P, D) :- holds(P, D), !employed(P).
once(P, D) :- <-[1000d] key(P, D), !holds(P, D).
settled(P) :- [-[30d] works(P).
