#!/usr/bin/env python3
"""Fit the weights of src/render/tokens.c to the real tokenizer, and write src/render/token_tables.c.

  bench/tokens_fit.py TOKENIZER_FOLDER NAME=FILE... [--write]

TOKENIZER_FOLDER has node_modules with the npm package gpt-tokenizer; this needs numpy and node. NAME is a kind of
text (c, docs, german, ...), of which every other file is fitted to, and the others are measured: a line per
kind with the error of the estimate. Kinds count alike, whatever their size. Nothing of the tokenizer is kept but the
weights: some 2,000 numbers, where its table has 200,000 entries.

The weights are a least-squares fit of tokens a piece on counted features (below), repeated without the pieces that the
floor of one token decides anyway. What the features are, tokens.c says in C: change both together."""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
UNIT = 64
RIDGE = 3.0
ROUNDS = 5
SUFFIX = re.compile(r"'(s|t|re|ve|m|ll|d)$", re.I)
MARKS = [chr(c) for c in range(33, 127) if not chr(c).isalnum()]
MARK = {c: i for i, c in enumerate(MARKS)}
SCRIPTS = [(0, 0x250), (0x370, 0x400), (0x400, 0x530), (0x590, 0x600), (0x600, 0x780), (0x900, 0xE00),
           (0xE00, 0xE80), (0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7B0)]
COUNT = r"""
const fs = require('fs');
const { encode } = require(require.resolve('gpt-tokenizer/encoding/o200k_base', { paths: [process.argv[2]] }));
const tail = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?";
const pieces = new RegExp([
    '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+' + tail,
    '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*' + tail,
    '\\p{N}{1,3}', ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*', '\\s*[\\r\\n]+', '\\s+(?!\\S)', '\\s+'].join('|'), 'gu');
const known = new Map();
const out = {};
for (const [name, files] of Object.entries(JSON.parse(fs.readFileSync(process.argv[3], 'utf8')))) {
    const seen = new Map();
    for (const file of files)
        for (const p of fs.readFileSync(file, 'utf8').match(pieces) || []) seen.set(p, (seen.get(p) || 0) + 1);
    out[name] = [...seen].map(([p, n]) => {
        if (!known.has(p)) known.set(p, encode(p, { allowedSpecial: 'all' }).length);
        return [p, n, known.get(p)];
    });
}
process.stdout.write(JSON.stringify(out));
"""


def count(folder, kinds):
    """{kind: [[piece, how often, its tokens]]}"""
    with tempfile.TemporaryDirectory() as place:
        script, files = pathlib.Path(place, "count.cjs"), pathlib.Path(place, "files.json")
        script.write_text(COUNT)
        files.write_text(json.dumps(kinds))
        return json.loads(subprocess.run(["node", script, folder, files], check=True, capture_output=True).stdout)


def names():
    yield from (("letters", a, b) for a in range(27) for b in range(27))
    yield from (("marks", a, b) for a in range(33) for b in range(33))
    yield from (("before", k) for k in range(34))
    yield from (("case", k) for k in range(5))
    yield from (("length", k) for k in range(16))
    yield from (("script", s, k) for s in range(12) for k in range(3))
    yield from (("rest", k) for k in range(6))  # suffix, blank, newline, other, marks, repeated


FEATURE = {name: i for i, name in enumerate(names())}


def script_of(c):
    if 0x1E00 <= c < 0x2000:
        return 0 if c < 0x1F00 else 1
    return next((i for i, (a, b) in enumerate(SCRIPTS) if a <= c < b), 11 if c >= 0x20000 else 10)


def word_features(piece, add):
    before = 0
    if not piece[0].isalpha() and unicodedata.category(piece[0])[0] != "M":
        before = 1 if piece[0] == " " else MARK[piece[0]] + 2 if piece[0] in MARK else 33
        piece = piece[1:]
    add(("before", before))
    found = SUFFIX.search(piece)
    if found:
        add(("rest", 0))
        piece = piece[:found.start()]
    last, upper, lower, scripts = 0, 0, 0, collections.Counter()
    for c in piece:
        small = ord(c.lower()) - 96 if c.isascii() and c.isalpha() else 0
        if small:
            upper += c != c.lower()
            lower += c == c.lower()
            add(("letters", last, small))
        else:
            scripts[script_of(ord(c))] += 1
        last = small
    for s, n in scripts.items():
        add(("script", s, 0))
        add(("script", s, 1), min(n, 3))
        add(("script", s, 2), max(0, n - 3))
    if upper and not lower:
        add(("case", 3))
        add(("case", 4), upper)
    elif upper:
        add(("case", 2 if upper > 1 else 1 if before == 1 else 0))
    add(("length", min(upper + lower, 15)))


def mark_features(piece, add):
    add(("rest", 4))
    if piece[0] == " ":
        add(("rest", 1))
        piece = piece[1:]
    last, run = 0, 0
    for c in piece:
        if c in "\r\n":
            add(("rest", 2))
            continue
        mark = MARK[c] + 1 if c in MARK else 0
        run = run + 1 if mark == last else 1
        add(("rest", 3) if not mark else ("rest", 5) if run > 2 else ("marks", last, mark))
        last = mark


def features(piece):
    """{feature: how often}; empty: it is one token by its kind"""
    found = collections.Counter()

    def add(name, times=1):
        found[FEATURE[name]] += times

    if any(c.isalpha() for c in piece):
        word_features(piece, add)
    elif piece.strip() and not piece.isnumeric():
        mark_features(piece, add)
    return found


def fit(kinds):
    rows, tokens, weights = [], [], []
    for pieces in kinds.values():
        scale = 20000 / max(1, sum(n for _, n, _ in pieces))
        for piece, n, truth in pieces:
            row = features(piece)
            if row:
                rows.append(row)
                tokens.append(truth)
                weights.append(min(n, 300) * scale)
    y, w = numpy.array(tokens, float), numpy.array(weights)
    active = numpy.ones(len(rows), bool)
    for _ in range(ROUNDS):
        a, b = numpy.eye(len(FEATURE)) * RIDGE, numpy.zeros(len(FEATURE))
        chosen = numpy.flatnonzero(active)
        for start in range(0, len(chosen), 4000):
            part = chosen[start:start + 4000]
            m = numpy.zeros((len(part), len(FEATURE)))
            for i, row in enumerate(part):
                m[i, list(rows[row])] = list(rows[row].values())
            a += (m * w[part][:, None]).T @ m
            b += (m * w[part][:, None]).T @ y[part]
        theta = numpy.linalg.solve(a, b)
        told = numpy.array([sum(theta[k] * v for k, v in row.items()) for row in rows])
        active = ~((told < 1) & (y <= 1))
    return numpy.clip(numpy.round(theta * UNIT), -127, 127).astype(int)


def measure(theta, kinds):
    for name, pieces in kinds.items():
        truth = sum(n * tokens for _, n, tokens in pieces)
        told = sum(n * max(UNIT, sum(int(theta[k]) * v for k, v in features(p).items())) for p, n, _ in pieces)
        print(f"{name:12} {truth:8} tokens  {(told / UNIT / max(1, truth) - 1) * 100:+.1f} %")


def write(theta):
    """Put the weights into token_tables.c; the classes of characters there stay."""
    path = ROOT / "src/render/token_tables.c"
    text = path.read_text()

    def rows(kind, *sizes):
        if len(sizes) == 1:
            return "{ " + ", ".join(str(theta[FEATURE[(kind, i)]]) for i in range(sizes[0])) + " }"
        return "{\n" + ",\n".join("{ " + ", ".join(str(theta[FEATURE[(kind, a, b)]]) for b in range(sizes[1])) + " }"
                                  for a in range(sizes[0])) + "\n}"

    for table, body in (("letters[27][27]", rows("letters", 27, 27)), ("marks[33][33]", rows("marks", 33, 33)),
                        ("before[34]", rows("before", 34)), ("case[5]", rows("case", 5)),
                        ("length[16]", rows("length", 16)), ("scripts[12][3]", rows("script", 12, 3)),
                        ("rest[TOKEN_RESTS]", rows("rest", 6))):
        head = r"\s*".join(map(re.escape, re.findall(r"\w+|\W", f"mgi_token_{table}="))) + r"\s*"
        text, found = re.subn(head + r"\{.*?\};", lambda m: f"mgi_token_{table} = {body};", text, flags=re.S)
        assert found == 1, table
    path.write_text(text)
    subprocess.run(["clang-format", "-i", path], check=True)


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    if len(words) < 2:
        sys.exit(__doc__)
    kinds = collections.defaultdict(list)
    for word in words[1:]:
        name, _, file = word.partition("=")
        kinds[name].append(file)
    halves = [{name: sorted(files)[i::2] for name, files in kinds.items()} for i in (0, 1)]
    theta = fit(count(words[0], halves[0]))
    measure(theta, count(words[0], halves[1]))
    if "--write" in sys.argv:
        write(theta)


if __name__ == "__main__":
    main()
