# M-TYPE-50, M-TYPE-51 BOUNDS_PREMISE
Decl st(X) bound [.Struct</a : /number, opt /b : /string>]. Decl n(X) bound [/number]. Decl s(X) bound [/string].
Decl l(X) bound [.List</number>]. Decl m(X) bound [.Map</string, /number>].
st({/a : 1}). n(1). s("a"). l([1]). m(["a" : 1]).
n(Y) :- st(X), Y = fn:struct:get(X, /a).
s(Y) :- st(X), Y = fn:struct:get(X, /b).
n(Y) :- l(X), Y = fn:list:get(X, 0).
n(Y) :- l(X), Y = fn:list:len(X).
l(Y) :- l(X), Y = fn:list:cons(1, X).
n(Y) :- m(X), Y = fn:map:get(X, "a").
s(Y) :- n(X), Y = fn:number:to_string(X).
r(Y) :- st(X), Y = fn:struct:get(X, /c).
r(Y) :- n(X), Y = fn:struct:get(X, /a).
r(Y) :- s(X), Y = fn:list:len(X).
r(Y) :- s(X), Y = fn:number:to_string(X).
r(Y) :- l(X), s(I), Y = fn:list:get(X, I).
s(Y) :- l(X), Y = fn:list:get(X, 0).
