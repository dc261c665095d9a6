Decl stay(Id, Person, Room) temporal.

lately(Person) :- <-[0h, 48h] stay(_, Person, _).
met(P, Q) :-
  lately(P), stay(_, P, Room)@[S, E], stay(_, Q, Room)@[T, F], :time:le(S, F), :time:le(T, E), P < Q.
