# M-EVAL-11, M-ANA-98: an error there ends the evaluation
n(2). n(0).
half(fn:div(8, X)) :- n(X).
