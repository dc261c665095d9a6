# White paper, "Aggregation and Path-Finding": trips of one or two legs as lists of codes with their
# price. The document describes them and prints no text. M-SYN-3
leg(/zrh, /fra, "LX1", 60). leg(/fra, /jfk, "LH2", 400). leg(/zrh, /jfk, "LX3", 700).
trip(A, B, [Code], Price) :- leg(A, B, Code, Price).
trip(A, C, [One, Two], Price) :-
  leg(A, B, One, P), leg(B, C, Two, Q), Price = fn:plus(P, Q).
cheapest(A, B, P) :- trip(A, B, _, Price) |> do fn:group_by(A, B), let P = fn:min(Price).
