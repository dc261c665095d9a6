"""The results as the tables and plots of bench/README.md."""
BEGIN, END = "<!-- tokens: begin -->", "<!-- tokens: end -->"
GATED, BOTH = "ours, with an author's gates", "ours, with gates and an embedding"
OURS = ("ours, as imported", "ours, with an embedding", GATED, BOTH)
DRAWN = (GATED, BOTH)


def percent(share, interval=True):
    """99.1 % (97.0-99.8); of nothing a dash."""
    if share is None:
        return "-"
    value, low, high = (100 * part for part in share)
    return f"{value:.1f}" + (f" ({low:.0f}-{high:.0f})" if interval else "")


def number(value):
    return f"{value:,.0f}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] +
                     ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def of_ways(result, split):
    rows = []
    for name, by_split in result["ways"].items():
        f = by_split[split]
        rows.append((name, number(f["tokens"]), number(f["total"]), number(f["p95"]), f"{f['tools']:.1f}",
                     percent(f["once"]), percent(f["ever"]), percent(f["ready"]), f"{f['opens']:.2f}",
                     percent(f["destructive"]), percent(f["wrong"])))
    return table(("way", "tokens at once", "with what a miss costs", "p95", "tools at once", "all needed at once, %", "after one more, %",
                  "within 1,500 tokens, %", "calls more", "destructive offered, %", "wrong target offered, %"), rows)


def of_splits(result):
    rows = []
    for name in OURS:
        for split, f in result["ways"].get(name, {}).items():
            rows.append((name, split, f["steps"], number(f["tokens"]), number(f["total"]), number(f["p95"]), percent(f["once"]),
                         percent(f["ever"]), percent(f["ready"]), percent(f["destructive"]), percent(f["by_state"]),
                         percent(f["wrong"])))
    return table(("", "tasks", "steps", "tokens at once", "with opens", "p95", "at once, %", "after one open, %", "within 1,500, %",
                  "destructive offered, %", "of these by state, %", "wrong target, %"), rows)


def of_tiers(result):
    rows = []
    for name in OURS:
        for split in ("sealed", "given", "all"):
            for tier, f in sorted(result["ways"].get(name, {}).get(split, {}).get("tiers", {}).items()):
                rows.append((name, split, tier, f["offered"], percent(f["precision"]), percent(f["precision_helps"])))
    return table(("", "tasks", "tier", "offered", "needed, %", "needed or helpful, %"), rows)


def of_kinds(result):
    rows = []
    for name in OURS:
        for kind, f in result["kinds"].get(name, {}).items():
            rows.append((name, kind, f["steps"], number(f["total"]), percent(f["once"]), percent(f["ready"]),
                         percent(f["destructive"]), percent(f["quiet"])))
    return table(("", "category", "steps", "tokens", "at once, %", "within 1,500, %", "destructive, %", "nothing offered, %"), rows)


def of_talks(result, split):
    rows = []
    for turns, ways in result["talks"][split].items():
        for name, f in ways.items():
            least = ways["static, condensed"]
            rows.append((turns, name, number(f["context"]), number(f["sent"]), number(f["plain"]), number(f["cached"]),
                         *(f"{100 * (1 - f[key] / least[key]):.0f}" for key in ("sent", "plain", "cached"))))
    return table(("turns", "way", "in the context at the end", "sent, every turn's own", "read by all calls", "with a cache's prices",
                  "under the condensed list, %: sent", "read", "with a cache"), rows)


def of_aims(result):
    """What was aimed at, on sealed tasks with an author's gates, and what is so."""
    names = [name for name in DRAWN if name in result["ways"]]
    of = [result["ways"][name]["sealed"] for name in names]
    rows = [("all needed tools callable within 1,500 tokens and at most one open, % of steps", "99", *(percent(f["ready"]) for f in of)),
            ("tokens of a step, with what is opened", "at most 700", *(number(f["total"]) for f in of)),
            ("all needed tools callable at once, % of steps", "80", *(percent(f["once"]) for f in of)),
            ("steps in which a destructive tool is offered that what holds forbids, %", "0", *(percent(f["by_state"]) for f in of)),
            ("precision of the proved tier, %", "90", *(percent(f["tiers"].get("proved", {}).get("precision")) for f in of))]
    if "talks" in result:
        ways = result["talks"]["sealed"][max(result["talks"]["sealed"], key=int)]
        least = ways["static, condensed"]
        for way in ("one work", "a work a task", "old tasks cleared"):
            rows.append((f"20 turns, {way}: under the condensed list, %: sent; read by all calls; with a cache", "90",
                         *("; ".join(f"{100 * (1 - ways[f'{name}, {way}'][key] / least[key]):.0f}"
                                     for key in ("sent", "plain", "cached")) for name in names)))
    return table(("aim", "", *(name.removeprefix("ours, ") for name in names)), rows)


def measured(result):
    return [f for f in result["sizes"] if "why" not in f]


def of_sizes(result):
    rows = [(f["tools"], f["servers"], number(f["verbatim"]), number(f["condensed"]), number(f["bare"]), number(f["fixed"]),
             number(f["ours"]["tokens"]), number(f["ours"]["total"]), percent(f["ours"]["once"]), percent(f["ours"]["ready"]),
             percent(f["bm25"]["once"]), f"{f['ms']:.1f}", f["failures"]) for f in measured(result)]
    return table(("tools", "servers", "verbatim", "condensed", "without descriptions", "ours: in front", "ours: a step", "with opens",
                  "at once, %", "within 1,500, %", "BM25, k = 10: at once, %", "ms an intent", "failed"), rows) + "".join(
                      f"\n\n{f['tools']} tools: not measured, {f['why']}" for f in result["sizes"] if "why" in f)


def break_even(result, what):
    """The number of tools from which on a list costs more than ours in front and for a step; None: never less."""
    points = sorted((f["tools"], f[what] - f["fixed"] - f["ours"]["total"]) for f in measured(result))
    smallest = min(measured(result), key=lambda f: f["tools"])
    points.insert(0, (0, -smallest["fixed"] - smallest["ours"]["total"]))  # no tools cost nothing
    for (few, under), (many, over) in zip(points, points[1:]):
        if under < 0 <= over:
            return few + (many - few) * -under / (over - under)
    return None


def text(result):
    parts = [f"{result['tools']} tools of {16 - len(result['failed'])} servers; steps left out because a server does not start: "
             f"{result['out_of_reach']}." + "".join(f" {name}: {why}." for name, why in result["failed"].items())]
    if result["no_embedding"]:
        parts.append(f"No row of an embedding: {result['no_embedding']}.")
    if GATED in result["ways"]:
        parts += ["### What was aimed at", of_aims(result)]
    for split, title in (("sealed", "Sealed tasks (written before the rules)"), ("given", "Given tasks")):
        parts += [f"### {title}: {result['ways']['static, condensed'][split]['steps']} steps", of_ways(result, split)]
    parts += ["### Ours, by tasks", of_splits(result), "### Ours, by tier", of_tiers(result), "### Ours, by category, all tasks",
              of_kinds(result)]
    parts.append("In front of all stands the bridge's surface, " + "; ".join(
        f"{name}: {number(told['fixed'])} tokens; a step makes the model write {number(told['written'])}; an intent takes "
        f"{told['ms']:.1f} ms" + (f", in {told['by_words']} the model was late" if told.get("by_words") else "") for name, told in result["told"].items()) + ".")
    if "talks" in result:
        for split in result["talks"]:
            parts += [f"### Conversations of {split} tasks", of_talks(result, split)]
    if "sizes" in result:
        parts += ["### Catalogues of other sizes, sealed tasks", of_sizes(result)]
        for what, name in (("verbatim", "verbatim"), ("condensed", "condensed"), ("bare", "without descriptions")):
            found = break_even(result, what)
            parts.append(f"One step costs less than the list {name} from " +
                         (f"about {found:,.0f} tools on." if found else "no size on that was measured."))
    return "\n\n".join(parts) + "\n"


def put_into(file, what):
    whole = file.read_text(encoding="utf-8")
    if BEGIN not in whole:
        raise SystemExit(f"{file} has no line {BEGIN}")
    before, rest = whole.split(BEGIN, 1)
    file.write_text(before + BEGIN + "\n\n" + what + "\n" + END + rest.split(END, 1)[1], encoding="utf-8")


def drawings(result, plot):
    """{file: SVG}"""
    ways = {name: by_split["sealed"] for name, by_split in result["ways"].items()}
    groups = {}
    for name, f in ways.items():
        group = name if name.startswith(("static", "ours")) else name.split(",")[0] + (", verbatim" if "verbatim" in name else "")
        groups.setdefault(group, []).append((f["tokens"], 100 * f["once"][0]))
    made = {"recall.svg": plot("All needed tools callable at once, sealed tasks", "tokens shown at once", "% of steps", groups,
                               log_x=True, low_y=40, high_y=100)}
    if "sizes" in result:
        lines = {name: [(f["tools"], f[key]) for f in measured(result)] for name, key in
                 (("static, verbatim", "verbatim"), ("static, condensed", "condensed"), ("without descriptions", "bare"))}
        lines["ours, in front and a step"] = [(f["tools"], f["fixed"] + f["ours"]["total"]) for f in measured(result)]
        lines["BM25, k = 10"] = [(f["tools"], f["bm25"]["total"]) for f in measured(result)]
        made["growth.svg"] = plot("What one step costs, by the size of the catalogue", "tools", "tokens", lines, True, True)
    if "talks" in result:
        for split, talks in result["talks"].items():
            lines = {name: [(int(turns), ways[name]["cached"]) for turns, ways in talks.items()]
                     for name in next(iter(talks.values())) if "verbatim" not in name and not name.startswith(OURS[:2])}
            made[f"talks-{split}.svg"] = plot(f"A conversation with a cache's prices, {split} tasks", "turns", "input tokens", lines)
    return made
