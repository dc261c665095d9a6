# Data model, section 4.3: the four operators with one bound. D is a variable first, then written out
# in each unit of the section, and as raw milliseconds. The words "exclusive" and "inclusive" of the
# table are not what the operators do: M-SYN-55. M-SYN-40 M-SYN-43 M-TEMP-50
Decl p(X) temporal.
p("past hour")@[2026-02-19T13:00:00Z, 2026-02-19T14:00:00Z].
p("next hour")@[2026-02-19T14:00:00Z, 2026-02-19T15:00:00Z].
p("yesterday")@[2026-02-18T14:00:00Z].
length(fn:duration:parse("1h")).
some_past(X) :- length(D), {{data-model-4.3.txt:1}} p(X).
all_past(X) :- length(D), {{data-model-4.3.txt:2}} p(X).
some_future(X) :- length(D), {{data-model-4.3.txt:3}} p(X).
all_future(X) :- length(D), {{data-model-4.3.txt:4}} p(X).
days(X) :- {{data-model-4.3.txt:1 D=1d}} p(X).
hours(X) :- {{data-model-4.3.txt:1 D=24h}} p(X).
minutes(X) :- {{data-model-4.3.txt:2 D=60m}} p(X).
seconds(X) :- {{data-model-4.3.txt:4 D=3600s}} p(X).
raw(X) :- {{data-model-4.3.txt:2 D=3600000}} p(X).
raw_longer(X) :- {{data-model-4.3.txt:2 D=3600001}} p(X).
in_days(X) :- <-[{{data-model-4.3.txt:5 N=1}}] p(X).
in_hours(X) :- [-[{{data-model-4.3.txt:6 N=1}}] p(X).
in_minutes(X) :- [+[{{data-model-4.3.txt:7 N=60}}] p(X).
in_seconds(X) :- [+[{{data-model-4.3.txt:8 N=3601}}] p(X).
