"""What offers are worth. An offer to a step of a task is a list of rounds, each what a model was shown at once:

    {"tokens": 612, "tools": [{"tool": "git/git_log", "tier": "ranked", "callable": true}, ...]}

Round 0 is the first answer; a round after it costs the model a call more, and comes only if round 0 missed something.
Every share has its Wilson interval of 95 %."""
import math

CALLS_PER_TURN = 2  # one that calls a tool, one that answers: what every way of offering needs
WRITE, READ = 1.25, 0.1  # prices of a prompt cache, in input tokens
READY = 1500


def wilson(hits, total, z=1.959964):
    """(share, low, high); of nothing None."""
    if not total:
        return None
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return share, max(0.0, middle - half), min(1.0, middle + half)


def covered(groups, tools):
    return all(any(tool in tools for tool in group) for group in groups)


def score_step(step, rounds):
    """What one offer is worth; with the kinds of what it missed."""
    needed = {tool for group in step["needed"] for tool in group}
    able = [{said["tool"] for said in part["tools"] if said["callable"]} for part in rounds]
    seen = {said["tool"] for part in rounds for said in part["tools"]}
    first = able[0] if able else set()
    later = set().union(*able)
    total = sum(part["tokens"] for part in rounds)
    harm_by = step.get("harm_by", {})
    harm = {tool for tool in step["harmful"] if tool in seen}
    destructive = {tool for tool in harm if step["harm_class"][tool] == "destructive"}
    tiers = {}
    for part in rounds:
        for said in part["tools"]:
            tier = tiers.setdefault(said["tier"], {"offered": 0, "needed": 0, "helps": 0})
            tier["offered"] += 1
            tier["needed"] += said["tool"] in needed
            tier["helps"] += said["tool"] in step["ok"] and said["tool"] not in needed
    once, ever = covered(step["needed"], first), covered(step["needed"], later)
    return {
        "needs": bool(step["needed"]), "once": once, "ever": ever, "ready": ever and total <= READY,
        "shown": sum(len(part["tools"]) for part in rounds[:1]), "tokens": rounds[0]["tokens"] if rounds else 0,
        "total": total, "opens": max(0, len(rounds) - 1), "tiers": tiers,
        "forbids": any(c == "destructive" for c in step["harm_class"].values()), "destructive": sorted(destructive),
        "by_state": sorted(t for t in destructive if harm_by.get(t, "state") == "state"),
        "wrong": sorted(harm - destructive), "has_wrong": any(c == "wrong_target" for c in step["harm_class"].values()),
        "missed": [group for group in step["needed"] if not any(tool in later for tool in group)],
        "late": [group for group in step["needed"] if not any(tool in first for tool in group)],
    }


def share(scores, what, of=lambda score: True):
    those = [score for score in scores if of(score)]
    return wilson(sum(bool(score[what]) for score in those), len(those))


def summary(scores):
    """The figures of a set of steps."""
    if not scores:
        return None
    needs = [score for score in scores if score["needs"]]
    totals = sorted(score["total"] for score in scores)
    tiers = {}
    for score in needs:
        for name, tier in score["tiers"].items():
            into = tiers.setdefault(name, {"offered": 0, "needed": 0, "helps": 0})
            for key, count in tier.items():
                into[key] += count
    for tier in tiers.values():
        tier["precision"] = wilson(tier["needed"], tier["offered"])
        tier["precision_helps"] = wilson(tier["needed"] + tier["helps"], tier["offered"])
    return {
        "steps": len(scores), "needing": len(needs), "tokens": sum(s["tokens"] for s in scores) / len(scores),
        "total": sum(totals) / len(totals), "p95": totals[min(len(totals) - 1, int(0.95 * len(totals)))],
        "max": totals[-1], "tools": sum(s["shown"] for s in scores) / len(scores),
        "once": share(needs, "once"), "ever": share(needs, "ever"), "ready": share(needs, "ready"),
        "opens": sum(s["opens"] for s in scores) / len(scores),
        "destructive": share(scores, "destructive", lambda s: s["forbids"]),
        "by_state": share(scores, "by_state", lambda s: s["forbids"]),
        "wrong": share(scores, "wrong", lambda s: s["has_wrong"]),
        "quiet": wilson(sum(not s["needs"] and s["shown"] == 0 for s in scores), len(scores) - len(needs)),
        "tiers": tiers,
    }


def bill(turns, fixed):
    """What a conversation costs. A turn is (shown, written): for each call of the model besides CALLS_PER_TURN what is
    added to its context before the next one, and what the model writes to get it. `fixed` stands in front of all.
    context: what is there at the end; plain: all that is read, by every call; cached: the same with a cache's prices."""
    context, plain, cached = 0, 0, 0.0
    fresh = fixed

    def a_call(fresh, context, plain, cached):
        context += fresh
        return context, plain + context, cached + WRITE * fresh + READ * (context - fresh)
    for shown, written in turns:
        for added, wrote in zip(shown, written):
            context, plain, cached = a_call(fresh, context, plain, cached)
            fresh = added + wrote
        for _ in range(CALLS_PER_TURN):
            context, plain, cached = a_call(fresh, context, plain, cached)
            fresh = 0
    return {"context": context, "plain": plain, "cached": cached}
