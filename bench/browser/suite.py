#!/usr/bin/env python3
"""What it costs a model to diagnose ten pages in one session: ours beside the browser servers that agents use now.

    suite.py [--build DIR] [--domain DIR] [--bed DIR] [--only NAME] [--save FILE] [--write]

Ten pages of the test bed (tests/browser/bed), the same Chromium, the same person's steps. What is counted is what a model
reads and writes: the list of tools and the server's instructions once, each call, each answer; and the round trips. How a
competent agent goes about it with each is fixed in peers.py. Tokens are o200k, by the tokenizer itself. --write puts the
tables into README.md beside this file.
"""
import argparse
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "tokens"), str(HERE.parent / "engine")]

import peers  # noqa: E402
import tokens  # noqa: E402

TASKS = ("shop-token", "shop-region", "editor-late", "chat-history", "account-invoices", "account-csrf", "dashboard-flags", "dashboard-metrics",
         "shop-nothing-found", "account-signed-in")
BEGIN, END = "<!-- written by suite.py -->", "<!-- end of what suite.py wrote -->"


def cache():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "manglecp-bench" / "browser"


def tasks(pages):
    """The pages, and what of `expected` a perfect agent would look at."""
    made = []
    for name in TASKS:
        page = pages.BY_ID[name]
        cause = page.expect.get("cause", {})
        made.append((page, {"id": name, "steps": page.steps, "cause": cause[0] if isinstance(cause, list) else cause}))
    return made


def held(peer, bed, chosen, folder, browser, count):
    """One session over all pages: what it cost, page by page."""
    talk = peer.talk(folder, browser)
    figures = {"name": peer.name, "version": peer.version, "list": count(talk.fixed), "tools": len(talk.tools), "pages": [], "lost": []}
    try:
        for page, task in chosen:
            mark, begun = len(talk.read), time.monotonic()
            try:
                peer.kind.visit(talk, bed.url(page), task)
            except RuntimeError as why:
                talk.failed.append(f"{task['id']}: {why}")
            trips, texts = talk.since(mark)
            figures["pages"].append({"id": task["id"], "trips": trips, "tokens": sum(map(count, texts)), "seconds": round(time.monotonic() - begun, 1),
                                     "said": talk.read[-1] if talk.read else ""})
            if talk.failed:
                figures["lost"] += talk.failed
                if any("no answer" in one for one in talk.failed):  # it hangs; another one goes on, and its list is not counted again
                    talk.close()
                    talk = peer.talk(folder, browser)
                talk.failed = []
    finally:
        talk.close()
    figures["trips"] = sum(page["trips"] for page in figures["pages"])
    figures["tokens"] = figures["list"] + sum(page["tokens"] for page in figures["pages"])
    return figures


def tables(all_figures):
    """Markdown: the sums, and page by page."""
    lines = ["| server | tools | list, once | pages | of all ten | round trips |", "|---|---|---|---|---|---|"]
    for f in all_figures:
        lines.append(f"| {f['name']} {f['version']} | {f['tools']} | {f['list']:,} | {f['tokens'] - f['list']:,} | {f['tokens']:,} | {f['trips']} |"
                     if "pages" in f else f"| {f['name']} | skipped: {f['missing']} | | | | |")
    there = [f for f in all_figures if "pages" in f]
    ours, others = [f for f in there if f["name"] == peers.Ours.name], [f for f in there if f["name"] != peers.Ours.name]
    if ours and others:
        better = min(f["tokens"] for f in others), min(f["trips"] for f in others)
        lines += ["", f"Ours of the better one: {ours[0]['tokens'] / better[0]:.2f} of the tokens (aim: a third), {ours[0]['trips'] / better[1]:.2f} of the round trips (aim: half)."]
    lines += ["", "| page | " + " | ".join(f["name"] for f in there) + " |", "|---|" + "---|" * len(there)]
    for i, name in enumerate(TASKS):
        lines.append(f"| {name} | " + " | ".join(f"{f['pages'][i]['tokens']:,} in {f['pages'][i]['trips']}" for f in there) + " |")
    for f in there:
        lines += [f"\n{f['name']}, calls that failed: " + "; ".join(one.replace("\n", " ")[:160] for one in f["lost"]) + "."] if f["lost"] else []
    return "\n".join(lines)


def main():
    said = argparse.ArgumentParser()
    said.add_argument("--build", default=os.environ.get("BUILD_DIR", ROOT / "build"))
    said.add_argument("--domain", default=ROOT / "domains/browser")
    said.add_argument("--bed", default=ROOT / "tests/browser/bed")
    said.add_argument("--only", default="")
    said.add_argument("--save")
    said.add_argument("--write", action="store_true")
    options = said.parse_args()
    sys.path.insert(0, str(options.bed))
    import pages
    import server
    browser, program = peers.chromium(), pathlib.Path(options.build).resolve() / "bin/manglecp"
    if not browser:
        print("browser: skipped, there is no Chromium here")
        return
    folder, results = cache(), []
    known = peers.every(folder)
    if all(peer.missing for peer in known):
        print(f"browser: skipped, {known[0].missing}")
        return
    count = tokens.Counter(folder / "node_modules")
    with server.Bed() as bed:
        chosen = tasks(pages)
        us = peers.Us(program, options.domain, bed.url(chosen[0][0]), bed.main.other_url.partition("//")[2])
        for peer in [us, *known]:
            if options.only and options.only not in peer.name:
                continue
            results.append({"name": peer.name, "missing": peer.missing} if peer.missing else held(peer, bed, chosen, folder, browser, count))
            print(f"browser/{peer.name}: " + (f"skipped, {peer.missing}" if peer.missing else f"{results[-1]['tokens']} tokens ({results[-1]['list']} of them the list) in {results[-1]['trips']} round trips"), flush=True)
    count.close()
    text = tables(results)
    print("\n" + text)
    if options.save:
        pathlib.Path(options.save).write_text(json.dumps(results, indent=1) + "\n")
    if options.write:
        readme = HERE / "README.md"
        before, _, rest = readme.read_text().partition(BEGIN)
        readme.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()
