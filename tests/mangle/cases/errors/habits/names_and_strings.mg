# M-SYN-1, M-LEX-30, M-ANA-80 SYNTAX
p(x).
r(total) :- p(total).
p('it's').
p("abc').
p(“abc”).
p(a.b).
