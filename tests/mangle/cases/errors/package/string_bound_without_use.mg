# M-PKG-7 PKG_USE_MISSING
Package a!
Decl own(X).
Decl x(X) bound ["own"].
Decl y(X) bound ["b.thing"].
%%
Package b!
Decl thing(X).
