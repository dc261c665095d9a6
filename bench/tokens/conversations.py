"""Conversations of many turns: steps of tasks one after the other, in an order drawn once, all of tasks that have every
server. What was shown before and stands unchanged in the context is not sent again, by any way that can leave it out."""
import random

import catalogue
import figures

TURNS = (1, 5, 20)
COUNT = 20  # conversations of each length


def drawn(tasks, all_servers, turns, count=COUNT):
    """`count` lists of `turns` (task, step)."""
    whole = [task for task in tasks if len(task["servers"]) == len(all_servers)]
    made = []
    for number in range(count):
        order = list(whole)
        random.Random(f"{turns} {number}").shuffle(order)
        steps = [(task, step) for task in order for step in task["steps"]]
        if turns == 1:
            steps = steps[number % len(steps):]
        made.append(steps[:turns])
    return made


def mean(bills):
    return {key: sum(bill[key] for bill in bills) / len(bills) for key in bills[0]}


def of_list(conversations, tokens):
    return mean([figures.bill([([], [])] * len(steps), tokens) for steps in conversations])


def of_retrieval(conversations, ranking, cost, k):
    """Lines that were shown are not sent again; what is needed and was not among the first k costs a call more."""
    bills = []
    for steps in conversations:
        shown, turns = set(), []
        for task, step in steps:
            ranked = ranking.rank(task, step)
            first, second = ranked[:k], ranked[k:2 * k]
            missed = not figures.covered(step["needed"], set(first) | shown)
            parts = [sum(cost[name] for name in first if name not in shown)]
            shown |= set(first)
            if missed:
                parts.append(sum(cost[name] for name in second if name not in shown))
                shown |= set(second)
            turns.append((parts, [0] * len(parts)))
        # The host puts the first lines beside the request: they cost no call of the model.
        bills.append(bill_of_host(turns))
    return mean(bills)


def bill_of_host(turns):
    """As figures.bill(), where the first part of each turn comes with the request and not as the answer to a call."""
    context, plain, cached = 0, 0, 0.0
    for parts, _ in turns:
        calls = [parts[0]] + parts[1:] + [0]
        for fresh in calls:
            context += fresh
            plain += context
            cached += figures.WRITE * fresh + figures.READ * (context - fresh)
    return {"context": context, "plain": plain, "cached": cached}


def of_bridge(conversations, bridge, make_work, count):
    fixed, bills, seen = count(bridge.fixed), [], []
    for steps in conversations:
        work, turns = make_work(bridge), []
        for _, step in steps:
            rounds, forgot = work.step(step)
            shown = [count(part["text"]) for part in rounds]
            written = [count(part["written"]) for part in rounds]
            if forgot:
                shown.insert(0, count(forgot[0]))
                written.insert(0, count(forgot[1]))
            turns.append((shown, written))
        bills.append(figures.bill(turns, fixed))
        seen.append({"shown": sum(sum(shown) for shown, _ in turns) / len(turns),
                     "written": sum(sum(written) for _, written in turns) / len(turns)})
    return {**mean(bills), **mean(seen)}


def costs(tools, count, write=catalogue.condensed):
    return {name: count(write(name, tool) + "\n") for name, tool in tools.items()}
