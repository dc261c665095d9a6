# M-TYPE-20, M-TYPE-21, M-TYPE-22, M-TYPE-23, M-TYPE-24 DECL_BOUND_ILLFORMED
Decl s1(X) bound ["s0"]. Decl s0(X).
Decl s2(X) bound [.List<"s0">].
Decl s3(X) bound [b"a"].
Decl s4(X) bound [[/number]].
Decl n1(X) bound [fn:List(/a, /b)].
Decl n2(X) bound [fn:Option()].
Decl n3(X) bound [fn:Pair(/a)].
Decl n4(X) bound [.Map</a>].
Decl n5(X) bound [.Singleton<>].
Decl n6(X) bound [.Tuple</a, /b>].
Decl n7(X) bound [fn:Fun()].
Decl n8(X) bound [.Singleton<fn:plus(1, 2)>].
Decl t1(X) bound [.Struct<1 : /number>].
Decl t2(X) bound [.Struct</a>].
Decl t3(X) bound [.Struct</a : 3>].
Decl t4(X) bound [.Struct<opt "a" : /number>].
Decl t5(X) bound [.Struct<opt /a : .List<>>].
Decl u1(X) bound [.TaggedUnion</k>].
Decl u2(X) bound [.TaggedUnion</k, /a>].
Decl u3(X) bound [.TaggedUnion<1, /a : .Struct<>>].
Decl u4(X) bound [.TaggedUnion</k, "a" : .Struct<>>].
Decl u5(X) bound [.TaggedUnion</k, /a : .Struct<>, /a : .Struct<>>].
Decl u6(X) bound [.TaggedUnion</k, /a : /number>].
Decl u7(X) bound [.TaggedUnion</k, /a : .Struct<opt /k : /number>>].
Decl f1(X) bound [fn:Fun(T, /number)].
# these are fine
Decl g1(X) bound [fn:Fun(T, .List<T>)].
Decl g2(X) bound [.TaggedUnion</k, /a : .Struct<opt /b : T>>].
Decl g3(X) bound [.Union</a>]. Decl g4(X) bound [.Tuple</a, /b, /c>]. Decl g5(X) bound [.Option</a>].
Decl g6(X) bound [.Struct<>]. Decl g7(X) bound [fn:Rel(/a, /b)]. Decl g8(X) bound [.Singleton<"a">].
