# White paper, "Temporal Knowledge Graphs": `_`, `now`, the four operators, days and hours.
# M-TEMP-3 M-TEMP-4 M-TEMP-53 M-TEMP-54
Decl up(X) temporal.
up(/a)@[{{white-paper-time.txt:3}}, 2026-02-19T12:00:00Z].
up(/b)@[2026-02-16T12:00:00Z, {{white-paper-time.txt:4}}].
up(/c)@[2026-02-20T00:00:00Z].
was_up(X) :- {{white-paper-time.txt:5}}[0s, 1{{white-paper-time.txt:9}}] up(X).
stayed_up(X) :- {{white-paper-time.txt:6}}[0s, 2{{white-paper-time.txt:9}}] up(X).
will_be_up(X) :- {{white-paper-time.txt:7}}[1{{white-paper-time.txt:10}}, 12{{white-paper-time.txt:10}}] up(X).
stays_up(X) :- {{white-paper-time.txt:8}}[0s, 1{{white-paper-time.txt:10}}] up(X).
