# M-TYPE-67, M-TYPE-74, M-TYPE-92 BOUNDS_PREMISE
Decl any(X). any(1). Decl n(X) bound [/number]. Decl f(X) bound [/float64]. f(1.5). n(1).
# they narrow to numbers
n(X) :- any(X), X < 3.
n(X) :- any(X), 3 >= X.
r(X) :- f(X), X < 2.
r(X) :- n(X), X <= "a".
Decl st(X) bound [.Struct</a : /number>] bound [.Struct</a : /string, /b : /name>]. st({/a : 1}).
Decl un(X) bound [.Union<.Struct</a : /number>, .Struct</a : /string, /b : /name>>]. Decl name(X) bound [/name].
Decl ns(X) bound [.Union</number, /string>].
ns(V) :- st(X), :match_field(X, /a, V).
ns(V) :- un(X), :match_field(X, /a, V).
name(V) :- un(X), :match_field(X, /b, V).
any(V) :- any(X), :match_field(X, /a, V).
r(V) :- un(X), :match_field(X, /c, V).
r(V) :- n(X), :match_field(X, /a, V).
n(V) :- un(X), :match_field(X, /a, V).
Decl ab(X) bound [.Union</a, /b>]. ab(/a/1). Decl a(X) bound [/a]. Decl b(X) bound [/b].
a(X) :- any(X), :match_prefix(X, /a).
a(X) :- ab(X), :match_prefix(X, /a).
b(X) :- ab(X), !:match_prefix(X, /a).
r(X) :- n(X), :match_prefix(X, /a).
b(X) :- ab(X), :match_prefix(X, /a).
r(X) :- n(X), n(Y), :within_distance(X, Y, 3).
r(V) :- any(X), :match_entry(X, "a", V).
r(X) :- n(X), f(Y), :within_distance(X, Y, 3).
