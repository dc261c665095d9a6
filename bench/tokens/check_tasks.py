#!/usr/bin/env python3
"""check_tasks.py TOOLS TASKS...: every task is well formed and every tool it names exists. TOOLS has a name
`server/tool` a line. All problems are printed, one a line; the exit status is 1 where there is any."""
import json
import sys

CATEGORIES = {"easy", "ambiguous", "chain", "none"}
CLASSES = {"destructive", "wrong_target"}
REASONS = {"state", "request"}


def faults_of_step(step, servers, tools):
    """What is wrong in one step, as sentences."""
    for key in ("request", "intent", "facts", "needed", "harmful", "ok", "harm_class"):
        if key not in step:
            yield f"{key} is missing"
            return
    for fact in step["facts"]:
        if set(fact) != {"p", "a"} or not fact["p"] or not all(isinstance(a, (str, int)) for a in fact["a"]):
            yield f"a fact is not {{p, a}}: {fact}"
    needed = {tool for group in step["needed"] for tool in group}
    if any(not group for group in step["needed"]):
        yield "a needed group is empty"
    for tool in sorted(needed | set(step["harmful"]) | set(step["ok"]) | set(step["harm_class"])):
        if tool not in tools:
            yield f"{tool} does not exist"
        elif tool.split("/")[0] not in servers:
            yield f"the server of {tool} is not connected"
    if set(step["harm_class"]) != set(step["harmful"]):
        yield "harm_class does not name what harmful names"
    if not set(step["harm_class"].values()) <= CLASSES:
        yield f"harm_class is not of {sorted(CLASSES)}"
    if not set(step.get("harm_by", {}).values()) <= REASONS:
        yield f"harm_by is not of {sorted(REASONS)}"
    if set(step["harmful"]) & (needed | set(step["ok"])):
        yield f"harmful and wanted: {sorted(set(step['harmful']) & (needed | set(step['ok'])))}"


def faults(lines, tools):
    """What is wrong in the tasks of these lines, each with where."""
    seen = set()
    for number, line in enumerate(lines, 1):
        task = json.loads(line)
        where = f"line {number}, {task.get('id')}"
        if task["id"] in seen:
            yield f"{where}: the id is there twice"
        seen.add(task["id"])
        if task["category"] not in CATEGORIES:
            yield f"{where}: category {task['category']} is not of {sorted(CATEGORIES)}"
        if not task["steps"]:
            yield f"{where}: no steps"
        if task["category"] == "none" and any(step["needed"] for step in task["steps"]):
            yield f"{where}: of category none, but tools are needed"
        for turn, step in enumerate(task["steps"], 1):
            for fault in faults_of_step(step, set(task["servers"]), tools):
                yield f"{where}, step {turn}: {fault}"


def main(names, files):
    with open(names, encoding="utf-8") as text:
        tools = set(text.read().split())
    bad = 0
    for name in files:
        with open(name, encoding="utf-8") as text:
            for fault in faults(text, tools):
                print(f"{name}: {fault}")
                bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
