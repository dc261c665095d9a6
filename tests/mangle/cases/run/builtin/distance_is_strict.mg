# M-PRED-14
v(7). v(8). v(12). v(13).
r(X) :- v(X), :within_distance(X, 10, 3).
far(X) :- v(X), !:within_distance(X, 10, 3).
