# M-PKG-4, M-ANA-83 PKG_USE_MISSING
Package app!
Use library!
r(X) :- libary.book(X).
r(X) :- library.bok(X).
r(X) :- book(X).
%%
Package library!
book(1).
