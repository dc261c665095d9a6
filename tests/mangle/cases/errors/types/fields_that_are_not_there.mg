# M-TYPE-37, M-TYPE-63, M-TYPE-67 BOUNDS_PREMISE
i(/p1, {/var : "a"}). i(/p2, {/var : "a", /member : "x"}).
# no fact has it
r(M) :- i(_, X), :match_field(X, /other, M).
# only some have it
Decl both(X) bound [.Struct</var : /string, /member : /string>].
both(X) :- i(_, X).
both(X) :- i(_, X), :match_field(X, /member, _).
# a bound says what may be read
Decl d(X) bound [.Struct</var : /string>].
d({/var : "a", /member : "x"}).
r(M) :- d(X), :match_field(X, /member, M).
