"""The tools of the servers as they were recorded (fetch.py), what lists of them cost, and a server that replays them."""
import json
import pathlib

import signature

ABOUT = 60  # characters of a description in a condensed line
HERE = pathlib.Path(__file__).resolve().parent


def load(folder):
    """{server/tool: the tool as its server says it}, in the order of the servers."""
    said = json.loads((pathlib.Path(folder) / "catalogue.json").read_text())
    return {f"{server}/{tool['name']}": tool for server, what in said["servers"].items() for tool in what["tools"]}


def verbatim(name, tool):
    """As a host sends it to a model."""
    return json.dumps({"name": name.replace("/", "__"), "description": tool.get("description", ""),
                       "input_schema": tool.get("inputSchema", {})}, ensure_ascii=False, separators=(",", ":"))


def condensed(name, tool):
    return signature.line(name, tool, ABOUT)


def bare(name, tool):
    return signature.line(name, tool, 0)


def callable_lines(tools, write):
    """Of the tools those of which a call that is made from the line alone is valid by the whole schema."""
    import schema
    able = set()
    for name, tool in tools.items():
        try:
            _, required, _ = signature.call(write(name, tool))
        except signature.Unreadable:
            continue
        if not schema.problems(required, tool.get("inputSchema") or {}):
            able.add(name)
    return able


def tasks(name):
    with open(HERE / "tasks" / f"{name}.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
