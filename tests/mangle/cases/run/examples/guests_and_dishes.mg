# M-EVAL-8, M-PRED-12: nobody is given what they cannot eat
dish(/soup, [/leek, /cream]). dish(/bread, [/wheat]). dish(/salad, [/leek, /nuts]). dish(/rice, []).
cannot(/ines, /nuts). cannot(/ines, /cream). cannot(/otto, /wheat).
guest(/ines). guest(/otto). guest(/ria).
bad(G, D) :- guest(G), dish(D, L), :list:member(I, L), cannot(G, I).
eats(G, D) :- guest(G), dish(D, _), !bad(G, D).
choice(G, N) :- eats(G, D) |> do fn:group_by(G), let N = fn:count().
everyone(D) :- dish(D, _), !bad(_, D).
