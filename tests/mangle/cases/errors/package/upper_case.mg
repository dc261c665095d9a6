# M-ANA-81 PKG_CASE
Package fOo!
p(1).
