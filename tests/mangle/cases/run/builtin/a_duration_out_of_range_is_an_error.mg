# M-FUN-66
h(D) :- D = fn:duration:from_hours(3000000).
