# M-ANA-4 FACT_EVAL
s(fn:plus(1, fn:div(1, 0))).
