# M-IO-45, M-IO-47 COLUMN_FILE
Decl age(Name, Years).
%% columns
2
Age 2 1
age two 1
