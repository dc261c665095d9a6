# M-SYN-50 VAR_UNBOUND
safe("read", T, _) :- f(T). f(1).
