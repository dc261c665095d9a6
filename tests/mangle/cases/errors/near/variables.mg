# M-ANA-30, M-ANA-46 VAR_UNBOUND
person("x", 3).
r(Nmae) :- person(Name, _).
r(NAME) :- person(Name, _).
r(Name) :- person(Name, Age), Agee > 3.
r(Name) :- person(Name, Age), !person(Nme, Age).
# too short to guess, or nothing near
r(Y) :- person(X, _).
r(Total) :- person(Name, _).
