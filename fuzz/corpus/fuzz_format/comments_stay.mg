   # at the top

#   spaces inside stay   
p(X) :- q(X).   # behind
u(X) :- q(X)  # behind a premise
  , r(X)      # behind the last one
  .
v(X) :- q(X), # first
  # above
  r(X).
w(X) :- q(X)
  # , r(X)
  .
price("tea", 300).     # goes on
                       # below
# of the next one

d( # why
  1, 2).


# at the end
