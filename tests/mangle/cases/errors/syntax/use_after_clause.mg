# M-SYN-13 SYNTAX
p(1).
Use a!
q(2).
