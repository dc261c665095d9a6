# M-ANA-43, M-ANA-21 FN_UNKNOWN
s([1]).
r(Y) :- s(X), Y = fn:list:gett(X, 0).
r(Y) :- s(X), Y = fn:lst:len(X).
r(Y) :- s(X), Y = fn:length(X).
r(Y) :- s(X), Y = fn:concat(X).
r(Y) :- s(X), Y = fn:add(X, 1).
r(Y) :- s(X), Y = fn:quux_of_everything(X).
r(N) :- s(X) |> do fn:group_by(), let N = fn:average(X).
r(X) :- s(X), :string:start_with(X, "a").
r(X) :- s(X), :member(X, [1]).
