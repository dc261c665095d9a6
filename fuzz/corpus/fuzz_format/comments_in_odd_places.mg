Decl p(X) # after the atom
  bound # after a word
  [/number]. # after all
q # after a name
  (X) :- # after the arrow
  p(X # in an atom
  ), X # before an operator
  < 3,
  # above the transform
  r(X) |> # after the pipe
  do fn:group_by(X # key
  ), # after do
  let N = # after equals
  fn:count().
l([1, # one
   2 # two
   ,
   # three
   3]).
