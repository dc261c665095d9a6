# M-LEX-31 SYNTAX
p("a\qb").
