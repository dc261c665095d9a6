# M-AGG-3
Decl shift(P) temporal.
begin(/early, fn:time:parse_rfc3339("2024-06-10T06:00:00Z")).
begin(/late, fn:time:parse_rfc3339("2024-06-10T14:00:00Z")).
shift(P)@[S, E] :- begin(P, S) |> let E = fn:time:add(S, fn:duration:parse("7h30m")).
