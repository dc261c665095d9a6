"""A catalogue of as many tools as are wanted: the recorded servers, and copies of them as other products would be. A
copy has a name of its own, its tools too, and common nouns of its texts and arguments are other nouns, so that words
differ from the original's but schemas have the same shape. It is a stand-in: real servers differ more from each other
(then choosing is easier than here) and by luck less (then it is harder)."""
import json
import random
import re

PRODUCTS = """orbis vellum quarry lumen tandem copper harbor juniper falcon willow basalt cinder meadow onyx prairie raven
saffron timber umber violet walnut xenon yarrow zephyr acorn birch cobalt dune ember fjord grove heron""".split()
# Each row: nouns that stand for each other in the copies; the first is the original's.
OTHERS = [row.split() for row in """file record entry asset item
files records entries assets items
directory collection shelf bucket drawer
folder collection shelf bucket drawer
path address locator key route
repository project space vault depot
branch track lane draft stream
commit revision change version snapshot
issue ticket case incident request
pull intake proposal submission transfer
page sheet canvas screen board
block section cell panel row
database register ledger table store
chart report widget dashboard figure
graph mesh lattice web net
process job task worker run
browser viewer terminal console window
tab view pane slot frame
element control field node part
user member contact account person
comment remark note reply annotation
search lookup query finder scan
network traffic link channel bus
diagram blueprint layout plan model
entity subject party object concept
relation bond tie connection edge
library module package bundle kit
documentation manual guide handbook reference
text content message body phrase
image photo media picture still
color tone shade paint hue
date day deadline slot moment
screenshot capture print shot grab""".split("\n")]


def words_for(rng):
    chosen = {row[0]: rng.choice(row[1:]) for row in OTHERS}
    return re.compile(r"(?<![a-z])(" + "|".join(sorted(chosen, key=len, reverse=True)) + r")(?![a-z])"), chosen


def put(text, pattern, chosen):
    """`text` with other nouns; where it began with a capital, so does what comes."""
    def other(found):
        return chosen[found.group(1)]
    text = pattern.sub(other, text)
    capital = re.compile(r"(?<![A-Za-z])(" + "|".join(word.capitalize() for word in chosen) + r")(?![a-z])")
    return capital.sub(lambda found: chosen[found.group(1).lower()].capitalize(), text)


def reworded(value, change):
    """A schema with other words in names of properties, what is required, and descriptions; values stay."""
    if isinstance(value, list):
        return [reworded(item, change) for item in value]
    if not isinstance(value, dict):
        return value
    made = {}
    for key, item in value.items():
        if key == "properties" and isinstance(item, dict):
            made[key] = {change(name): reworded(part, change) for name, part in item.items()}
        elif key == "required" and isinstance(item, list):
            made[key] = [change(name) if isinstance(name, str) else name for name in item]
        elif key in ("description", "title") and isinstance(item, str):
            made[key] = change(item)
        elif key in ("enum", "const", "default", "examples", "$ref", "pattern"):
            made[key] = item
        else:
            made[key] = reworded(item, change)
    return made


# A copy is few servers of many tools each, as products have them.
SUITES = {"dev": ("filesystem", "desktop-commander", "github", "git", "eslint"),
          "studio": ("playwright", "chrome-devtools", "chart", "mermaid", "drawio", "calc")}
REST = "office"


def product_of(number):
    return PRODUCTS[number % len(PRODUCTS)] + (str(number // len(PRODUCTS)) if number >= len(PRODUCTS) else "")


def copy_of(name, server, number):
    """The tools of one server, as another product would have them."""
    rng = random.Random(f"{name} {number}")
    pattern, chosen = words_for(rng)
    product = product_of(number)
    tools = []
    for tool in server["tools"]:
        made = {key: tool[key] for key in ("annotations",) if key in tool}
        made["name"] = (product + "_" + put(tool["name"], pattern, chosen))[:60]
        made["description"] = put(tool.get("description") or "", pattern, chosen).replace(name, product)
        made["inputSchema"] = reworded(tool.get("inputSchema") or {}, lambda text: put(text, pattern, chosen))
        tools.append(made)
    return tools


def grown(catalogue, least):
    """The catalogue with copies, server by server, until it has at least `least` tools."""
    servers = dict(catalogue["servers"])
    count, number = sum(len(server["tools"]) for server in servers.values()), 0
    while count < least:
        for name, server in catalogue["servers"].items():
            if count >= least:
                break
            suite = next((suite for suite, names in SUITES.items() if name in names), REST)
            into = servers.setdefault(f"{product_of(number)}-{suite}", {
                "info": {"name": f"{product_of(number)} {suite}"}, "instructions": None, "tools": []})
            taken = {tool["name"] for tool in into["tools"]}
            for tool in copy_of(name, server, number):
                into["tools"].append(tool if tool["name"] not in taken else {**tool, "name": tool["name"] + "_too"})
            count += len(server["tools"])
        number += 1
    return {"servers": servers, "failed": {}}


def write(catalogue, least, file):
    with open(file, "w", encoding="utf-8") as out:
        json.dump(grown(catalogue, least), out, ensure_ascii=False)
