# M-TEMP-33, M-TEMP-35: an alarm is answered within ten minutes, or it is raised again
Decl alarm(R) temporal.
Decl answer(R) temporal.
alarm(/a)@[2024-06-10T10:00:00Z]. alarm(/b)@[2024-06-10T11:00:00Z]. alarm(/b)@[2024-06-10T11:05:00Z].
answer(/a)@[2024-06-10T10:04:00Z]. answer(/b)@[2024-06-10T11:30:00Z].
late(R, T) :- alarm(R)@[T, _], !answered(R, T).
answered(R, T) :- alarm(R)@[T, _], answer(R)@[U, _], :time:le(T, U), :time:le(U, fn:time:add(T, fn:duration:parse("10m"))).
often(R) :- alarm(R)@[T, _], alarm(R)@[U, _], :time:lt(T, U), :time:le(U, fn:time:add(T, fn:duration:parse("5m"))).
first(R, S) :- alarm(R)@[T, _] |> do fn:group_by(R), let A = fn:time:min(T), let S = fn:time:format(A, /minute).
