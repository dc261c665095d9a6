# M-SYN-13 SYNTAX
Package a.
Use b;
p(1).
