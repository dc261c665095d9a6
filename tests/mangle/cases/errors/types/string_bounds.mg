# M-DECL-30, M-DECL-31 BOUNDS_FACT
Decl person(P) bound [/name] bound [/string].
Decl user(U) bound ["person"].
Decl age(U, N) bound ["user", /number].
age(/ann, 3). age("bob", 3).
age(3, 3).
Decl n(X) bound [/number].
n(X) :- age(X, _).
Decl name(X) bound [.Union</string, /name>].
name(X) :- age(X, _).
