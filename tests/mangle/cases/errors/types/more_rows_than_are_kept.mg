# M-TYPE-63 BOUNDS_RULE
# of many kinds of facts only what each argument may be is remembered
p(1, 1). p(1, "a"). p(1, b"a"). p(1, 1.5). p(1, [1]).
p("a", 1). p("a", "a"). p("a", b"a"). p("a", 1.5). p("a", [1]).
p(b"a", 1). p(b"a", "a"). p(b"a", b"a"). p(b"a", 1.5). p(b"a", [1]).
p(1.5, 1). p(1.5, "a"). p(1.5, b"a"). p(1.5, 1.5). p(1.5, [1]).
p([1], 1). p([1], "a"). p([1], b"a"). p([1], 1.5). p([1], [1]).
Decl all(X) bound [.Union</number, /string, /bytes, /float64, .List</number>>].
all(X) :- p(X, _).
all(Y) :- p(_, Y).
Decl n(X) bound [/number].
n(X) :- p(X, 1).
