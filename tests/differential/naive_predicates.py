"""The built-in predicates of section 13 and 14.8.

A test is a function of values. A matcher gives, for the values at its `+` positions, the tuples of
values for its `-` positions.
"""
from naive_functions import Fails, need
from values import TRUE, wrap

COMPARE = {"lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
           "ge": lambda a, b: a >= b}


def comparison(kind, holds):
    return lambda a, b: holds(need(kind, a), need(kind, b))


def text_comparison(kind, holds):
    return lambda a, b: holds(need(kind, a).encode(), need(kind, b).encode())


def match_prefix(x, prefix):
    need("name", prefix)
    return x[0] == "name" and x[1].startswith(prefix[1] + "/")


def on_strings(holds):
    def test(text, part):
        need("string", part)
        return text[0] == "string" and holds(text[1], part[1])
    return test


def within_distance(x, y, d):
    distance = abs(wrap(need("number", x) - need("number", y)))
    return min(distance, 2**63 - 1) < need("number", d)


def ends(value):
    """start and end of a pair of times or numbers (M-TEMP-89)"""
    pair = need("pair", value)
    if any(v[0] not in ("time", "number") for v in pair):
        raise Fails("no interval")
    return pair[0][1], pair[1][1]


INTERVALS = {
    "before": lambda s1, e1, s2, e2: e1 < s2,
    "after": lambda s1, e1, s2, e2: e2 < s1,
    "meets": lambda s1, e1, s2, e2: e1 == s2,
    "overlaps": lambda s1, e1, s2, e2: s1 <= e2 and s2 <= e1,
    "during": lambda s1, e1, s2, e2: s1 >= s2 and e1 <= e2,
    "contains": lambda s1, e1, s2, e2: s2 >= s1 and e2 <= e1,
    "starts": lambda s1, e1, s2, e2: s1 == s2,
    "finishes": lambda s1, e1, s2, e2: e1 == e2,
    "equals": lambda s1, e1, s2, e2: s1 == s2 and e1 == e2,
}


def on_intervals(holds):
    return lambda a, b: holds(*ends(a), *ends(b))


TESTS = {
    ":match_prefix": match_prefix,
    ":string:starts_with": on_strings(str.startswith),
    ":string:ends_with": on_strings(str.endswith),
    ":string:contains": on_strings(lambda text, part: part in text),
    ":filter": lambda value: value == TRUE,
    ":match_nil": lambda value: value == ("list", ()),
    ":within_distance": within_distance,
}
for _name, _holds in COMPARE.items():
    TESTS[":" + _name] = comparison("number", _holds)
    TESTS[":time:" + _name] = comparison("time", _holds)
    TESTS[":duration:" + _name] = comparison("duration", _holds)
    TESTS[":string:" + _name] = text_comparison("string", _holds)
    TESTS[":name:" + _name] = text_comparison("name", _holds)
for _name, _holds in INTERVALS.items():
    TESTS[":interval:" + _name] = on_intervals(_holds)


def match_pair(value):
    return [value[1]] if value[0] == "pair" else []


def match_cons(value):
    if value[0] != "list" or not value[1]:
        return []
    return [(value[1][0], ("list", value[1][1:]))]


def match_entry(kind):
    def match(value, key):
        if value[0] != kind:
            return []
        return [(v,) for k, v in value[1] if k == key]
    return match


def member(value):
    return [(v,) for v in value[1]] if value[0] == "list" else []


# name: (the `-` positions, from the values of the others to tuples for them)
MATCHERS = {
    ":match_pair": ((1, 2), match_pair),
    ":match_cons": ((1, 2), match_cons),
    ":match_entry": ((2,), match_entry("map")),
    ":match_field": ((2,), match_entry("struct")),
    ":list:member": ((0,), member),
}
