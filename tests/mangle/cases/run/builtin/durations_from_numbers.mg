# M-FUN-65, M-FUN-66
n(D) :- D = fn:duration:from_nanos(1500000).
h(D) :- D = fn:duration:from_hours(1.5).
m(D) :- D = fn:duration:from_minutes(2).
s(A, B) :- A = fn:duration:from_seconds(0.25), B = fn:duration:from_seconds(-0.0000000015).
