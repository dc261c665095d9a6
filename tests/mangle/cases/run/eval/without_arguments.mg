# M-EVAL-13: atoms without arguments work like others
Decl p(X).
ok() :- !bad().
bad() :- p(/x).
twice() :- ok(), ok().
never() :- bad().
