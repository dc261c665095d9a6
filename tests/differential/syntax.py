"""Mangle text to plain dataclasses and back (sections 1 to 3 of the reference).

    unit = parse(text)            one unit (file); raises SyntaxFailure
    text = show(unit or any part of one)
    fact = parse_fact("p(1)@[_, _].")   a Clause

What a unit consists of is in tree.py, and can be had from here.
"""
import re

import values
from tree import (COMPARISONS, At, Atom, Bound, Call, Clause, Const, Decl, Equation, Let, Literal, Now,
                  Open, Premise, Span, Stage, Term, Unit, Var, Window, show)

__all__ = ["COMPARISONS", "At", "Atom", "Bound", "Call", "Clause", "Const", "Decl", "Equation", "Let",
           "Literal", "Now", "Open", "Premise", "Span", "Stage", "SyntaxFailure", "Term", "Unit",
           "Var", "Window", "bound_instant", "civil_to_days", "local_instant", "parse", "parse_fact",
           "show"]


class SyntaxFailure(Exception):
    pass


# ---- tokens ------------------------------------------------------------------------------------

NAME_REST = r"(?:[A-Za-z0-9:_]|\.[A-Za-z0-9:_])*"
TOKEN = re.compile("|".join("(?P<%s>%s)" % rule for rule in (
    ("space", r"[ \t\r\n\f]+|\#[^\n]*"),
    ("operator", r"(?:<-|<\+|\[-|\[\+)(?=[ \t\r\n\f]*\[)"),
    ("bytes", r"b(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"),
    ("string", r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`"),
    ("timestamp", r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?"),
    ("duration", r"(?:\d+(?:d|h|ms|us|µs|μs|ns|m|s))+"),
    ("float", r"-?(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?"),
    ("number", r"-?\d+"),
    ("constant", r"(?:/[A-Za-z0-9._~%-]+)+"),
    ("dottype", r"\.(?!(?:Package|Use|Decl)\b)[A-Z]" + NAME_REST),
    ("name", r":?[a-z]" + NAME_REST),
    ("variable", r"_|[A-Z]" + NAME_REST),
    ("mark", r":-|⟸|\|>|!=|<=|>=|[()\[\]{},.:!=<>@]"))), re.DOTALL | re.ASCII)
RESERVED = {"temporal", "descr", "inclusion", "now", "opt", "bound", "let", "do", "Package", "Use",
            "Decl"}
AS_NAMES = {"now", "opt", "let", "do", "bound", "descr", "inclusion", "temporal"}  # before `(`


def tokens_of(text):
    out, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise SyntaxFailure("no token at %r" % text[at:at + 20])
        kind, word, at = found.lastgroup, found.group(), found.end()
        if kind == "space":
            continue
        if kind == "name" and word.endswith(":") and text[at:at + 1] == "-":  # foo:-bar
            word, at = word[:-1], at - 1
        if kind == "constant" and word.endswith(".") and (at == len(text) or text[at] in " \t\r\n\f#"):
            word, at = word[:-1], at - 1  # M-LEX-22
        if kind == "variable" and word in RESERVED or kind == "name" and word in RESERVED:
            kind = "word"
        elif kind == "variable" and re.search("[:_.]", word) and word != "_":
            raise SyntaxFailure("%r is no variable" % word)
        out.append((kind, word))
    return out + [("end", "")]


SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "\n": "\n"}
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{4,6})\}|(.))", re.DOTALL)


def unescape(body, is_bytes):
    """The content: a str, or bytes."""
    if not is_bytes:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    out, at = [], 0

    def put(piece):
        out.append(piece.encode() if is_bytes else piece)

    for found in ESCAPE.finditer(body):
        put(body[at:found.start()])
        at = found.end()
        if found.group(1):
            code = int(found.group(1), 16)
            if not is_bytes and code >= 0x80:
                raise SyntaxFailure("\\x of %d in a string" % code)
            out.append(bytes([code]) if is_bytes else chr(code))
        elif found.group(2):
            code = int(found.group(2), 16)
            if code > 0x10FFFF:
                raise SyntaxFailure("\\u of %d" % code)
            put("\ufffd" if 0xD800 <= code < 0xE000 else chr(code))
        elif found.group(3) in SIMPLE_ESCAPES:
            put(SIMPLE_ESCAPES[found.group(3)])
        else:
            raise SyntaxFailure("escape \\%s" % found.group(3))
    put(body[at:])
    return (b"" if is_bytes else "").join(out)


# ---- times in source ---------------------------------------------------------------------------

TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?)?",
    re.ASCII)
MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
UNITS = {"d": 86400 * 10**9, "h": 3600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6,
         "us": 10**3, "µs": 10**3, "μs": 10**3, "ns": 1}


def civil_to_days(year, month, day):
    years = year - (month <= 2)
    era, yoe = divmod(years, 400)
    doy = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468


def local_instant(text):
    """(nanoseconds of the fields read as UTC, zone offset in seconds or None); None: not a time."""
    found = TIMESTAMP.fullmatch(text)
    if not found:
        return None
    year, month, day = (int(found.group(i)) for i in (1, 2, 3))
    hour, minute, second = (int(found.group(i) or 0) for i in (4, 5, 6))
    if not 1 <= month <= 12 or hour > 23 or minute > 59 or second > 59:
        return None
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= MONTH_DAYS[month - 1] + leap:
        return None
    seconds = civil_to_days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
    ns = seconds * 10**9 + int(((found.group(7) or "") + "0" * 9)[:9])
    if found.group(8):
        return ns, 0
    if not found.group(9):
        return ns, None
    hours, minutes = int(found.group(10)), int(found.group(11))
    if hours > 23 or minutes > 59:
        return None
    offset = hours * 3600 + minutes * 60
    return ns, offset if found.group(9) == "+" else -offset


def bound_instant(text):
    found = local_instant(text)
    ns = found and found[0] - (found[1] or 0) * 10**9
    if ns is None or not values.MIN64 <= ns <= values.MAX64:
        raise SyntaxFailure("%s is no instant" % text)
    return At(ns)


def bound_span(text):
    ns = sum(int(n) * UNITS[u] for n, u in re.findall(r"(\d+)(d|h|ms|us|µs|μs|ns|m|s)", text))
    if ns > values.MAX64:
        raise SyntaxFailure("%s is too long" % text)
    return Span(ns)


# ---- the parser --------------------------------------------------------------------------------


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def sees(self, *words):
        return self.peek()[0] in ("mark", "word", "operator") and self.peek()[1] in words

    def skip(self, word):
        if self.sees(word):
            self.at += 1
            return True
        return False

    def need(self, word):
        if not self.skip(word):
            raise SyntaxFailure("expected %r before %r" % (word, self.peek()[1]))

    def many(self, one, close):
        """Items up to the closing mark; a comma may follow the last."""
        out = []
        while not self.skip(close):
            out.append(one())
            if not self.skip(","):
                self.need(close)
                break
        return tuple(out)

    # terms

    def term(self):
        """A Var, Const or Call; an Atom where `NAME(...)` is one."""
        kind, word = self.next()
        if kind == "variable":
            return Var(word)
        if kind == "constant":
            return Const(("name", word))
        if kind == "number":
            if not values.MIN64 <= int(word) <= values.MAX64:
                raise SyntaxFailure("%s does not fit" % word)
            return Const(("number", int(word)))
        if kind == "float":
            if float(word) in (float("inf"), float("-inf")):
                raise SyntaxFailure("%s is infinite" % word)
            return Const(values.floating(float(word)))
        if kind == "string":
            return Const(("string", unescape(word[1:-1], False)))
        if kind == "bytes":
            return Const(("bytes", unescape(word[2:-1], True)))
        if kind == "dottype":
            self.need("<")
            return Call("fn:" + word[1:], sum(self.many(self.member, ">"), ()))
        if kind == "mark" and word == "{":
            return Call("fn:struct", sum(self.many(self.entry, "}"), ()))
        if kind == "mark" and word == "[":
            return self.list_or_map()
        if kind == "name" or word in AS_NAMES and self.sees("("):
            return self.application(word)
        raise SyntaxFailure("unexpected %r" % word)

    def application(self, word):
        called = self.skip("(")
        args = self.many(self.term, ")") if called else ()
        if not word.startswith("fn:"):
            if any(isinstance(a, Atom) for a in args):
                raise SyntaxFailure("an atom as an argument of %s" % word)
            return Atom(word, args)
        if word in ("fn:true", "fn:false") and not args:
            return Const(("name", "/" + word[3:]))
        if not called and word != "fn:time:now":
            raise SyntaxFailure("%s without arguments" % word)
        return Call(word, tuple(self.value_of(a) for a in args))

    @staticmethod
    def value_of(term):
        if isinstance(term, Atom):
            raise SyntaxFailure("the atom %s as a value" % term.pred)
        return term

    def value(self):
        return self.value_of(self.term())

    def entry(self):
        key = self.value()
        self.need(":")
        return (key, self.value())

    def member(self):
        if self.skip("opt"):
            return (Call("fn:opt", self.entry()),)
        first = self.value()
        return (first, self.value()) if self.skip(":") else (first,)

    def list_or_map(self):
        if self.skip("]"):
            return Call("fn:list", ())
        first = self.value()
        if self.skip(":"):
            out = (first, self.value())
            if self.skip(","):
                out += sum(self.many(self.entry, "]"), ())
            else:
                self.need("]")
            return Call("fn:map", out)
        out = (first,)
        if self.skip(","):
            out += self.many(self.value, "]")
        else:
            self.need("]")
        return Call("fn:list", out)

    def atom(self):
        atom = self.term()
        if not isinstance(atom, Atom):
            raise SyntaxFailure("expected an atom")
        return atom

    def atoms(self):
        self.need("[")
        return self.many(self.atom, "]")

    # bounds

    def bound(self, in_window):
        kind, word = self.next()
        if kind == "variable":
            return Open() if word == "_" else Var(word)
        if kind == "word" and word == "now":
            return Now()
        if kind == "timestamp":
            return bound_instant(word)
        if kind == "duration":
            return bound_span(word)
        if kind == "string":
            inner = unescape(word[1:-1], False)
            if inner in ("_", "now"):
                return Open() if inner == "_" else Now()
            found = local_instant(inner)
            if found and found[1] is None and "T" in inner:
                raise SyntaxFailure("%s has no zone" % inner)
            return bound_instant(inner)
        if kind == "number":
            ns = int(word) * 10**6
            if not (0 if in_window else values.MIN64) <= ns <= values.MAX64:
                raise SyntaxFailure("%s is out of range" % word)
            return Span(ns) if in_window else At(ns)
        raise SyntaxFailure("%r is no bound" % word)

    def annotation(self):
        if not self.skip("@"):
            return None
        self.need("[")
        out = (self.bound(False),)
        if self.skip(","):
            out += (self.bound(False),)
        self.need("]")
        return out

    def window(self):
        if self.peek()[0] != "operator":
            return None
        op = self.next()[1]
        self.need("[")
        out = (self.bound(True),)
        if self.skip(","):
            out += (self.bound(True),)
        else:
            out = (Span(0),) + out  # M-SYN-40
        self.need("]")
        return Window(op, out)

    # clauses

    def premise(self):
        negated = self.skip("!")
        window = self.window()
        left = self.term()
        if isinstance(left, Atom):
            return Literal(left, negated, window, self.annotation())
        if window or negated or not self.sees("=", "!=", *COMPARISONS):
            raise SyntaxFailure("a premise that is neither atom nor comparison")
        op = self.next()[1]
        right = self.value()
        if op in COMPARISONS:
            return Literal(Atom(COMPARISONS[op], (left, right)))
        return Equation(op, left, right)

    def let(self):
        self.need("let")
        kind, word = self.next()
        if kind != "variable":
            raise SyntaxFailure("let needs a variable")
        self.need("=")
        return Let(Var(word), self.call())

    def call(self):
        call = self.value()
        if not isinstance(call, Call):
            raise SyntaxFailure("a transform needs a function")
        return call

    def stage(self):
        do = self.call() if self.skip("do") else None
        lets = [] if do else [self.let()]
        while self.skip(","):
            lets.append(self.let())
        return Stage(do, tuple(lets))

    def clause(self):
        head, annotation, body, stages = self.atom(), self.annotation(), None, []
        if self.skip(":-") or self.skip("⟸"):
            body = [self.premise()]
            while self.skip(",") and not self.sees(".", "|>"):
                body.append(self.premise())
            while self.skip("|>"):
                stages.append(self.stage())
        self.need(".")
        return Clause(head, annotation, None if body is None else tuple(body), tuple(stages))

    def decl(self):
        atom, temporal = self.atom(), self.skip("temporal")
        descr = self.atoms() if self.skip("descr") else None
        bounds = []
        while self.skip("bound"):
            self.need("[")
            bounds.append(self.many(self.value, "]"))
        inclusion = self.atoms() if self.skip("inclusion") else ()
        self.need(".")
        return Decl(atom, temporal, descr, tuple(bounds), inclusion)

    def heading(self):
        kind, word = self.next()
        if kind != "name":
            raise SyntaxFailure("expected a package name")
        if self.sees("["):
            self.atoms()
        self.need("!")
        return word

    def unit(self):
        package = self.heading() if self.skip("Package") else None
        uses, decls, clauses = [], [], []
        while self.skip("Use"):
            uses.append(self.heading())
        while self.peek()[0] != "end":
            if self.skip("Decl"):
                decls.append(self.decl())
            else:
                clauses.append(self.clause())
        return Unit(package, tuple(uses), tuple(decls), tuple(clauses))


def parse(text):
    return Parser(text).unit()


def parse_fact(text):
    """One clause; its final dot may be missing."""
    return Parser(text if text.rstrip().endswith(".") else text + " .").clause()
