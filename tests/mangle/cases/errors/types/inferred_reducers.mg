# M-TYPE-48, M-TYPE-49, M-TYPE-52 BOUNDS_RULE
Decl n(X) bound [/number]. Decl s(X) bound [/string]. Decl l(X) bound [.List</number>]. Decl nn(X) bound [/number]. Decl ss(X) bound [/string]. Decl ll(X) bound [.List</number>]. Decl ls(X) bound [.List</string>].
n(1). s("a"). l([1]). ls(["a"]).
nn(T) :- n(X) |> do fn:group_by(), let T = fn:sum(X).
nn(T) :- n(X) |> do fn:group_by(), let T = fn:max(X).
nn(T) :- s(X) |> do fn:group_by(), let T = fn:count().
ll(T) :- n(X) |> do fn:group_by(), let T = fn:collect(X).
nn(T) :- l(L), T = fn:max(L).
nn(T) :- l(L) |> let T = fn:sum(L).
ss(T) :- s(X), T = fn:string:concat(X, "b", 3).
ss(T) :- s(X) |> do fn:group_by(), let T = fn:count().
nn(T) :- s(X) |> do fn:group_by(), let T = fn:collect(X).
nn(T) :- s(X), T = fn:string:concat(X).
# a reducer of what it does not take has no type: in a `let` the variable is of /any
nn(T) :- s(X) |> do fn:group_by(), let T = fn:sum(X).
r(T) :- s(X) |> do fn:group_by(), let T = fn:sum(X).
# in a body the premise is impossible
r(T) :- ls(L), T = fn:max(L).
