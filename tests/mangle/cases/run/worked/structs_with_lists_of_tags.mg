# M-EVAL-61
item({/id: 7, /tags: ["new", "red"]}). item({/id: 8, /tags: []}).
item(R) :- item(R), :match_field(R, /id, _).
tag(I, T) :- item(R), :match_field(R, /id, I), :match_field(R, /tags, L), :list:member(T, L).
bare(I) :- item(R), :match_field(R, /id, I), :match_field(R, /tags, L), :match_nil(L).
