# M-TYPE-40, M-TYPE-41 BOUNDS_RULE
Decl q(X) bound [/string]. q("a").
r(X) :- q(_), X = 1.
r(X) :- q(_), X = 1.5.
r(X) :- q(_), X = b"a".
r(X) :- q(_), X = /other.
Decl p(X) bound [/a] bound [/a/b]. Decl l(X) bound [.Struct</label : .Singleton</color/red>>].
Decl e(X) bound [.TaggedUnion</tag, /tag/v : .Struct</field : /number>>].
# the longest proper prefix among the names of the bounds, labels and singletons included
Decl n(X) bound [/number].
n(X) :- q(_), X = /a/b/c/d.
n(X) :- q(_), X = /a/b.
n(X) :- q(_), X = /a.
n(X) :- q(_), X = /label/x.
n(X) :- q(_), X = /color/red/dark.
n(X) :- q(_), X = /field/x.
# tags and variants do not count
n(X) :- q(_), X = /tag/v/x.
n(X) :- q(_), X = 1.5.
n(X) :- q(_), X = "a".
n(X) :- q(_), X = b"a".
n(X) :- q(_), X = fn:time:from_unix_nanos(5).
n(X) :- q(_), X = fn:duration:from_nanos(5).
