# M-PRED-4, M-PRED-5, M-PRED-7, M-PRED-8, M-PRED-9, M-PRED-10, M-PRED-11
v(1). v("a"). v(/a). v([]). v(fn:map()). v({}). v(fn:pair(1, 2)).
pair(V) :- v(V), :match_pair(V, _, _).
cons(V) :- v(V), :match_cons(V, _, _).
nil(V) :- v(V), :match_nil(V).
entry(V) :- v(V), :match_entry(V, 1, _).
field(V) :- v(V), :match_field(V, /a, _).
prefix(V) :- v(V), :match_prefix(V, /a).
starts(V) :- v(V), :string:starts_with(V, "").
