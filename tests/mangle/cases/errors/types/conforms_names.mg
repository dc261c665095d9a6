# M-TYPE-30, M-TYPE-34, M-TYPE-39 BOUNDS_RULE
Decl ab(X) bound [/a/b]. Decl a(X) bound [/a]. Decl abc(X) bound [/abc].
Decl n(X) bound [/name]. Decl num(X) bound [/number]. Decl any(X) bound [/any]. Decl bot(X) bound [/bot].
ab(/a/b/1). abc(/abc/1). num(1).
a(X) :- ab(X).
a(X) :- a(X).
n(X) :- ab(X).
any(X) :- num(X).
num(X) :- bot(X).
ab(X) :- a(X).
a(X) :- abc(X).
a(X) :- n(X).
n(X) :- num(X).
num(X) :- any(X).
