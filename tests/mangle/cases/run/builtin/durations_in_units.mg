# M-FUN-63, M-FUN-64
n(N) :- N = fn:duration:nanos(fn:duration:parse("1.5us")).
u(H, M, S) :- H = fn:duration:hours(fn:duration:parse("90m")), M = fn:duration:minutes(fn:duration:parse("90s")), S = fn:duration:seconds(fn:duration:parse("1500ms")).
neg(H, S) :- H = fn:duration:hours(fn:duration:parse("-90m")), S = fn:duration:seconds(fn:duration:parse("-250ms")).
