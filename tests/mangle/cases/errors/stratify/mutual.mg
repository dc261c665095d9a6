# M-STR-3, M-ANA-95 STRATIFY
b(1). p(X) :- b(X), !q(X). q(X) :- b(X), !p(X).
