# M-FUN-58, M-FUN-60: local times of the first and last instants are outside 64-bit nanoseconds
Decl e(X) temporal.
e(1)@[_, _].
r(A, B) :- e(_)@[S, E], A = fn:time:format_civil(S, "America/New_York", /second), B = fn:time:format_civil(E, "Asia/Kolkata", /day).
d(fn:time:trunc_civil(E, "Asia/Kolkata", /day)) :- e(_)@[_, E].
