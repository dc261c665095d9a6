# M-TYPE-12, M-TYPE-90 BOUNDS_FACT
Decl e(X) bound [.TaggedUnion</k, /on : .Struct</n : /number>, /off : .Struct<>>].
e({/k : /on, /n : 1}). e({/k : /off}).
e({/k : /dim}).
e({/k : /on}).
e({/n : 1}).
