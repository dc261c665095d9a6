# Data model, section 7.2: the column "Mangle Equivalent"; "..." stands for elements. M-SYN-47
item({{data-model-7.2.txt:1}}, 1).
item({{data-model-7.2.txt:2}}, 2).
item({{data-model-7.2.txt:5 ...="a"}}, 5).
item({{data-model-7.2.txt:6 ...="k","v"}}, 6).
argument({{data-model-7.2.txt:3}}) :- item({{data-model-7.2.txt:3}}, {{data-model-7.2.txt:4}}).
