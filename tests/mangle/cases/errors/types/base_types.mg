# M-TYPE-1, M-TYPE-2, M-TYPE-3, M-TYPE-80 BOUNDS_FACT
Decl any(X) bound [/any].
any(/a). any("a"). any(b"a"). any(1). any(1.5). any([]). any({}). any(fn:map()). any(fn:pair(1, 2)).
any(fn:time:from_unix_nanos(5)). any(fn:duration:from_nanos(5)).
Decl none(X) bound [/bot].
none(/bot).
Decl number(X) bound [/number].
number(1).
number(1.5).
Decl float64(X) bound [/float64].
float64(1.5).
float64(1).
Decl string(X) bound [/string].
string("a").
string(/a).
Decl bytes(X) bound [/bytes].
bytes(b"a").
bytes("a").
Decl name(X) bound [/name].
name(/a). name(/number).
name("a").
Decl time(X) bound [/time].
time(fn:time:from_unix_nanos(5)).
time(5).
Decl duration(X) bound [/duration].
duration(fn:duration:from_nanos(5)).
duration(fn:time:from_unix_nanos(5)).
