# M-PROV-23, M-ANA-100 GOAL_NOT_GROUND
p(1). r(X) :- p(X).
%% goal
r(X)
