# M-PKG-7 BOUNDS_FACT
Package a!
Decl person(X) bound [/name].
Decl user(X) bound ["person"].
user(/ann).
user(1).
