:- use_module(library(aggregate)).

total(Item, N, Sum, Least, Most) :-
    aggregate(r(count, sum(Amount), min(Amount), max(Amount)), Shop^sale(Item, Shop, Amount), r(N, Sum, Least, Most)).
