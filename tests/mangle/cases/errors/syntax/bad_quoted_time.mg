# M-SYN-42 SYNTAX
p(1)@["yesterday"].
