"""What random programs are made of: constants, functions and predicates by sort of value.

A sort is a letter: n number, f float, s string, b bytes, a name, t time, d duration, l list of
numbers, p pair of number and name, i pair of times, m map from names to numbers, r struct, x anything.
In an argument list an upper-case letter means "n or f" (N), a unit of time (U), a calendar unit (C),
a zone (Z), a number that is not 0 (K), a small index (I), a key (/a) of the maps (A).
"""
EPOCH_TEXT = "2024-06-10T12:%02d:00Z"  # minute 30 is the evaluation time
NOW = 1718020800 * 10**9 + 30 * 60 * 10**9

ZONES = ['"UTC"', '""', '"Europe/Berlin"', '"America/New_York"', '"Asia/Kolkata"']
CONSTANTS = {
    "n": ["0", "1", "2", "3", "4", "5", "-1", "-2"],
    "f": ["0.5", "-1.5", "1.0", "2.0", "0.25", "1.0e3"],
    "s": ['"a"', '"ab"', '"b"', "'it\\'s'", '""', '"a-b"', '"\\u{00e9}"', "`x\\n`"],
    "b": ['b"a"', 'b"\\xff\\x00"', "b''"],
    "a": ["/a", "/b", "/a/b", "/c/d", "/ab", "/true"],
    "t": ['fn:time:parse_rfc3339("%s")' % (EPOCH_TEXT % m) for m in (27, 29, 30, 31, 33)]
    + ['fn:time:parse_rfc3339("2023-10-29T01:15:30.25+01:00")'],
    "d": ['fn:duration:parse("%s")' % t for t in ("90s", "1m", "-1.5h", "1ms", "0")]
    + ["fn:duration:from_nanos(60000000000)"],
    "l": ["[]", "[1]", "[1, 2]", "[2, 1, 2]", "[-1, 3]", "[0]"],
    "p": ["fn:pair(1, /a)", "fn:pair(2, /b)", "fn:tuple(1, /b)"],
    "i": ['fn:pair(fn:time:parse_rfc3339("%s"), fn:time:parse_rfc3339("%s"))'
          % (EPOCH_TEXT % a, EPOCH_TEXT % b) for a, b in ((26, 28), (28, 31), (30, 30), (26, 31))],
    "m": ["[/a : 1]", "[/a : 2, /b : 1]", "fn:map()", "[/b : 3, /a : 1, /b : 0]"],
    "r": ["{/k : 1, /tag : /a}", "{/k : 2, /tag : /b}", "{/tag : /a, /k : 1}", "{}"],
    "U": ["/day", "/hour", "/minute", "/second", "/millisecond"],
    "C": ["/year", "/month", "/week", "/day"],
    "Z": ZONES,
    "K": ["1", "2", "-3"],
    "I": ["0", "1"],
    "A": ["/a", "/b"],
}
WILD = {  # seldom
    "n": ["9223372036854775807", "-9223372036854775808", "7"],
    "f": ["-0.0", "100000000000000000000.0", "2.5e-7", "0.0"],
    "s": ['"\\x00"', '"\\"q\\""', '"/a"', '"1"', "'\\t'"],
    "a": ["/x.y", "/a/b/c"],
    "l": ['["a"]', "[[1], []]", "[1.0]"],
}
ALL_SORTS = "nfsbatdlpimr"

# result sort: (function, argument sorts, may it fail on values of these sorts?)
FUNCTIONS = {
    "n": [("plus", "nn", 0), ("plus", "nnn", 0), ("minus", "nn", 0), ("minus", "n", 0),
          ("mult", "nn", 0), ("div", "nK", 0), ("mod", "nK", 0), ("div", "nn", 1),
          ("div", "n", 1), ("mod", "nn", 1), ("list:len", "l", 0), ("list:get", "lI", 1),
          ("map:get", "mA", 1), ("sum", "l", 0), ("max", "l", 0), ("min", "l", 0),
          ("time:year", "t", 0), ("time:month", "t", 0), ("time:day", "t", 0),
          ("time:hour", "t", 0), ("time:minute", "t", 0), ("time:second", "t", 0),
          ("time:to_unix_nanos", "t", 0), ("duration:nanos", "d", 0)],
    "f": [("float:plus", "NN", 0), ("float:mult", "NN", 0), ("float:div", "NK", 0),
          ("float:div", "NN", 1), ("float:div", "N", 1), ("sqrt", "N", 1), ("duration:hours", "d", 0),
          ("duration:minutes", "d", 0), ("duration:seconds", "d", 0)],
    "s": [("number:to_string", "n", 0), ("float64:to_string", "f", 0), ("string:concat", "ss", 0),
          ("string:concat", "asn", 0), ("string:concat", "f", 0), ("string:replace", "sssI", 0),
          ("string:replace", "sssK", 0), ("name:to_string", "a", 0), ("time:format", "tU", 0),
          ("time:format", "tC", 1), ("time:format_civil", "tZU", 0)],
    "a": [("name:root", "a", 0), ("name:tip", "a", 0), ("list:contains", "ln", 0),
          ("struct:get", "rT", 1)],
    "t": [("time:add", "td", 0), ("time:trunc", "tU", 0), ("time:trunc_civil", "tZC", 0),
          ("time:now", "", 0), ("time:from_unix_nanos", "n", 0), ("interval:start", "i", 0),
          ("interval:end", "i", 0), ("time:parse_rfc3339", "s", 1),
          ("time:parse_civil", "QZ", 0)],
    "d": [("time:sub", "tt", 0), ("duration:add", "dd", 0), ("duration:mult", "dn", 0),
          ("duration:from_nanos", "n", 0), ("duration:from_seconds", "K", 0),
          ("duration:from_minutes", "f", 1), ("duration:from_hours", "K", 0),
          ("interval:duration", "i", 1), ("duration:parse", "s", 1)],
    "l": [("list", "nn", 0), ("list", "n", 0), ("list:cons", "nl", 0), ("list:append", "ln", 0)],
    "p": [("pair", "na", 0), ("tuple", "na", 0)],
    "i": [("pair", "tt", 0)],
    "m": [("map", "an", 0), ("map", "anan", 0)],
    "r": [("struct", "YnTa", 0)],
    "x": [("name:list", "a", 0), ("pair", "xx", 0), ("list", "xx", 0), ("tuple", "xxx", 0)],
}
CONSTANTS["T"] = ["/tag"]
CONSTANTS["Y"] = ["/k"]
CONSTANTS["Q"] = ['"2024-03-31T02:30:00"', '"2024-10-27T02:30:00"', '"2024-06-10T12:30:00.5"']

# predicate, sorts of the inputs, sorts of the outputs and where they stand ("+" input, "-" output)
MATCHERS = [(":match_pair", "p", "na", "+--"), (":match_pair", "i", "tt", "+--"),
            (":match_cons", "l", "nl", "+--"), (":match_entry", "mA", "n", "++-"),
            (":match_field", "rY", "n", "++-"), (":match_field", "rT", "a", "++-"),
            (":list:member", "l", "n", "-+"), (":list:member", "l", "n", "-+")]
TESTS = [(":match_nil", "l"), (":match_prefix", "aP"), (":string:starts_with", "ss"),
         (":string:ends_with", "ss"), (":string:contains", "ss"), (":within_distance", "nnK"),
         (":lt", "nn"), (":ge", "nn"), (":match_prefix", "nP"), (":filter", "a"), (":string:contains", "as")] \
    + [(":time:" + c, "tt") for c in ("lt", "le", "gt", "ge")] \
    + [(":duration:" + c, "dd") for c in ("lt", "le", "gt", "ge")] \
    + [(":interval:" + c, "ii") for c in ("before", "after", "meets", "overlaps", "during",
                                          "contains", "starts", "finishes", "equals")]
CONSTANTS["P"] = ["/a", "/c", "/b"]

# reducer, sorts of its arguments, sort of its result
REDUCERS = [("count", "", "n"), ("count_distinct", "", "n"), ("sum", "n", "n"), ("min", "n", "n"),
            ("max", "n", "n"), ("avg", "N", "f"), ("float:sum", "f", "f"), ("float:min", "f", "f"),
            ("float:max", "f", "f"), ("duration:sum", "d", "d"), ("duration:min", "d", "d"),
            ("duration:max", "d", "d"), ("time:min", "t", "t"), ("time:max", "t", "t"),
            ("collect", "n", "l"), ("collect", "x", "x"), ("collect", "xx", "x"),
            ("collect_distinct", "n", "l"), ("collect_distinct", "xx", "x"),
            ("collect_to_map", "an", "m"), ("collect_to_map", "xx", "x"), ("pick_any", "x", "x")]

# refused by the Go implementation, or meant differently there: used in some programs only
BEYOND = ["[-1, 3]", "[/b : 3, /a : 1, /b : 0]", "`x\\n`", "map:get", "1m30s",
          "count_distinct", "pick_any"]
