# M-TYPE-63, M-TYPE-41 BOUNDS_RULE
# facts without Decl: a struct, a time, a duration, a map, a list, a pair, bytes, a float
st({/k : 1}). ti(fn:time:from_unix_nanos(5)). du(fn:duration:parse("1s")). ma(["a" : 1]).
li([1, "a"]). pa(fn:pair(1, "a")). by(b"x"). fl(1.5).
Decl struct(X) bound [.Struct</k : /number>]. Decl time(X) bound [/time]. Decl duration(X) bound [/duration].
Decl map(X) bound [.Map</string, /number>]. Decl list(X) bound [.List<.Union</number, /string>>].
Decl pair(X) bound [.Pair</number, /string>]. Decl bytes(X) bound [/bytes]. Decl float(X) bound [/float64].
struct(X) :- st(X).
time(X) :- ti(X).
duration(X) :- du(X).
map(X) :- ma(X).
list(X) :- li(X).
pair(X) :- pa(X).
bytes(X) :- by(X).
float(X) :- fl(X).
Decl n(X) bound [/number].
n(X) :- st(X).
n(X) :- ti(X).
n(X) :- du(X).
n(X) :- ma(X).
n(X) :- li(X).
n(X) :- pa(X).
n(X) :- by(X).
n(X) :- fl(X).
