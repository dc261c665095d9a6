"""A ranking of tools by what texts mean, beside the one by words: `tool_near` of rules/domain/near.mg asks it. Vectors of
the tools stand in vectors.json, each by the hash of its text, as an import has worked them out; of texts that are not
there they are worked out when this program starts. `near` is asked once for an intent.

    manglecp action . AID.NEAR.NEAR.v1 --input '{"text": ["plant tulips"]}'"""
import base64
import hashlib
import json
import operator
import pathlib
import re
import sys
from typing import Any, Dict, List

sys.dont_write_bytecode = True  # the folder is the author's
import model
from manglecp.actions import ActionError, action, serve

BEST = 40  # tools of an answer
ASKED = 2000  # characters of what is asked, and of a tool's text
PAGE = 256  # vectors of an answer
TEXT = r'\s*"((?:[^"\\]|\\.)*)",?'
FACT = re.compile(r"^(imported|tool_text)\(" + 3 * TEXT, re.M)
ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|(.))")
PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


def unquoted(text):
    return ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else PLAIN.get(m[2], m[2]), text)


def tool_texts():
    """{tool: its server, the words of its name, what it is about}, of all fact files; facts of one tool are one text."""
    servers, texts = {}, {}
    for file in sorted(pathlib.Path("facts").glob("*.mg")):
        for kind, *words in FACT.findall(file.read_text(encoding="utf-8")):
            tool, second, third = map(unquoted, words)
            if kind == "imported":
                servers[tool] = second + " "
            else:
                texts.setdefault(tool, []).append(second + ". " + third)
    return {tool: (servers.get(tool, "") + " ".join(parts))[:ASKED] for tool, parts in texts.items()}


def flat(value):
    """The texts of what rules ask: a text, or lists of texts and lists."""
    if isinstance(value, list):
        return " ".join(flat(item) for item in value)
    return str(value)


def of_length_one(numbers):
    length = sum(x * x for x in numbers) ** 0.5 or 1.0
    return [x / length for x in numbers]


class Tools:
    """The model, and a vector for each tool: whole numbers from -127 to 127, so that one that was kept and one that was
    worked out just now are the same."""

    def __init__(self):
        try:
            self.embed = model.load()
        except ImportError as why:
            raise ActionError(f"no model here: {why}") from None
        self.vectors = {}
        kept = self.kept()
        for tool, text in tool_texts().items():
            key = hashlib.sha256(text.encode()).hexdigest()
            self.vectors[tool] = key, kept.get(key) or self.worked_out(text)

    def kept(self):
        try:
            said = json.loads(pathlib.Path("vectors.json").read_text(encoding="utf-8"))
            if said["model"] != model.NAME:
                return {}
            return {key: memoryview(base64.b64decode(text)).cast("b") for key, text in said["vectors"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}  # they are worked out

    def worked_out(self, text):
        numbers = of_length_one(self.embed(text))
        return memoryview(bytes(round(127 * x) & 255 for x in numbers)).cast("b")

    def near(self, text):
        asked = of_length_one(self.embed(text[:ASKED]))
        worth = {tool: sum(map(operator.mul, asked, vector)) for tool, (_, vector) in self.vectors.items()}
        return sorted(worth, key=lambda tool: (-worth[tool], tool))[:BEST]


TOOLS: List[Tools] = []


def tools():
    """Read once, by whoever asks first."""
    if not TOOLS:
        TOOLS.append(Tools())
    return TOOLS[0]


@action(side_effects="none", idempotent=True)
def near(text: Any) -> Dict[str, Any]:
    """Tools whose texts mean something like a text, the best first."""
    asked, known = flat(text), tools()
    return {"rows": [{"t": tool, "rank": i + 1} for i, tool in enumerate(known.near(asked))] if asked.strip() else []}


@action(side_effects="none", idempotent=True)
def vectors(first: int = 0) -> Dict[str, Any]:
    """What an import writes into vectors.json, a page at a time."""
    all_of_them = sorted(dict(tools().vectors.values()).items())
    page = {key: base64.b64encode(vector).decode() for key, vector in all_of_them[first:first + PAGE]}
    return {"model": model.NAME, "vectors": page, "more": first + PAGE < len(all_of_them)}


if __name__ == "__main__":
    serve()
