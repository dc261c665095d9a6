# A-49 TEMP_FUTURE_REC
Decl w(X) temporal. Decl t(X). t(1).
w(X)@[now, _] :- t(X), [+[1d] w(X).
