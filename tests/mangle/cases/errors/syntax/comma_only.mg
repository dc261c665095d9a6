# M-SYN-2 SYNTAX
p([,]).
q({,}).
