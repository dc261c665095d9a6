# M-TYPE-37 BOUNDS_RULE
Decl a(X) bound [.Struct</a : /number>].
Decl ab(X) bound [.Struct</a : /number, /b : /string>].
Decl aob(X) bound [.Struct</a : /number, opt /b : /string>].
Decl oab(X) bound [.Struct<opt /a : /any>].
Decl bad(X) bound [.Struct</a : /number, opt /b : /name>].
a(X) :- ab(X).
aob(X) :- ab(X).
aob(X) :- a(X).
oab(X) :- aob(X).
ab(X) :- a(X).
ab(X) :- aob(X).
bad(X) :- ab(X).
bad(X) :- aob(X).
a(X) :- oab(X).
