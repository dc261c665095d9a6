# M-ANA-91 DECL_BOUND_ILLFORMED
Decl s(X) bound [.TaggedUnion</k, /a : .Struct</k : /string>>].
