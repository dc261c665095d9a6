"""What others show of the same tools: all of them, or the k that retrieval ranks first (and, on a miss, the next k)."""
import catalogue
import retrieve

PAGES = (5, 10, 20)


def connected(tools, task):
    return {name: tool for name, tool in tools.items() if name.split("/")[0] in task["servers"]}


def static(tools, count, write):
    """(name of the step) -> rounds; the list stands in front of the conversation."""
    able = catalogue.callable_lines(tools, write) if write is not catalogue.verbatim else set(tools)
    costs = {name: count(write(name, tool) + "\n") for name, tool in tools.items()}

    def offer(task, _step):
        there = connected(tools, task)
        return [{"tokens": sum(costs[name] for name in there),
                 "tools": [{"tool": name, "tier": "list", "callable": name in able} for name in there]}]
    return offer


class Retrieval:
    """Rankings by one way, over the tools of the servers that a task has."""

    def __init__(self, tools, make):
        self.tools, self.make, self.indexes, self.known = tools, make, {}, {}

    def rank(self, task, step):
        servers = tuple(task["servers"])
        if servers not in self.indexes:
            self.indexes[servers] = self.make({name: retrieve.document(name, tool)
                                               for name, tool in connected(self.tools, task).items()})
        key = (servers, retrieve.question(step))
        if key not in self.known:
            self.known[key] = self.indexes[servers].rank(key[1])
        return self.known[key]


class Fused:
    def __init__(self, parts):
        self.parts = parts

    def rank(self, task, step):
        return retrieve.fuse(part.rank(task, step) for part in self.parts)


def paged(tools, count, write, ranking, k):
    able = catalogue.callable_lines(tools, write) if write is not catalogue.verbatim else set(tools)
    costs = {name: count(write(name, tool) + "\n") for name, tool in tools.items()}

    def page(names):
        return {"tokens": sum(costs[name] for name in names),
                "tools": [{"tool": name, "tier": "ranked", "callable": name in able} for name in names]}

    def offer(task, step):
        ranked = ranking.rank(task, step)
        rounds = [page(ranked[:k])]
        first = {said["tool"] for said in rounds[0]["tools"] if said["callable"]}
        if not all(any(tool in first for tool in group) for group in step["needed"]):
            rounds.append(page(ranked[k:2 * k]))
        return rounds
    return offer
