# M-STR-2 STRATIFY
Decl p(X) temporal. s(1).
p(X)@[now] :- s(X), !q(X).
q(X) :- <-[5m] p(X).
