# M-ANA-96, M-TYPE-93 HEADTIME_TYPE
Decl t(X) temporal bound [/name]. Decl s(X) bound [/string].
s("x").
t(/a)@[S, _] :- s(S).
