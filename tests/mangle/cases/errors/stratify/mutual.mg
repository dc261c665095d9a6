# M-STR-3 STRATIFY
b(1). p(X) :- b(X), !q(X). q(X) :- b(X), !p(X).
