# White paper, "Temporal Knowledge Graphs" and "Aggregation and Path-Finding": reachability at
# a time, and over a graph. M-TEMP-34 M-TEMP-44
Decl link(X, Y) temporal.
Decl {{white-paper-reachability.txt:1}}_at(X, Y) temporal.
link(/a, /b){{white-paper-time.txt:1 start=2026-01-01 end=2026-03-01}}.
link(/b, /c){{white-paper-time.txt:1 start=2025-12-01 end=2026-02-01}}.
link(/c, /d){{white-paper-time.txt:1 start=2026-01-02 end=2026-02-01}}.
{{white-paper-reachability.txt:1}}_at(X, Y){{white-paper-time.txt:2}} :- link(X, Y){{white-paper-time.txt:2}}.
{{white-paper-reachability.txt:1}}_at(X, Z){{white-paper-time.txt:2}} :-
    {{white-paper-reachability.txt:1}}_at(X, Y){{white-paper-time.txt:2}}, link(Y, Z){{white-paper-time.txt:2}}.
{{white-paper-reachability.txt:2}}(/ann, /bob). {{white-paper-reachability.txt:2}}(/bob, /cat).
{{white-paper-reachability.txt:1}}(X, Y) :- {{white-paper-reachability.txt:2}}(X, Y).
{{white-paper-reachability.txt:1}}(X, Z) :- {{white-paper-reachability.txt:1}}(X, Y), {{white-paper-reachability.txt:2}}(Y, Z).
