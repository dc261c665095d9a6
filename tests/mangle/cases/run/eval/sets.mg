# M-EVAL-4, M-EVAL-5: relations are sets; every solution of a premise extends every one before it
a(1). a(2). b(/x). b(/y).
both(X, Y) :- a(X), b(Y).
some(X) :- a(X), b(_).
some(X) :- a(X).
count(N) :- some(_) |> do fn:group_by(), let N = fn:count().
