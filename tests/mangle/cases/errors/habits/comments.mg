# M-LEX-3, M-ANA-80 SYNTAX
% one. two
// one. two
-- one. two
/* one. two */
p(1). # this is one
