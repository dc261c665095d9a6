"""The workloads of the engine suite: what each is, and its facts, which are drawn the same every time.

    WORKLOADS                 by name: program, sizes, relations, answer, and why a peer has none
    facts(name, size)         {relation: rows}; rows are tuples of integers or of text
    write(name, size, folder) the same as relation.tsv files

A relation is written `name:ii`: a letter a column, i a number, s a string; `@` behind it, two more columns are
the ends of an interval, in nanoseconds since 1970.
"""
import dataclasses
import pathlib
import random

NOW_NS = 1_718_020_800_000_000_000
MINUTE_NS = 60_000_000_000


@dataclasses.dataclass(frozen=True)
class Workload:
    title: str
    program: str        # programs/<program>.mg, .sql, .lp, .pl
    relations: tuple
    answer: str
    sizes: dict         # small, medium, large: arguments of `draw`
    draw: object


class Draw:
    """Numbers that are the same on every machine and with every version of Python."""

    def __init__(self, seed):
        self._random = random.Random(seed).random

    def below(self, n):
        return int(self._random() * n)

    def skewed(self, n, power):
        """Below n, small ones far more often."""
        return int(self._random() ** power * n)


def distinct(count, make):
    """`count` different rows, in the order in which they were drawn."""
    rows = {}
    while len(rows) < count:
        row = make()
        if row is not None:
            rows[row] = None
    return list(rows)


def random_graph(draw, nodes, edges):
    return {"edge": distinct(edges, lambda: (draw.below(nodes), draw.below(nodes)))}


def chain(_draw, nodes):
    return {"edge": [(n, n + 1) for n in range(nodes - 1)]}


def grid(_draw, side):
    right = [(y * side + x, y * side + x + 1) for y in range(side) for x in range(side - 1)]
    down = [(y * side + x, (y + 1) * side + x) for y in range(side - 1) for x in range(side)]
    return {"edge": right + down}


def generations(draw, layers, wide):
    """Each node has two parents in the layer above."""
    rows = {}
    for layer in range(1, layers):
        for n in range(wide):
            for _ in range(2):
                rows[layer * wide + n, (layer - 1) * wide + draw.below(wide)] = None
    return {"parent": list(rows)}


def pointers(draw, variables):
    def near():
        to = draw.below(variables)
        return to, max(0, to - 1 - draw.skewed(variables, 4))
    return {"new": [(v, variables + v) for v in range(0, variables, 3)],
            "assign": distinct(variables, near),
            "load": distinct(variables // 3, near),
            "store": distinct(variables // 3, near)}


def flows(draw, variables):
    def near():
        to = draw.below(variables)
        return to, max(0, to - 1 - draw.below(20))
    return {"assign": distinct(variables, near), "dereference": distinct(variables // 2, near)}


def control_flow(draw, nodes):
    """Blocks in a row, from 0, with jumps ahead and a few back."""
    rows = {(n, n + 1): None for n in range(nodes - 1) if n % 7 != 6}
    for n in range(nodes - 1):
        rows[n, min(nodes - 1, n + 1 + draw.below(30))] = None
    for _ in range(nodes // 10):
        n = draw.below(nodes)
        rows[n, max(1, n - draw.below(50))] = None
    return {"edge": list(rows), "node": [(n,) for n in range(nodes)]}


def with_nodes(draw, nodes, edges):
    return {**random_graph(draw, nodes, edges), "node": [(n,) for n in range(nodes)]}


def skewed_graph(draw, nodes, edges):
    def edge():
        a, b = draw.skewed(nodes, 3), draw.skewed(nodes, 3)
        return (min(a, b), max(a, b)) if a != b else None
    return {"edge": distinct(edges, edge)}


def hub(draw, spokes):
    """All ways from one side to the other lead through 0, and few are closed."""
    across = distinct(spokes, lambda: (1 + draw.below(spokes), spokes + 1 + draw.below(spokes)))
    return {"edge": [(n, 0) for n in range(1, spokes + 1)] + [(0, spokes + n) for n in range(1, spokes + 1)] + across}


def sales(draw, rows, items):
    return {"sale": distinct(rows, lambda: (draw.skewed(items, 2), draw.below(1000), 1 + draw.below(100_000)))}


def roads(draw, nodes, edges):
    def road():
        return draw.below(nodes), draw.below(nodes), 1 + draw.below(10)
    return {"road": distinct(edges, road), "start": [(0,)]}


def orders(draw, rows):
    made = [(n, draw.below(rows // 20), draw.below(500), draw.below(100), draw.below(20), draw.below(1000)) for n in range(rows)]
    return {"order": made,
            "customer": [(n, draw.below(10)) for n in range(rows // 20)],
            "product": [(n, draw.below(40)) for n in range(500)]}


def people(draw, count):
    def name(n):
        return f"person-{n * 2654435761 % 4294967296:08x}@example.org"

    def city(n):
        return f"the city of {n * 40503 % 65536:04x}"
    return {"follows": distinct(3 * count, lambda: (name(draw.below(count)), name(draw.skewed(count, 2)))),
            "lives": [(name(n), city(draw.below(200))) for n in range(count)]}


def stays(draw, count):
    def stay(n):
        begin = NOW_NS - draw.below(30 * 24 * 60) * MINUTE_NS
        return n, draw.below(count // 10), draw.below(count // 50), begin, begin + (5 + draw.below(115)) * MINUTE_NS
    return {"stay": [stay(n) for n in range(count)]}


EDGE = ("edge:ii",)
WORKLOADS = {
    "closure-random": Workload("closure of a random sparse graph", "closure", EDGE, "path:ii", {
        "tiny": (30, 50), "small": (200, 400), "medium": (1000, 2000), "large": (2000, 4000)}, random_graph),
    "closure-chain": Workload("closure of a chain", "closure", EDGE, "path:ii", {
        "tiny": (20,), "small": (250,), "medium": (1000,), "large": (2000,)}, chain),
    "closure-grid": Workload("closure of a grid", "closure", EDGE, "path:ii", {
        "tiny": (5,), "small": (18,), "medium": (38,), "large": (52,)}, grid),
    "same-generation": Workload("same generation", "generation", ("parent:ii",), "same:ii", {
        "tiny": (4, 6), "small": (20, 40), "medium": (50, 90), "large": (60, 160)}, generations),
    "points-to": Workload("points-to (Andersen)", "pointers", ("new:ii", "assign:ii", "load:ii", "store:ii"), "points:ii", {
        "tiny": (30,), "small": (400,), "medium": (1200,), "large": (2400,)}, pointers),
    "value-flow": Workload("value flow and aliases", "flows", ("assign:ii", "dereference:ii"), "flow:ii", {
        "tiny": (20,), "small": (70,), "medium": (150,), "large": (250,)}, flows),
    "dominators": Workload("dominators", "dominators", ("edge:ii", "node:i"), "dominates:ii", {
        "tiny": (25,), "small": (150,), "medium": (600,), "large": (1200,)}, control_flow),
    "complement": Workload("complement of a closure", "complement", ("edge:ii", "node:i"), "apart:ii", {
        "tiny": (20, 22), "small": (200, 220), "medium": (800, 880), "large": (1600, 1760)}, with_nodes),
    "triangles": Workload("triangles of a skewed graph", "triangles", EDGE, "triangle:iii", {
        "tiny": (30, 80), "small": (2000, 8000), "medium": (10000, 60000), "large": (40000, 200000)}, skewed_graph),
    "hub": Workload("triangles through a hub", "triangles", EDGE, "triangle:iii", {
        "tiny": (20,), "small": (400,), "medium": (2000,), "large": (6000,)}, hub),
    "aggregation": Workload("grouped aggregation", "totals", ("sale:iii",), "total:iiiii", {
        "tiny": (100, 10), "small": (20000, 500), "medium": (300000, 5000), "large": (1000000, 20000)}, sales),
    "shortest-path": Workload("shortest paths", "shortest", ("road:iii", "start:i"), "shortest:ii", {
        "tiny": (20, 60), "small": (1000, 4000), "medium": (10000, 40000), "large": (30000, 120000)}, roads),
    "wide-join": Workload("wide selective join", "orders", ("order:iiiiii", "customer:ii", "product:ii"), "wanted:iii", {
        "tiny": (4000,), "small": (20000,), "medium": (200000,), "large": (600000,)}, orders),
    "strings": Workload("joins of strings", "people", ("follows:ss", "lives:ss"), "neighbours:ss", {
        "tiny": (60,), "small": (3000,), "medium": (40000,), "large": (120000,)}, people),
    "windows": Workload("windows over intervals", "stays", ("stay:iii@",), "met:ii", {
        "tiny": (100,), "small": (3000,), "medium": (20000,), "large": (60000,)}, stays),
}


def facts(name, size):
    work = WORKLOADS[name]
    return work.draw(Draw(f"{name} {size}"), *work.sizes[size])


def write_drawn(relations, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for relation, rows in relations.items():
        with open(folder / f"{relation}.tsv", "w", encoding="utf-8") as out:
            out.writelines("\t".join(map(str, row)) + "\n" for row in rows)


def write(name, size, folder):
    write_drawn(facts(name, size), folder)
