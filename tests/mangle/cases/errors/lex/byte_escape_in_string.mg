# M-LEX-31 SYNTAX
p("\xca").
