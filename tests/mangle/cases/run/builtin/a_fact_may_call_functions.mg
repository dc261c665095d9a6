# M-FUN-1
p(fn:plus(1, fn:mult(2, 3)), fn:list:append([1], fn:string:concat("a", 1))).
q(X, Y) :- p(X, Y).
