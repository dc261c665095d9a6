# M-ANA-30 VAR_UNBOUND
r(_) :- s(_). s(1).
