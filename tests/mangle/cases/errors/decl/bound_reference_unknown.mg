# M-DECL-31 DECL_BOUND_ILLFORMED
Decl s(X) bound ["nowhere"].
