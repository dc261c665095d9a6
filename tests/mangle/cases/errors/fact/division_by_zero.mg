# M-ANA-4 FACT_EVAL
s(fn:div(1, 0)).
