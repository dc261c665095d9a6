# M-AGG-1, M-FUN-10, M-FUN-25: codes and prices of direct and changed trips
leg(/ost, /mitte, "O1", 12). leg(/ost, /see, "O7", 40). leg(/mitte, /see, "M3", 9).
leg(/mitte, /west, "M4", 15). leg(/see, /west, "S2", 20).
trip(A, B, Code, Price) :- leg(A, B, Code, Price).
trip(A, C, Code, Price) :- leg(A, B, K, P), leg(B, C, L, Q), A != C
  |> let Code = fn:string:concat(K, "+", L), let Price = fn:plus(P, Q).
best(A, B, P) :- trip(A, B, _, Q) |> do fn:group_by(A, B), let P = fn:min(Q).
take(Code) :- best(/ost, B, P), trip(/ost, B, Code, P).
