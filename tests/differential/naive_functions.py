"""The functions of section 12 and the reducers of section 11, one after the other."""
import datetime
import re
import zoneinfo

import syntax
from values import (FALSE, MAX64, MIN64, TRUE, as_float, days_to_civil, entries, float_text,
                    floating, order, wrap)


class Fails(Exception):
    """An evaluation error (M-EVAL-12)."""


def need(kind, value):
    if value[0] != kind:
        raise Fails("%s where a %s is needed" % (value[0], kind))
    return value[1]


def all_of(kind, args):
    return [need(kind, a) for a in args]


def number(n):
    return ("number", wrap(n))


def truth(yes):
    return TRUE if yes else FALSE


# ---- numbers -----------------------------------------------------------------------------------


def plus(args):
    return number(sum(all_of("number", args)))


def minus(args):
    numbers = all_of("number", args)
    if not numbers:
        raise Fails("fn:minus of nothing")
    return number(-numbers[0] if len(numbers) == 1 else numbers[0] - sum(numbers[1:]))


def mult(args):
    product = 1
    for n in all_of("number", args):
        product *= n
    return number(product)


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def div(args):
    numbers = all_of("number", args)
    if not numbers:
        raise Fails("fn:div of nothing")
    if len(numbers) == 1:
        numbers = [1] + numbers
    if 0 in numbers[1:]:
        raise Fails("division by zero")
    result = numbers[0]
    for n in numbers[1:]:
        result = wrap(quotient(result, n))
    return number(result)


def mod(args):
    a, b = all_of("number", args)
    if b == 0:
        raise Fails("division by zero")
    return number(a - quotient(a, b) * b)


def real(value):
    if value[0] == "number":
        return float(value[1])
    need("float64", value)
    return as_float(value)


def float_plus(args):
    total = 0.0
    for a in args:
        total += real(a)
    return floating(total)


def float_mult(args):
    product = 1.0
    for a in args:
        product *= real(a)
    return floating(product)


def float_div(args):
    reals = [real(a) for a in args]
    if not reals:
        raise Fails("fn:float:div of nothing")
    if len(reals) == 1:
        reals = [1.0] + reals
    result = reals[0]
    for r in reals[1:]:
        if r == 0:
            raise Fails("division by zero")
        result /= r
    return floating(result)


def sqrt(args):
    x = real(args[0])
    return floating(x ** 0.5 if x > 0 else x if x == 0 else float("nan"))


# ---- strings and names -------------------------------------------------------------------------


def concat(args):
    out = ""
    for a in args:
        if a[0] == "float64":
            out += float_text(a)
        elif a[0] in ("string", "name", "number"):
            out += str(a[1])
        else:
            raise Fails("fn:string:concat of a %s" % a[0])
    return ("string", out)


def replace(args):
    text, old, new = all_of("string", args[:3])
    return ("string", text.replace(old, new, need("number", args[3])))


def name_parts(args):
    return [("name", "/" + part) for part in need("name", args[0])[1:].split("/")]


# ---- structures --------------------------------------------------------------------------------


def tuple_of(args):
    if not args:
        raise Fails("fn:tuple of nothing")
    result = args[-1]
    for a in reversed(args[:-1]):
        result = ("pair", (a, result))
    return result


def list_get(args):
    elements, at = need("list", args[0]), need("number", args[1])
    if not 0 <= at < len(elements):
        raise Fails("no element %d" % at)
    return elements[at]


def lookup(kind):
    def get(args):
        found = dict(need(kind, args[0]))
        if args[1] not in found:
            raise Fails("no such entry")
        return found[args[1]]
    return get


def keyed(kind):
    def make(args):
        if len(args) % 2:
            raise Fails("a %s of an odd number of arguments" % kind)
        return entries(kind, zip(args[::2], args[1::2]))
    return make


# ---- times -------------------------------------------------------------------------------------

SECOND = 10**9
DAY = 86400 * SECOND
TRUNC = {"/day": DAY, "/hour": 3600 * SECOND, "/minute": 60 * SECOND, "/second": SECOND,
         "/millisecond": 10**6, "/microsecond": 10**3, "/nanosecond": 1}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def instant(ns):
    if not MIN64 <= ns <= MAX64:
        raise Fails("an instant out of range")
    return ("time", ns)


def fields(ns):
    """year, month, day, hour, minute, second, nanosecond"""
    days, rest = divmod(ns, DAY)
    return days_to_civil(days) + (rest // (3600 * SECOND), rest // (60 * SECOND) % 60,
                                  rest // SECOND % 60, rest % SECOND)


def parse_rfc3339(args):
    text = need("string", args[0])
    found = syntax.local_instant(text)
    if not found or found[1] is None:
        raise Fails("%r is no RFC 3339 time" % text)
    return instant(found[0] - found[1] * SECOND)


def zone_of(value):
    name = need("string", value)
    if name in ("", "UTC"):
        return datetime.timezone.utc
    try:
        if name.startswith("/") or ".." in name:
            raise ValueError
        return zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise Fails("no time zone %r" % name) from None


def offset(zone, ns):
    """What local time is ahead of UTC at the instant, in nanoseconds."""
    moment = EPOCH + datetime.timedelta(seconds=ns // SECOND)
    return round(moment.astimezone(zone).utcoffset().total_seconds()) * SECOND


def from_local(zone, local):
    """M-FUN-56"""
    first = offset(zone, local)
    second = offset(zone, local - first)
    return instant(local - first if second == first else local - second)


def parse_civil(args):
    text, zone = need("string", args[0]), zone_of(args[1])
    found = syntax.local_instant(text)
    if not found or found[1] is not None or "T" not in text:
        raise Fails("%r is no local time" % text)
    return from_local(zone, found[0])


FORMATS = {"/year": "%04d", "/month": "%04d-%02d", "/day": "%04d-%02d-%02d",
           "/hour": "%04d-%02d-%02dT%02d", "/minute": "%04d-%02d-%02dT%02d:%02d"}


def formatted(local, zone_text, unit):
    parts = fields(local)
    if unit in FORMATS:
        text = FORMATS[unit] % parts[:FORMATS[unit].count("%")]
        return ("string", text + (zone_text if "T" in text else ""))
    fraction = "%09d" % parts[6]
    digits = {"/second": "", "/millisecond": fraction[:3], "/microsecond": fraction[:6],
              "/nanosecond": fraction.rstrip("0")}
    if unit not in digits:
        raise Fails("no unit %s" % unit)
    text = "%04d-%02d-%02dT%02d:%02d:%02d" % parts[:6]
    return ("string", text + ("." + digits[unit] if digits[unit] else "") + zone_text)


def time_format(args):
    return formatted(need("time", args[0]), "Z", need("name", args[1]))


def format_civil(args):
    ns, zone, unit = need("time", args[0]), zone_of(args[1]), need("name", args[2])
    ahead = offset(zone, ns)
    minutes = abs(ahead) // (60 * SECOND)
    text = "%s%02d:%02d" % ("-" if ahead < 0 else "+", minutes // 60, minutes % 60)
    return formatted(ns + ahead, text if ahead else "Z", unit)


def trunc(args):
    ns, unit = need("time", args[0]), need("name", args[1])
    if unit not in TRUNC:
        raise Fails("no unit %s" % unit)
    return instant(ns - ns % TRUNC[unit])


def trunc_civil(args):
    ns, zone, unit = need("time", args[0]), zone_of(args[1]), need("name", args[2])
    local = ns + offset(zone, ns)
    days = local // DAY
    year, month, _ = days_to_civil(days)
    if unit == "/year":
        days = syntax.civil_to_days(year, 1, 1)
    elif unit == "/month":
        days = syntax.civil_to_days(year, month, 1)
    elif unit == "/week":
        days -= (days + 3) % 7  # 1970-01-01 was a Thursday
    elif unit != "/day":
        raise Fails("no unit %s" % unit)
    return from_local(zone, days * DAY)


def field(at):
    return lambda args: number(fields(need("time", args[0]))[at])


# ---- durations and intervals -------------------------------------------------------------------

PIECE = re.compile(r"(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)", re.ASCII)


def parse_duration(args):
    text = need("string", args[0])
    rest = text[1:] if text[:1] in ("+", "-") else text
    if rest == "0":
        return ("duration", 0)
    total, at = 0, 0
    while at < len(rest) or not rest:
        found = PIECE.match(rest, at)
        if not found or not (found.group(1) or found.group(2)):
            raise Fails("%r is no duration" % text)
        digits, unit = found.group(2) or "", syntax.UNITS[found.group(3)]
        total += int(found.group(1) or 0) * unit + int(digits or 0) * unit // 10**len(digits)
        at = found.end()
    if total > MAX64:
        raise Fails("%r is too long" % text)
    return ("duration", -total if text[0] == "-" else total)


def in_units(unit):
    def convert(args):
        ns = need("duration", args[0])
        whole = quotient(ns, unit)
        return floating(float(whole) + float(ns - whole * unit) / float(unit))
    return convert


def from_units(unit):
    def convert(args):
        x = real(args[0]) * float(unit)
        if not -2.0**63 <= x < 2.0**63:
            raise Fails("a duration out of range")
        return ("duration", int(x))
    return convert


def interval_duration(args):
    start, end = all_of("time", need("pair", args[0]))
    if start == MIN64 or end == MAX64:
        raise Fails("an interval without end")
    return ("duration", wrap(end - start))


def add(kind, other):
    return lambda args: (kind, wrap(need(kind, args[0]) + need(other, args[1])))


# name: (arguments or None for any number, what it does with a list of values)
FUNCTIONS = {
    "plus": (None, plus), "minus": (None, minus), "mult": (None, mult), "div": (None, div),
    "mod": (2, mod), "float:plus": (None, float_plus), "float:mult": (None, float_mult),
    "float:div": (None, float_div), "sqrt": (1, sqrt),
    "number:to_string": (1, lambda a: ("string", str(need("number", a[0])))),
    "float64:to_string": (1, lambda a: ("string", float_text(("float64", need("float64", a[0]))))),
    "string:concat": (None, concat), "string:replace": (4, replace),
    "name:to_string": (1, lambda a: ("string", need("name", a[0]))),
    "name:root": (1, lambda a: name_parts(a)[0]), "name:tip": (1, lambda a: name_parts(a)[-1]),
    "name:list": (1, lambda a: ("list", tuple(name_parts(a)))),
    "list": (None, lambda a: ("list", tuple(a))),
    "list:cons": (2, lambda a: ("list", (a[0],) + need("list", a[1]))),
    "list:append": (2, lambda a: ("list", need("list", a[0]) + (a[1],))),
    "list:get": (2, list_get), "list:len": (1, lambda a: number(len(need("list", a[0])))),
    "list:contains": (2, lambda a: truth(a[1] in need("list", a[0]))),
    "pair": (2, tuple_of), "tuple": (None, tuple_of),
    "map": (None, keyed("map")), "map:get": (2, lookup("map")),
    "struct": (None, keyed("struct")), "struct:get": (2, lookup("struct")),
    "time:add": (2, add("time", "duration")),
    "time:sub": (2, lambda a: ("duration", wrap(need("time", a[0]) - need("time", a[1])))),
    "time:year": (1, field(0)), "time:month": (1, field(1)), "time:day": (1, field(2)),
    "time:hour": (1, field(3)), "time:minute": (1, field(4)), "time:second": (1, field(5)),
    "time:from_unix_nanos": (1, lambda a: ("time", need("number", a[0]))),
    "time:to_unix_nanos": (1, lambda a: number(need("time", a[0]))),
    "time:parse_rfc3339": (1, parse_rfc3339), "time:parse_civil": (2, parse_civil),
    "time:format": (2, time_format), "time:format_civil": (3, format_civil),
    "time:trunc": (2, trunc), "time:trunc_civil": (3, trunc_civil),
    "duration:add": (2, add("duration", "duration")),
    "duration:mult": (2, lambda a: ("duration", wrap(need("duration", a[0])
                                                     * need("number", a[1])))),
    "duration:nanos": (1, lambda a: number(need("duration", a[0]))),
    "duration:from_nanos": (1, lambda a: ("duration", need("number", a[0]))),
    "duration:hours": (1, in_units(3600 * SECOND)),
    "duration:minutes": (1, in_units(60 * SECOND)), "duration:seconds": (1, in_units(SECOND)),
    "duration:from_hours": (1, from_units(3600 * SECOND)),
    "duration:from_minutes": (1, from_units(60 * SECOND)),
    "duration:from_seconds": (1, from_units(SECOND)), "duration:parse": (1, parse_duration),
    "interval:start": (1, lambda a: need("pair", a[0])[0]),
    "interval:end": (1, lambda a: need("pair", a[0])[1]),
    "interval:duration": (1, interval_duration),
}


# ---- reducers ----------------------------------------------------------------------------------


def extreme(kind, smallest, empty):
    def pick(values):
        numbers = all_of(kind, values)
        return (kind, (min if smallest else max)(numbers) if numbers else empty)
    return pick


def float_sum(values):
    total = 0.0
    for x in values:
        need("float64", x)
        total += as_float(x)
    return floating(total)


def float_extreme(smallest):
    largest = 1.7976931348623157e308

    def pick(values):
        all_of("float64", values)
        reals = [as_float(v) for v in values]
        if any(x != x for x in reals):
            return floating(float("nan"))
        if not reals:
            return floating(largest if smallest else -largest)
        best = sorted(values, key=order)[0 if smallest else -1]
        return best
    return pick


# applicable to the rows of a group and, outside, to one list (M-AGG-23...28)
OVER_LISTS = {
    "sum": lambda values: number(sum(all_of("number", values))),
    "min": extreme("number", True, MAX64), "max": extreme("number", False, MIN64),
    "float:sum": float_sum, "float:min": float_extreme(True), "float:max": float_extreme(False),
    "duration:sum": lambda values: ("duration", wrap(sum(all_of("duration", values)))),
    "duration:min": extreme("duration", True, MAX64),
    "duration:max": extreme("duration", False, MIN64),
    "time:min": extreme("time", True, MAX64), "time:max": extreme("time", False, MIN64),
}


def average(values):
    total = 0.0
    for x in values:
        total += real(x)
    return floating(total / len(values))


def reducer(name):
    return name in OVER_LISTS or name in ("count", "count_distinct", "avg", "collect", "pick_any",
                                          "collect_distinct", "collect_to_map")


def reduce_rows(name, terms, rows, evaluate):
    """The reducer over the rows of a group; evaluate(term, row) gives a value or Fails."""
    if name in ("count", "count_distinct"):
        return number(len(rows))
    if name in ("collect", "collect_distinct", "collect_to_map"):
        out = []
        for row in rows:
            try:
                out.append([evaluate(t, row) for t in terms])
            except Fails:
                continue  # M-AGG-20
        if name == "collect_to_map":
            return entries("map", reversed([tuple(pair) for pair in out]))  # the first row wins
        elements = []
        for args in out:
            element = tuple_of(args)
            if name == "collect_distinct" and element in elements:
                elements.remove(element)  # the last occurrence stays
            elements.append(element)
        return ("list", tuple(elements))
    found = [evaluate(terms[0], row) for row in rows]
    if name == "pick_any":
        return sorted(found, key=order)[0]
    return average(found) if name == "avg" else OVER_LISTS[name](found)


def apply(name, args, now):
    """fn:name of values."""
    short = name[3:]
    if short == "time:now" and not args:
        return ("time", now)
    if short in OVER_LISTS and len(args) == 1:
        return OVER_LISTS[short](need("list", args[0]))
    if short not in FUNCTIONS or FUNCTIONS[short][0] not in (None, len(args)):
        raise Fails("no function %s of %d" % (name, len(args)))
    return FUNCTIONS[short][1](args)
