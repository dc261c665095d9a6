"""Results as Markdown and as plots."""
import json
import pathlib

import measure
import plots

BEGIN, END = "<!-- engine: begin -->", "<!-- engine: end -->"


def ratio(value):
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def cell(kept, part="eval"):
    if kept is None:
        return ""
    return {"done": lambda: ratio(kept[part]["ratio"]) if kept[part]["ratio"] else "-", "unwritten": lambda: "-",
            "over": lambda: kept["why"], "failed": lambda: "**wrong**" if kept["why"].startswith("wrong") else "**failed**"
            }[kept["state"]]()


def milliseconds(kept):
    return f"{1000 * kept['eval']['median']:.1f}" if kept and kept["state"] == "done" else cell(kept)


def errors(results):
    """Of ours and the limit: those are defects of this repository. Others are told, and are theirs."""
    return [line for line in failures(results) if line.startswith(("ours", "limit"))]


def failures(results):
    return [f"{peer}: {row['workload']}, {row['size']}: {kept['why']}" for row in results["workloads"]
            for peer, kept in row["peers"].items() if kept["state"] == "failed"]


def means(results, peers, part):
    values = {peer: [row["peers"][peer][part]["ratio"] for row in results["workloads"]
                     if row["peers"].get(peer, {}).get("state") == "done" and row["peers"][peer][part]["ratio"]] for peer in peers}
    return {peer: (measure.geometric_mean(v), len(v)) for peer, v in values.items()}


def table(head, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows])


def beside_peers(results):
    others = [p for p, about in results["peers"].items() if not about["missing"] and p != "ours"]
    rows = [[f"{row['workload']}, {row['size']}", milliseconds(row["peers"].get("ours")),
             *(cell(row["peers"].get(p)) for p in others)] for row in results["workloads"]]
    for part, name in (("eval", "geometric mean"), ("load", "of loading")):
        rows.append([name, "", *(f"{ratio(mean)} ({n})" if mean else "" for mean, n in means(results, others, part).values())])
    heads = [" ".join((p, results["peers"][p]["version"])).strip() for p in others]
    return table(["workload", "ours, ms", *heads], rows)


def growths(results):
    lines = []
    for kind in results.get("growth", []):
        spread = kind.get("exponent")
        lines.append([kind["what"], ", ".join(f"{x:,}: {y:,.0f}" if y >= 100 else f"{x:,}: {y:.3g}" for x, y in kind["points"]), kind["unit"],
                      "-" if spread is None else f"{spread:.2f}"])
    return table(["what grows", "measured", "unit", "exponent of the time"], lines) if lines else ""


def requests(results):
    rows = [[r["what"], f"{r['mean_us']:.1f}", f"{r['p50_us']:.1f}", f"{r['p99_us']:.1f}", f"{r['derived']:.0f}"]
            for r in results.get("requests", [])]
    return table(["requests", "mean, us", "median, us", "99th percentile, us", "facts derived"], rows) if rows else ""


def text(results):
    about = results["machine"]
    parts = [f"{about['processors']} x {about['model']}; commit {results['commit']}; load average {results['load_before']:.2f} before, "
             f"{results['load_after']:.2f} after; medians of {results['rounds']} rounds.",
             "Evaluation, processor time of ours / peer; below 1 ours takes less. \"-\": no program of this peer for it. "
             f"\"over\": the whole run took more than {results['deadline_s']:g} s.", beside_peers(results), requests(results),
             growths(results)]
    skipped = [f"- {peer} is skipped: {a['missing']}" for peer, a in results["peers"].items() if a["missing"]]
    parts += ["\n".join(skipped), "\n".join(f"- {line}" for line in failures(results))]
    return "\n\n".join(p for p in parts if p) + "\n"


def put_into(path, new):
    """Between the marks of a document."""
    old = path.read_text(encoding="utf-8")
    before, rest = old.split(BEGIN)
    path.write_text(f"{before}{BEGIN}\n\n{new}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def draw(results):
    rows = {f"{row['workload']}, {row['size']}": {p: k["eval"]["ratio"] for p, k in row["peers"].items()
                                                 if p != "ours" and k["state"] == "done" and k["eval"]["ratio"]}
            for row in results["workloads"]}
    yield "peers.svg", plots.strips("Evaluation: ours / peer", "processor time of ours / peer; left of 1 ours takes less", rows)
    tuples = {k["what"]: k["points"] for k in results.get("growth", []) if k["unit"] == "ns a tuple"}
    if tuples:
        yield "growth.svg", plots.plot("Time a derived tuple", "tuples derived", "ns a tuple", tuples, log_x=True, low_y=0)


def write(results, root):
    (root / "bench/results.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, drawing in draw(results):
        pathlib.Path(root / "bench/engine" / name).write_text(drawing, encoding="utf-8")
    put_into(root / "docs/performance.md", text(results))
