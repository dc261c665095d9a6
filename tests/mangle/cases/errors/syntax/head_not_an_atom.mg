# M-SYN-1 SYNTAX
X(1).
/a.
