# M-LEX-15 SYNTAX
r(X) :- <-[200000d] p(X).
