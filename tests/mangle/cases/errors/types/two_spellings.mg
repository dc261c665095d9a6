# M-TYPE-16, M-SYN-4 BOUNDS_RULE
Decl a(X) bound [.List</number>].
Decl b(X) bound [fn:List(/number)].
Decl c(X) bound [fn:Struct(/x, /number, fn:opt(/y, .Union</string, /name>))].
Decl d(X) bound [.Struct</x : /number, opt /y : fn:Union(/string, /name)>].
a([1]). c({/x : 1}).
b(X) :- a(X).
a(X) :- b(X).
d(X) :- c(X).
c(X) :- d(X).
# the spellings are one, their contents are compared
Decl e(X) bound [.Struct</x : /number, opt /y : fn:Union(/string, /float64)>].
e(X) :- d(X).
