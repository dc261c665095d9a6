# M-PKG-12, M-DECL-20, M-ANA-42 PRED_PRIVATE
Package a!
Decl hid(X) descr [private()].
hid(1).
mine(X) :- hid(X).
%%
Package b!
Use a!
r(X) :- a.hid(X).
