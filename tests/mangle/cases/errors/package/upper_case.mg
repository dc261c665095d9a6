# M-ANA-81, M-SYN-14 PKG_CASE
Package fOo!
p(1).
