# M-IO-43, M-IO-45 COLUMN_FILE
Decl age(Name, Years).
%% columns
1
age 2 2
/ann
X
3
"open
