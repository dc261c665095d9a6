# M-LEX-5 SYNTAX
p(“abc”).
