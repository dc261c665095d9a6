# M-EXT-5, M-ANA-97 EXT_UNDECLARED
r(1) :- s(1).
s(1).
%% external db/2
