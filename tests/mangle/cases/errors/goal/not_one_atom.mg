# M-SYN-16, M-PROV-23 SYNTAX
p(1). r(X) :- p(X).
%% goal
r(1). r(2)
