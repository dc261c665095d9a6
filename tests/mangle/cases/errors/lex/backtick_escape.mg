# M-LEX-32 SYNTAX
p(`a\`b`).
q(1).
