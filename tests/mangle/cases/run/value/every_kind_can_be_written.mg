# M-VAL-2, M-VAL-3, M-VAL-4, M-VAL-5, M-VAL-6, M-VAL-7, M-VAL-8, M-VAL-9, M-VAL-10, M-VAL-11
n(1).
string(X, Y) :- n(_), X = "x", Y = "".
bytes(X, Y) :- n(_), X = b"a\x80\xff", Y = b"x".
number(X, Y) :- n(_), X = -9223372036854775808, Y = 9223372036854775807.
float(X, Y) :- n(_), X = -2.5, Y = .5e-1.
time(X, Y) :- n(_), X = fn:time:parse_rfc3339("1677-09-21T00:12:43.145224192Z"), Y = fn:time:parse_rfc3339("2262-04-11T23:47:16.854775807Z").
duration(X, Y) :- n(_), X = fn:duration:parse("90s"), Y = fn:duration:parse("-2562047h47m16.854775808s").
pair(X) :- n(_), X = fn:pair(1, fn:pair(/a, "b")).
list(X) :- n(_), X = [1, [], "a", [2]].
map(X) :- n(_), X = [2 : "k", 1 : [3 : 4]].
struct(X) :- n(_), X = {/k : {/j : 1}}.
