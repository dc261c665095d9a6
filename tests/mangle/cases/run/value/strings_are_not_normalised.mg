# M-VAL-2, M-VAL-23: one letter, or a letter and an accent
s("\u{0000e9}"). s("e\u{000301}"). s("é").
n(N) :- s(_) |> do fn:group_by(), let N = fn:count().
plain(X) :- s(X), :string:starts_with(X, "e").
same(X) :- s(X), X = "\u{00e9}".
