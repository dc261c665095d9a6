# M-IO-45, M-IO-47 COLUMN_FILE
Decl age(Name, Years).
%% columns
5
Age 2 1
age two 1
"age" 1 1
b'age' 1 1
age 2
