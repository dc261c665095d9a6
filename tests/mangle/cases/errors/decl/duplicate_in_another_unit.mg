# M-DECL-1 DECL_DUPLICATE
Decl s(X).
%%
s(1).
Decl s(X).
