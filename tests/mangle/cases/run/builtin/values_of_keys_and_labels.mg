# M-FUN-43, M-FUN-45, M-VAL-20: also in bodies and transforms
m([1 : /one, "1" : /text, 1.0 : /float]). s({/name : "nut", /size : 3}).
k(1). k("1"). k(1.0).
of(K, V) :- m(M), k(K), V = fn:map:get(M, K).
piped(V) :- m(M) |> let V = fn:map:get(M, "1").
field(N, S) :- s(X), N = fn:struct:get(X, /name), S = fn:struct:get(X, /size).
