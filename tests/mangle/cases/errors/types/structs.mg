# M-TYPE-10, M-TYPE-71, M-TYPE-88, M-TYPE-89 BOUNDS_FACT
Decl s(X) bound [.Struct</a : /number, opt /b : /string>].
s({/a : 1}). s({/a : 1, /b : "x"}). s({/a : 1, /c : 2}).
s({/b : "x"}).
s({/a : "x"}).
s({/a : 1, /b : 2}).
s(["a" : 1]).
Decl deep(X) bound [.List<.Struct</a : /number>>].
deep([{/a : 1, /extra : 2}]).
deep([{/extra : 2}]).
