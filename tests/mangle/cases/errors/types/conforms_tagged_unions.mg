# M-TYPE-32 BOUNDS_RULE
Decl e(X) bound [.TaggedUnion</k, /on : .Struct</n : /number>, /off : .Struct<>>].
Decl on(X) bound [.Struct</k : .Singleton</on>, /n : /number>].
Decl both(X) bound [.Union<.Struct</k : .Singleton</on>, /n : /number>, .Struct</k : .Singleton</off>>>].
Decl named(X) bound [.Struct</k : /name, /n : /number>].
Decl stringly(X) bound [.Struct</k : /string, /n : /number>].
e({/k : /off}).
# on the left it is the union of structs with singleton tags
both(X) :- e(X).
on(X) :- e(X).
# on the right the tag is a /name
e(X) :- named(X).
e(X) :- on(X).
# (every struct that has a tag is of the variant without fields: extra labels are allowed)
Decl strict(X) bound [.TaggedUnion</k, /on : .Struct</n : /number>>].
strict(X) :- named(X).
strict(X) :- stringly(X).
