# M-TYPE-61, M-TYPE-81 BOUNDS_FACT
Decl p(X) bound [/number] bound [/string].
p(1). p("a").
p(/a).
Decl age(P, N) bound [/name, /number] bound [/string, /any].
age(/ann, 1). age("ann", [1]).
age(/ann, "old").
age(1, 1).
