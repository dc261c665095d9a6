# M-TEMP-24: the library has no evaluation without intervals, so this is no error
Decl p(X) temporal. s(1).
r(X) :- s(X), ![-[1h] p(X).
t(X) :- s(X), <-[1h] p(X).
