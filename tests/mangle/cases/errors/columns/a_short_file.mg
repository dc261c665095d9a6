# M-IO-45 COLUMN_FILE
Decl age(Name, Years).
%% columns
1
age 2 2
/ann
