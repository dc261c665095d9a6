# M-EVAL-63
p("a").
q(S) :- p(X) |> let S = fn:string:concat(X, "-", 3, /b, 1.5).
