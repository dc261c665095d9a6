# Which branches nobody needs any more. What may be deleted at all is in rules/policy.

Decl stale(Name)
  descr [doc("Nothing was committed on the branch in the last thirty days.")]
  bound [/string].
stale(Name) :- <-[_, _] branch(Name), !<-[30d] branch(Name).

Decl forgotten(Name)
  descr [doc("A branch with commits of its own on which nobody works any more.")]
  bound [/string].
forgotten(Name) :- unmerged(Name), stale(Name).
has_forgotten :- forgotten(_).

has_products :- build_product(_, _).
product_size(Sum) :- build_product(Path, Bytes) |> do fn:group_by(), let Sum = fn:sum(Bytes).
