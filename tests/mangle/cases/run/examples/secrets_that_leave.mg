# M-EVAL-8: a secret must not come to an open place unless it is cleaned on the way
flow(/form, /check). flow(/check, /store). flow(/store, /report). flow(/report, /mail). flow(/form, /log).
secret(/form). open(/mail). open(/log). open(/page). cleans(/report).
tainted(P) :- secret(P).
tainted(Q) :- tainted(P), !cleans(P), flow(P, Q).
leak(P) :- open(P), tainted(P).
