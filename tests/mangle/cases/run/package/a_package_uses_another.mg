# M-PKG-20
Package geo!
Decl near(A, B).
near(/a, /b).
hop(A, B) :- near(A, B).
%%
Package app!
Use geo!
go(B) :- geo.hop(/a, B).
all(A, B) :- geo.near(A, B).
