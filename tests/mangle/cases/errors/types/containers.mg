# M-TYPE-6, M-TYPE-7, M-TYPE-8, M-TYPE-9, M-TYPE-86 BOUNDS_FACT
Decl pair(X) bound [.Pair</number, /string>].
pair(fn:pair(1, "a")).
pair(fn:pair("a", 1)).
pair([1, "a"]).
Decl tuple(X) bound [.Tuple</number, /string, /name>].
tuple(fn:tuple(1, "a", /b)). tuple(fn:pair(1, fn:pair("a", /b))).
tuple(fn:tuple(1, "a", "b")).
tuple(fn:pair(fn:pair(1, "a"), /b)).
Decl list(X) bound [.List</number>].
list([]). list([1, 2]).
list([1, "a"]).
list(1).
Decl map(X) bound [.Map</string, /number>].
map(fn:map()). map(["a" : 1]).
map([/a : 1]).
map(["a" : "b"]).
map({/a : 1}).
