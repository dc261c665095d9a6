# M-TYPE-31, M-TYPE-36 BOUNDS_RULE
Decl pn(X) bound [.Pair</number, /a/b>]. Decl pa(X) bound [.Pair</any, /a>].
Decl t(X) bound [.Tuple</number, /a/b, /string>]. Decl ta(X) bound [.Tuple</any, /a, /any>].
Decl m(X) bound [.Map</a, /a/b>]. Decl mk(X) bound [.Map</a/b, /a>]. Decl mv(X) bound [.Map</name, /a/b>].
Decl f(X) bound [fn:Fun(/a/b, /a)]. Decl g(X) bound [fn:Fun(/a, /a/b)].
Decl r(X) bound [fn:Rel(/a/b, /number)]. Decl ra(X) bound [fn:Rel(/a, /any)].
pa(X) :- pn(X).
ta(X) :- t(X).
mk(X) :- m(X).
g(X) :- f(X).
ra(X) :- r(X).
pn(X) :- pa(X).
t(X) :- ta(X).
m(X) :- mk(X).
mv(X) :- m(X).
f(X) :- g(X).
r(X) :- ra(X).
