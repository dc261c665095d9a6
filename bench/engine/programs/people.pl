:- table neighbours/2.
neighbours(A, B) :- follows(A, B), lives(A, City), lives(B, City).
neighbours(A, C) :- follows(A, B), follows(B, C), lives(A, City), lives(C, City).
