# M-ANA-93 FACT_EVAL
s(fn:list:get([1], 5)).
