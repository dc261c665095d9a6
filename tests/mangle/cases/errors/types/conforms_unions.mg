# M-TYPE-33, M-TYPE-35, M-TYPE-87 BOUNDS_RULE
Decl ns(X) bound [.Union</number, /string>]. Decl nsf(X) bound [.Union</float64, /string, /number>].
Decl n(X) bound [/number]. Decl ln(X) bound [.List</number>]. Decl lns(X) bound [.List<.Union</number, /string>>].
Decl calm(X) bound [.Singleton</w/calm>]. Decl w(X) bound [/w]. Decl one(X) bound [.Singleton<1>].
n(1). ln([1]). lns([1]). lns(["a", 1]). calm(/w/calm). one(1).
ns(X) :- n(X).
nsf(X) :- ns(X).
lns(X) :- ln(X).
w(X) :- calm(X).
n(X) :- one(X).
n(X) :- ns(X).
ln(X) :- lns(X).
w(X) :- one(X).
calm(X) :- w(X).
