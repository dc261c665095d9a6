# M-FUN-60: 1677-01-01 is before all instants
r(X) :- X = fn:time:trunc_civil(fn:time:from_unix_nanos(-9223372036854775808), "UTC", /year).
