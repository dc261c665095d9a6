# M-TEMP-30, M-TEMP-35, M-TEMP-53: the evaluation time is 2024-06-10T12:00:00Z
Decl down(S) temporal.
Decl promised(S, D) bound [/name, /duration].
down(/mail)@[2024-06-10T08:00:00Z, 2024-06-10T08:20:00Z].
down(/mail)@[2024-06-10T11:30:00Z, 2024-06-10T11:45:00Z].
down(/web)@[2024-06-09T00:00:00Z, 2024-06-09T00:05:00Z].
down(/db)@[2024-06-10T11:50:00Z, _].
service(/mail). service(/web). service(/db).
promised(/mail, fn:duration:parse("30m")). promised(/web, fn:duration:parse("30m")).
now_down(S) :- down(S)@[now].
shaky(S) :- <-[1h] down(S).
spell(S, D) :- down(S)@[A, B], :time:lt(B, fn:time:now()) |> let D = fn:time:sub(B, A).
sum(S, D) :- spell(S, E) |> do fn:group_by(S), let D = fn:duration:sum(E).
broken(S) :- sum(S, D), promised(S, P), :duration:gt(D, P).
fine(S) :- service(S), !shaky(S).
