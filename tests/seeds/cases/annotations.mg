# Data model, sections 4.1 and 4.5: the forms of annotations, "start" and "end" being instants, T a
# variable. M-SYN-15 M-TEMP-3 M-TEMP-10 M-TEMP-33
Decl p(Form) temporal.
p("interval"){{data-model-4.1-mangle.txt:1 start=2026-02-19 end=2026-02-20}}.
p("open end"){{data-model-4.1-mangle.txt:3 start=2026-02-19}}.
p("open start"){{data-model-4.1-mangle.txt:4 end=2026-02-20}}.
p("always"){{data-model-4.5.txt:1}}.
holds(Form) :- p(Form)@[now].
starts(Form, T) :- p(Form){{data-model-4.1-mangle.txt:2}}, :time:le(fn:time:from_unix_nanos(0), T).
eternal(Form) :- p(Form){{data-model-4.5.txt:1}}.
