# M-STR-1, M-STR-2, M-STR-3 STRATIFY
Decl p(X) temporal. s(1).
p(X)@[now] :- s(X), !<-[1h] p(X).
