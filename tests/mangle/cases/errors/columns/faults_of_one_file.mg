# M-IO-43, M-IO-45 VAR_UNBOUND
Decl age(Name, Years).
%% columns
1
age 2 2
/ann
X
3
"open
