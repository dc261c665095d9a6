# M-EVAL-3, M-EVAL-4: what is affected by a flaw, through every dependency
needs(/shop, /cart). needs(/cart, /logger). needs(/blog, /theme). needs(/theme, /css).
needs(/mail, /cart). needs(/logger, /strings). needs(/strings, /logger).
version(/logger, "2.1"). version(/css, "1.0"). version(/strings, "3.3").
flaw("2.1", /logger, /grave). flaw("0.9", /css, /minor).
product(/shop). product(/blog). product(/mail).
uses(A, B) :- needs(A, B).
uses(A, C) :- uses(A, B), needs(B, C).
flawed(L, How) :- version(L, V), flaw(V, L, How).
affected(P, L, How) :- product(P), uses(P, L), flawed(L, How).
safe(P) :- product(P), !affected(P, _, _).
count(L, N) :- affected(P, L, _) |> do fn:group_by(L), let N = fn:count().
