# M-DECL-21 BOUNDS_FACT
Decl gen(X) descr [synthetic()] bound [/number].
gen("a").
Decl s(X) bound [/string].
# it is no source of types: gen is what its facts are
s(X) :- gen(X).
# and half described is fine
Decl half(X, Y) descr [synthetic(), arg(X, "one")].
# unless its facts come from outside
Decl ext(X) descr [synthetic(), extensional()] bound [/number].
ext("a").
