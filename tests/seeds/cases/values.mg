# Data model, section 3.1: the column "Example Mangle". M-SYN-46 M-SYN-47 M-EVAL-6
given({{data-model-3.1-mangle.txt:1}}).
given({{data-model-3.1-mangle.txt:2}}).
given({{data-model-3.1-mangle.txt:3}}).
given({{data-model-3.1-mangle.txt:4}}).
given({{data-model-3.1-mangle.txt:5}}).
given({{data-model-3.1-mangle.txt:6}}).
value(V) :- given(V).
some() :- given({{data-model-3.1-mangle.txt:7}}).
