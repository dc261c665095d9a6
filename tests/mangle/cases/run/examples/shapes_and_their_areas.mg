# M-PRED-11, M-VAL-11, M-FUN-16: one struct for several shapes
shape(/desk, {/kind : /rect, /w : 4, /h : 2.5}). shape(/plate, {/kind : /circle, /r : 2}).
shape(/dot, {/kind : /point}). shape(/tile, {/kind : /rect, /w : 3, /h : 3}).
area(N, A) :- shape(N, S), :match_field(S, /kind, /rect), :match_field(S, /w, W), :match_field(S, /h, H)
  |> let A = fn:float:mult(W, H).
area(N, A) :- shape(N, S), :match_field(S, /kind, /circle), :match_field(S, /r, R)
  |> let A = fn:float:mult(3, R, R).
kinds(K, L) :- shape(N, S), :match_field(S, /kind, K) |> do fn:group_by(K), let L = fn:collect(N).
flat(N) :- shape(N, _), !area(N, _).
