# M-EVAL-60
road(/ulm, /bonn). road(/bonn, /kiel). road(/kiel, /bonn).
town(/ulm). town(/bonn). town(/kiel).
trip(A, B) :- road(A, B).
trip(A, C) :- trip(A, B), road(B, C).
cut(A, B) :- town(A), town(B), !trip(A, B).
