"""Writes protocol buffers by hand: a descriptor set (set.pb) and messages, as the wire format and
descriptor.proto have them. protobuf_make.py set | protobuf_make.py message NAME"""
import struct
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 0x7F:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def text(field, s):
    s = s.encode() if isinstance(s, str) else s
    return varint(field << 3 | 2) + varint(len(s)) + s


def zigzag(n):
    return n << 1 ^ n >> 63


DOUBLE, FLOAT, INT64, UINT64, INT32, FIXED64, FIXED32, BOOL, STRING, GROUP, MESSAGE, BYTES, UINT32, ENUM, \
    SFIXED32, SFIXED64, SINT32, SINT64 = range(1, 19)


def field(name, n, kind, type_name=None, label=1, oneof=None, optional=False):
    out = text(1, name) + number(3, n) + number(4, label) + number(5, kind)
    out += text(6, type_name) if type_name else b""
    out += number(9, oneof) if oneof is not None else b""
    return text(2, out + (number(17, 1) if optional else b""))


ENUM_COLOUR = text(1, "Colour") + b"".join(
    text(2, text(1, name) + number(2, n)) for name, n in (("NONE", 0), ("RED", 1), ("BLUE", -2)))


def entry(name, key, value, value_type=None):
    return text(3, text(1, name) + field("key", 1, key) + field("value", 2, value, value_type) +
                text(7, number(7, 1)))


THING = b"".join([
    text(1, "Thing"),
    field("id", 1, INT32), field("big", 2, INT64), field("zig", 3, SINT32), field("zag", 4, SINT64),
    field("d", 5, DOUBLE), field("f", 6, FLOAT), field("ok", 7, BOOL), field("name", 8, STRING),
    field("raw", 9, BYTES), field("inner", 10, MESSAGE, ".pkg.Thing.Inner"),
    field("many", 11, INT32, label=3), field("words", 12, STRING, label=3),
    field("colour", 13, ENUM, ".pkg.Colour"), field("colours", 14, ENUM, ".pkg.Colour", label=3),
    field("counts", 15, MESSAGE, ".pkg.Thing.CountsEntry", label=3),
    field("u", 16, UINT32), field("fx", 17, FIXED64), field("left", 18, INT32, oneof=0),
    field("right", 19, STRING, oneof=0), field("maybe", 20, INT32, oneof=1, optional=True),
    field("doubles", 21, DOUBLE, label=3), field("self", 22, MESSAGE, ".pkg.Thing"),
    field("inners", 23, MESSAGE, ".pkg.Thing.Inner", label=3),
    field("by_number", 24, MESSAGE, ".pkg.Thing.ByNumberEntry", label=3),
    field("sf", 25, SFIXED32),
    text(3, text(1, "Inner") + field("a", 1, INT32) + field("b", 2, STRING) + field("l", 3, INT32, label=3)),
    entry("CountsEntry", STRING, INT32),
    entry("ByNumberEntry", INT32, MESSAGE, ".pkg.Thing.Inner"),
    text(8, text(1, "side")), text(8, text(1, "_maybe"))])
OLD = text(1, "Old") + field("need", 1, INT32, label=2) + field("zero", 2, INT32)
FILES = [
    text(1, "thing.proto") + text(2, "pkg") + text(4, THING) + text(5, ENUM_COLOUR) + text(12, "proto3"),
    text(1, "old.proto") + text(4, OLD),
    text(1, "lost.proto") + text(2, "pkg") + text(4, text(1, "Plain") + field("x", 1, INT32)),
]
SET = b"".join(text(1, f) for f in FILES)


def packed(*numbers):
    return b"".join(varint(n) for n in numbers)


MESSAGES = {
    "all": number(1, -7) + number(2, 1 << 62) + number(3, zigzag(-5)) + number(4, zigzag(-(1 << 63))) +
    varint(5 << 3 | 1) + struct.pack("<d", 2.5) + varint(6 << 3 | 5) + struct.pack("<f", -0.5) + number(7, 1) +
    text(8, "é") + text(9, b"\x01b") + text(10, number(1, 3) + text(2, "in")) + text(11, packed(1, 300, -1)) +
    number(11, 4) + text(12, "x") + text(12, "") + number(13, 1) + text(14, packed(0, -2)),
    "maps": text(15, text(1, "a") + number(2, 1)) + text(15, text(1, "b")) + text(15, text(1, "a") + number(2, 9)) +
    text(24, number(1, 5) + text(2, number(1, 6))) + text(24, b""),
    "empty": b"",
    "zeros": number(1, 0) + number(7, 0) + text(8, "") + number(13, 0) + varint(5 << 3 | 1) + bytes(8) + text(10, b"") +
    number(18, 0) + number(20, 0) + text(11, b"") + text(12, ""),
    "last": number(1, 1) + number(1, 2) + number(18, 4) + text(19, "r"),
    "merge": text(10, number(1, 1) + text(2, "x") + number(3, 1)) + text(10, number(1, 2) + number(3, 2)),
    "unknown": number(99, 1) + text(98, "zz") + varint(97 << 3 | 3) + number(1, 1) + varint(96 << 3 | 3) +
    varint(96 << 3 | 4) + varint(97 << 3 | 4) + varint(95 << 3 | 5) + bytes(4) + varint(94 << 3 | 1) + bytes(8) + number(1, 8),
    "floats": text(21, struct.pack("<dd", 1.0, 1e300)) + varint(21 << 3 | 1) + struct.pack("<d", -2.0),
    "nested": text(22, text(22, number(1, 3))) + text(23, number(1, 1)) + text(23, b""),
    "uint": text(22, number(1, 1) + number(16, 1)),
    "fixed": varint(17 << 3 | 1) + bytes(8),
    "sfixed": varint(25 << 3 | 5) + bytes(4),
    "enum": number(13, 77),
    "utf8": text(8, b"ab\xff"),
    "cut": text(22, number(1, 1))[:-1],
    "cutnumber": number(1, -7)[:-1],
    "wire": text(1, "x"),
    "fieldzero": b"\x00\x00",
    "wire7": b"\x0f",
    "endgroup": varint(99 << 3 | 4),
    "opengroup": varint(99 << 3 | 3) + number(1, 1),
    "long": b"\x08" + b"\xff" * 10 + b"\x01",
    "over": b"\x08" + b"\xff" * 9 + b"\x02",
    "packedcut": text(11, b"\x01\x80"),
    "old": number(1, 0) + number(2, 0),
    "deep": b"",
}
for _ in range(100):
    MESSAGES["deep"] = text(22, MESSAGES["deep"])

if __name__ == "__main__":
    what = sys.argv[1:]
    sys.stdout.buffer.write(SET if what == ["set"] else MESSAGES[what[1]])
