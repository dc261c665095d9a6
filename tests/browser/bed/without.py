"""Takes a group of evidence out of a recording, to show what it carries."""
import json

HEADERS = {"headers", "headersText", "blockedCookies", "associatedCookies", "cookies", "exemptedCookies"}
STACKS = {"stackTrace", "stack", "asyncStackTrace", "parent", "callFrames"}


def strip(value, names):
    """The value without these members, at any depth."""
    if isinstance(value, dict):
        return {k: strip(v, names) for k, v in value.items() if k not in names}
    if isinstance(value, list):
        return [strip(v, names) for v in value]
    return value


def bodies(message, _):
    if message["m"] == "Machina.body":
        return None
    return {**message, "p": strip(message["p"], {"postData", "postDataEntries"})}


def stacks(message, _):
    return {**message, "p": strip(message["p"], STACKS)}


def inputs(message, _):
    return None if message["m"] in ("Runtime.bindingCalled", "Machina.input") else message


def timing(message, number):
    """Everything in its order, a millisecond apart: no durations, no gaps."""
    def flat(value):
        if isinstance(value, dict):
            return {k: number / 1000 if k in ("timestamp", "wallTime") and isinstance(v, (int, float)) else flat(v)
                    for k, v in value.items() if k not in ("timing", "receiveHeadersEnd")}
        return value
    return {**message, "t": 1795942000000 + number, "p": flat(message["p"])}


def headers(message, _):
    if message["m"].endswith("ExtraInfo") or "cookieIssueDetails" in json.dumps(message["p"]):
        return None
    return {**message, "p": strip(message["p"], HEADERS)}


def sockets(message, _):
    return None if "webSocket" in message["m"] or "eventSource" in message["m"] else message


def counters(message, _):
    return None if message["m"] in ("Machina.counters", "Machina.metrics", "Machina.quota", "Machina.mutations") else message


def scripts(message, _):
    return None if message["m"] in ("Debugger.scriptParsed", "Machina.source", "Debugger.scriptFailedToParse") else message


def issues(message, _):
    return None if message["m"] in ("Audits.issueAdded", "Log.entryAdded") else message


def state(message, _):
    return None if message["m"] == "Machina.state" else message


GROUPS = {"bodies": bodies, "stacks": stacks, "input": inputs, "timing": timing, "headers": headers, "sockets": sockets,
          "counters": counters, "scripts": scripts, "issues": issues, "state": state}


def write(source, target, group):
    """Copies events.jsonl of a recording without this group."""
    take = GROUPS[group]
    target.mkdir(parents=True)
    with open(source / "events.jsonl", encoding="utf-8") as lines, open(target / "events.jsonl", "w", encoding="utf-8") as out:
        for number, line in enumerate(lines):
            kept = take(json.loads(line), number)
            if kept:
                out.write(json.dumps(kept, ensure_ascii=False) + "\n")
