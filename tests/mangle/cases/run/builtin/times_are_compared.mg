# M-PRED-2
t(1). t(2). t(3).
at(N, T) :- t(N), T = fn:time:from_unix_nanos(N).
r(A, /lt, B) :- at(A, T), at(B, U), :time:lt(T, U).
r(A, /le, B) :- at(A, T), at(B, U), A != 2, :time:le(T, U).
r(A, /gt, B) :- at(A, T), at(B, U), :time:gt(T, U).
r(A, /ge, B) :- at(A, T), at(B, U), B != 2, :time:ge(T, U).
