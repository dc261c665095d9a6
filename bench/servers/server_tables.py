"""Results as Markdown."""
import json

BEGIN, END = "<!-- servers: begin -->", "<!-- servers: end -->"


def table(head, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows])


def head_of(results):
    return [f"{row['transport']}, {row['tools']} tools" for row in results["rows"]]


def line(results, name, server, get):
    cells = []
    for row in results["rows"]:
        kept = row["servers"].get(server)
        cells.append("" if kept is None else get(kept))
    return [name, *cells]


def titled(results, server):
    return f"{server} {results['peers'].get(server, {}).get('version', '')}".strip()


def members(results):
    return [name for name, about in results["peers"].items() if not about["missing"]]


def spent(results, facts):
    rows = [line(results, f"ours: intent ({n} facts) and invoke", f"ours, {n} facts", lambda k: f"{k['both']['median']:.0f}") for n in facts]
    rows.append(line(results, "ours: invoke alone", f"ours, {facts[0]} facts", lambda k: f"{k['call']['median']:.0f}"))
    for name in members(results):
        rows.append(line(results, f"{titled(results, name)}: tools/list and tools/call", name, lambda k: f"{k['both']['median']:.0f}"))
        rows.append(line(results, f"{titled(results, name)}: tools/call alone", name, lambda k: f"{k['call']['median']:.0f}"))
    return table(["processor time of the server, us", *head_of(results)], rows)


def ratios(results, facts):
    rows = []
    for what, title in (("both", "list and call"), ("call", "call alone")):
        for n in facts:
            for name in members(results):
                rows.append(line(results, f"{titled(results, name)}: {title} / ours with {n} facts", name,
                                 lambda k, w=what, f=n: f"{k[w][f'to ours, {f} facts']:.2g}"))
    for name in members(results):
        rows.append(line(results, f"{titled(results, name)}: call alone / invoke alone", name, lambda k: f"{k['call']['to invoke']:.2g}"))
    return table(["peer / ours; above 1 ours takes less", *head_of(results)], rows) if rows else ""


def text(results, facts):
    about = results["machine"]
    parts = [f"{about['processors']} x {about['model']}; commit {results['commit']}; load average {results['load_before']:.2f} before, "
             f"{results['load_after']:.2f} after; medians of {results['rounds']} rounds of {results['requests']} requests.",
             spent(results, facts), ratios(results, facts),
             "\n".join(f"- {name} is skipped: {a['missing']}" for name, a in results["peers"].items() if a["missing"])]
    return "\n\n".join(p for p in parts if p) + "\n"


def write(results, facts, root):
    (root / "bench/servers/results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    path = root / "docs/performance.md"
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    path.write_text(f"{before}{BEGIN}\n\n{text(results, facts)}\n{END}{rest.split(END)[1]}", encoding="utf-8")
