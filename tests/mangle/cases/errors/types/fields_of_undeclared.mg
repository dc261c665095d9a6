# M-TYPE-53, M-TYPE-63, M-TYPE-67 ok
# a struct that has more fields than another is not forgotten for it, in any order
i(/p1, {/var : "a"}). i(/p2, {/var : "a", /member : "x"}). i(/p3, {/var : "a"}).
r(M) :- i(_, X), :match_field(X, /member, M).
Decl text(X) bound [/string].
text(M) :- i(_, X), :match_field(X, /member, M).
text(V) :- i(_, X), :match_field(X, /var, V).
# nor below a list, a pair, a map
l([{/a : 1}, {/a : 2, /b : "x"}]). p(fn:pair({/a : 1}, 1)). p(fn:pair({/a : 1, /b : "x"}, 2)).
m([1 : {/a : 1, /b : "x"}, 2 : {/a : 2}]).
text(B) :- l(L), :list:member(X, L), :match_field(X, /b, B).
text(B) :- p(P), :match_pair(P, X, _), :match_field(X, /b, B).
text(B) :- m(M), :match_entry(M, 1, X), :match_field(X, /b, B).
text(B) :- m(M), X = fn:map:get(M, 1), B = fn:struct:get(X, /b).
# nor of a predicate that has rules
j(X) :- i(_, X).
j(X) :- i(_, Y), :match_field(Y, /var, T), X = {/var : T, /extra : T}.
text(E) :- j(X), :match_field(X, /extra, E).
text(M) :- j(X), :match_field(X, /member, M).
# nor where there are more shapes than are kept apart
s({/k : 1}). s({/k : 1, /b : "x"}). s({/k : 1, /c : "x"}). s({/k : 1, /d : "x"}). s({/k : 1, /e : "x"}).
s({/k : 1, /f : "x"}). s({/k : 1, /g : "x"}). s({/k : 1, /h : "x"}). s({/k : 1, /i : "x"}).
s({/k : 1, /j : "x"}). s({/k : 1, /l : "x"}). s({/k : 1, /m : "x"}). s({/k : 1, /n : "x"}).
s({/k : 1, /o : "x"}). s({/k : 1, /p : "x"}). s({/k : 1, /q : "x"}). s({/k : 1, /r : "x"}).
s({/k : 1, /t : "x"}). s({/k : 1, /u : {/in : 1}}). s({/k : 1, /u : {/in : 1, /deep : "x"}}).
text(B) :- s(X), :match_field(X, /b, B).
text(T) :- s(X), :match_field(X, /t, T).
text(D) :- s(X), :match_field(X, /u, U), :match_field(U, /deep, D).
Decl keyed(X) bound [.Struct</k : /number>].
keyed(X) :- s(X).
