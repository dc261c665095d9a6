# M-TYPE-4, M-TYPE-82 BOUNDS_FACT
Decl v(X) bound [/v].
v(/v/1). v(/v/1/2).
v(/v).
v(/w/1).
v(/vv/1).
v("/v/1").
