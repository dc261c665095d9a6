# M-ANA-91 DECL_BOUND_ILLFORMED
Decl s(X) bound [fn:Nope(/a)].
