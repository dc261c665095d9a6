# M-EXT-5, M-ANA-97 EXT_NOT_EXTERNAL
Decl db(K, V) descr [mode("+", "-")].
r(V) :- db(1, V).
%% external db/2
