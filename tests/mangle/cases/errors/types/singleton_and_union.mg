# M-TYPE-5, M-TYPE-11, M-TYPE-71 BOUNDS_FACT
Decl one(X) bound [.Singleton<1>].
one(1).
one(2).
one(1.0).
Decl wind(W) bound [.Union<.Singleton</calm>, .Singleton</storm>, /number>].
wind(/calm). wind(/storm). wind(3).
wind(/breeze).
Decl alone(X) bound [.Union</string>].
alone("a").
alone(1).
