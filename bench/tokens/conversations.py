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
    return mean([{**figures.bill([([], [])] * len(steps), tokens), "sent": tokens * len(steps)} for steps in conversations])


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
            turns.append(parts)
        bills.append({**bill_of_host(turns), "sent": sum(sum(parts) for parts in turns)})
    return mean(bills)


def bill_of_host(turns):
    """As figures.bill(), where the first part of each turn comes with the request and not as the answer to a call."""
    context, plain, cached = 0, 0, 0.0
    for parts in turns:
        calls = [parts[0]] + parts[1:] + [0]
        for fresh in calls:
            context += fresh
            plain += context
            cached += figures.WRITE * fresh + figures.READ * (context - fresh)
    return {"context": context, "plain": plain, "cached": cached}


def of_bridge(conversations, bridge, make_work, count, keep):
    """`keep`: one work for all; else each task begins new work, which knows neither facts nor what was shown. Then the
    host may as well clear answers of tasks that are over: `cleared`."""
    fixed, bills, cleared = count(bridge.fixed), [], []
    for steps in conversations:
        work, turns, parts, task_before = None, [], [], None
        for task, step in steps:
            if work is None or not keep and task is not task_before:
                work = make_work(bridge)
                parts.append([])
            task_before = task
            rounds = work.step(step)
            shown = [count(part["text"]) for part in rounds]
            written = [count(part["written"]) for part in rounds]
            turns.append((shown, written))
            parts[-1].append((shown, written))
        sent = sum(sum(shown) for shown, _ in turns) + fixed * len(turns)
        bills.append({**figures.bill(turns, fixed), "sent": sent, "written": sum(sum(w) for _, w in turns) / len(turns)})
        one = [figures.bill(part, fixed) for part in parts]
        again = (len(parts) - 1) * fixed  # what stands in front is in the cache already
        cleared.append({"context": max(bill["context"] for bill in one), "plain": sum(bill["plain"] for bill in one),
                        "cached": sum(bill["cached"] for bill in one) - again * (figures.WRITE - figures.READ), "sent": sent})
    return mean(bills), mean(cleared)


def costs(tools, count, write=catalogue.condensed):
    return {name: count(write(name, tool) + "\n") for name, tool in tools.items()}
