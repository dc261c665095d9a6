# Data model, section 7.1: a wildcard in a head stands for no value, and is refused. M-SYN-50
file_exists("a.txt").
{{data-model-7.1.mg}}
