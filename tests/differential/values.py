"""Values of Mangle (section 4): plain tuples (kind, content), so that == and hash are M-VAL-20.

    ("name", "/a")  ("string", "x")  ("bytes", b"x")  ("number", 1)  ("float64", BITS)
    ("time", NANOSECONDS)  ("duration", NANOSECONDS)  ("pair", (a, b))  ("list", (a, ...))
    ("map", ((key, value), ...))  ("struct", ((label, value), ...))   entries in ascending key order

A float is its bit pattern (M-VAL-21); `floating` and `as_float` convert. `file_text` is M-VAL-69,
`order` a sort key for M-VAL-68.
"""
import decimal
import struct as packing

KINDS = ["name", "string", "bytes", "number", "float64", "time", "duration", "pair", "list", "map",
         "struct"]
RANK = {kind: at for at, kind in enumerate(KINDS)}
MIN64, MAX64 = -2**63, 2**63 - 1
TRUE, FALSE = ("name", "/true"), ("name", "/false")


class Unprintable(Exception):
    """The value has no file text (M-VAL-69)."""


def wrap(number):
    """Modulo 2^64, signed (M-FUN-3)."""
    return (number + 2**63) % 2**64 - 2**63


def floating(x):
    return ("float64", packing.unpack(">Q", packing.pack(">d", x))[0])


def as_float(value):
    return packing.unpack(">d", packing.pack(">Q", value[1]))[0]


def entries(kind, pairs):
    """A map or struct; of equal keys the last stays (M-VAL-26)."""
    return (kind, tuple(sorted(dict(pairs).items(), key=lambda e: order(e[0]))))


def order(value):
    """Sort key of the total order M-VAL-68."""
    kind, content = value
    if kind == "float64":
        content = content ^ (2**64 - 1) if content >> 63 else content | 2**63
    elif kind in ("pair", "list"):
        content = [order(v) for v in content]
    elif kind in ("map", "struct"):
        content = [(order(k), order(v)) for k, v in content]
    return (RANK[kind], content)


# ---- hash: only the printed order of entries depends on it (4.3) -------------------------------

U64 = 2**64 - 1


def fnv(data):
    h = 14695981039346656037
    for byte in data:
        h = (h * 1099511628211 & U64) ^ byte
    return h


def pairing(a, b):
    return (a * a + a + b if a >= b else b * b + a) & U64


def cell(first, second, code):
    return pairing(first << code & U64, second)


def hashed(value):
    kind, content = value
    if kind in ("name", "string"):
        return fnv(content.encode())
    if kind == "bytes":
        return fnv(content)
    if kind in ("number", "float64", "time", "duration"):
        return content & U64
    if kind == "pair":
        return cell(hashed(content[0]), hashed(content[1]), 7)
    if kind == "list":
        h = 0
        for element in reversed(content):
            h = cell(hashed(element), h, 8)
        return h
    h = 0
    for key, element in reversed(printed_entries(value)):
        h = cell(cell(hashed(key), hashed(element), 7), h, 9 if kind == "map" else 10)
    return h


def printed_entries(value):
    """Descending hash of the key, then its canonical text (M-VAL-33)."""
    return sorted(value[1], key=lambda e: (-hashed(e[0]), file_text(e[0])))


# ---- text --------------------------------------------------------------------------------------


def days_to_civil(days):
    """(year, month, day) of a day counted from 1970-01-01, in the Gregorian calendar."""
    days += 719468
    era, doe = divmod(days, 146097)
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    return yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) // 5 + 1


def time_text(ns):
    """RFC 3339 in UTC with the fraction digits that are needed (M-VAL-61)."""
    seconds, fraction = divmod(ns, 10**9)
    days, seconds = divmod(seconds, 86400)
    text = "%04d-%02d-%02dT" % days_to_civil(days)
    text += "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)
    return text + ((".%09d" % fraction).rstrip("0") if fraction else "") + "Z"


def decimal_text(whole, unit):
    """whole / unit without trailing zeros."""
    digits = len(str(unit)) - 1
    text = str(whole // unit)
    return text + ("." + ("%0*d" % (digits, whole % unit)).rstrip("0") if whole % unit else "")


def duration_text(ns):
    """M-VAL-62."""
    if ns == 0:
        return "0s"
    sign, ns = ("-", -ns) if ns < 0 else ("", ns)
    for limit, unit, name in ((10**3, 1, "ns"), (10**6, 10**3, "\u00b5s"), (10**9, 10**6, "ms")):
        if ns < limit:
            return sign + decimal_text(ns, unit) + name
    minutes, rest = divmod(ns, 60 * 10**9)
    hours, minutes = divmod(minutes, 60)
    text = ("%dh" % hours if hours else "") + ("%dm" % minutes if hours or minutes else "")
    return sign + text + decimal_text(rest, 10**9) + "s"


def float_text(value):
    """M-VAL-54: what fn:float64:to_string gives."""
    x = as_float(value)
    if x != x:
        return "NaN"
    if x in (float("inf"), float("-inf")):
        return "+Inf" if x > 0 else "-Inf"
    text = format(decimal.Decimal(repr(x)), "f")
    return text[:-2] if text.endswith(".0") else text


ESCAPES = {"\n": "\\n", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}


def string_text(content):
    out = []
    for c in content:
        if c in ESCAPES:
            out.append(ESCAPES[c])
        elif ord(c) >= 0x80:
            out.append("\\u{%06x}" % ord(c))
        else:
            out.append("\\x%02x" % ord(c) if ord(c) < 0x20 or ord(c) == 0x7f else c)
    return '"' + "".join(out) + '"'


def bytes_text(content):
    plain = [b for b in range(0x20, 0x7f) if chr(b) not in "\"'\\"]
    return 'b"' + "".join(chr(b) if b in plain else "\\x%02x" % b for b in content) + '"'


def file_text(value):
    """M-VAL-69."""
    kind, content = value
    if kind == "name":
        return content
    if kind == "string":
        return string_text(content)
    if kind == "bytes":
        return bytes_text(content)
    if kind == "number":
        return str(content)
    if kind == "float64":
        text = float_text(value)
        if text[-1] in "Nnf":
            raise Unprintable(text)
        return text if "." in text else text + ".0"
    if kind == "time":
        return 'fn:time:parse_rfc3339("%s")' % time_text(content)
    if kind == "duration":
        return 'fn:duration:parse("%s")' % duration_text(content)
    if kind == "pair":
        return "fn:pair(%s, %s)" % (file_text(content[0]), file_text(content[1]))
    if kind == "list":
        return "[" + ", ".join(file_text(v) for v in content) + "]"
    inside = ", ".join(file_text(k) + " : " + file_text(v) for k, v in printed_entries(value))
    if kind == "map":
        return "[" + inside + "]" if inside else "fn:map()"
    return "{" + inside + "}"


def interval_text(interval):
    """M-TEMP-60 as in file text: (start, end) with None for an open end."""
    start, end = interval
    if start is not None and start == end:
        return "@[%s]" % time_text(start)
    return "@[%s, %s]" % tuple("_" if t is None else time_text(t) for t in interval)


def fact_text(pred, args, interval=None):
    """A line of `mangle run`, without its end: p(1,2). or p(1)@[...]. interval: None if plain."""
    return "%s(%s)%s." % (pred, ",".join(file_text(a) for a in args),
                          interval_text(interval) if interval else "")
