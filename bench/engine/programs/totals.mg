Decl sale(Item, Shop, Amount).

total(Item, N, Sum, Least, Most) :- sale(Item, _, Amount)
  |> do fn:group_by(Item), let N = fn:count(), let Sum = fn:sum(Amount), let Least = fn:min(Amount), let Most = fn:max(Amount).
