# M-PROV-23, M-ANA-100 NO_PROOF
p(1). r(X) :- p(X).
%% goal
r(2)
