# M-PRED-8, M-PRED-9
l([1, 2]). l([[]]). l([]). l(fn:pair(1, [])). l(fn:map()).
r(H, T) :- l(L), :match_cons(L, H, T).
nil(L) :- l(L), :match_nil(L).
tail(T) :- l(L), :match_cons(L, _, T).
tail(T) :- tail(L), :match_cons(L, _, T).
end(T) :- tail(T), :match_nil(T).
