# M-TYPE-21 DECL_BOUND_ILLFORMED
Decl s(X) bound [fn:Union()].
