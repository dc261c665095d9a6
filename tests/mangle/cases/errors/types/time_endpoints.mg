# M-TYPE-68, M-TYPE-93 BOUNDS_PREMISE
Decl ev(X) temporal bound [/name]. Decl s(X) bound [/string]. Decl at(X) bound [/time].
ev(/a)@[2024-01-01, 2024-01-02]. s("x").
at(S) :- ev(_)@[S, _].
Decl to(X) temporal bound [/name].
to(/b)@[S, E] :- ev(/a)@[S, E].
to(/c)@[S, _] :- at(S).
r(X) :- s(S), ev(X)@[S, _].
to(/a)@[_, S] :- s(S).
Decl str(X) bound [/string].
str(S) :- ev(_)@[S, _].
