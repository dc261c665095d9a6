"""Whether a diagnosis is right, strictly and mechanically: no reading between the lines.

  right    the finding of rank 1 has the cause and one of the kinds that are expected, its chain has what is
           expected, in this order, it says where to change something, and nothing blameless is blamed
  partly   the cause is right and something else is not, or it is only named further down
  wrong    something else is said to be the cause
  silent   nothing is found
A healthy page is quiet or blamed."""
import re

WORD = r"(?![\w/-])"  # /api/cart is not /api/cart/lines


def plain(text, prefix):
    """Without the page's own prefix, origins and queries: GET http://localhost:8460/t01/api/x?y -> GET /api/x"""
    text = re.sub(r"\b(https?|wss?)://[^/\s]+", "", str(text))
    text = re.sub(rf"/{prefix}(?=/)", "", text)
    return re.sub(r"\?[^\s,;)]*", "", text)


def says(text, cause):
    """One alternative of an expected cause, in the text of a finding's cause."""
    if "what" in cause:
        return re.search(re.escape(cause["what"]) + r"(?![\w])" if cause["what"][-1].isalnum() else re.escape(cause["what"]),
                         text) is not None
    if "script" in cause:
        line = f":{cause['line']}" if "line" in cause else ""
        return re.search(rf"(^|[/\s(]){re.escape(cause['script'])}{line}(?![\w])", text) is not None
    method = cause.get("method", "")
    return re.search(rf"\b{method} ?{re.escape(cause['path'])}{WORD}", text) is not None


def cause_text(finding, prefix):
    cause = finding.get("cause") or {}
    return plain(f"{cause.get('id', '')} {cause.get('text', '')}", prefix)


def is_cause(finding, expected, prefix):
    causes = expected["cause"] if isinstance(expected["cause"], list) else [expected["cause"]]
    text = cause_text(finding, prefix)
    return any(says(text, cause) for cause in causes)


def chain_of(finding, prefix):
    return [plain(step.get("event", ""), prefix) for step in finding.get("chain", [])]


def in_order(parts, steps):
    at = 0
    for part in parts:
        while at < len(steps) and not re.search(re.escape(part) + WORD, steps[at]):
            at += 1
        if at == len(steps):
            return False
        at += 1
    return True


def blamed(findings, expected, prefix):
    """What must not be blamed and is: the paths, or what begins with them where they end in a slash."""
    hits = []
    for finding in findings:
        text = cause_text(finding, prefix)
        if is_cause(finding, expected, prefix):
            continue
        hits += [path for path in expected["not"]
                 if re.search(rf"(^|\s){re.escape(path)}" + ("" if path.endswith("/") else WORD), text)]
    return hits


def holds_any(text, wanted):
    return any(one.lower() in text.lower() for one in (wanted if isinstance(wanted, list) else [wanted]))


def judge_fault(expected, answer, prefix):
    """(verdict, what is wrong with it)"""
    findings = answer.get("findings", [])
    if not findings:
        return "silent", []
    first = findings[0]
    wrong = blamed(findings, expected, prefix)
    faults = [f"blames {path}" for path in wrong]
    if not is_cause(first, expected, prefix):
        found = any(is_cause(f, expected, prefix) for f in findings[1:])
        faults.insert(0, "named further down" if found else "another cause")
        return ("partly" if found else "wrong"), faults
    if first.get("kind") not in expected["kind"]:
        faults.append(f"kind {first.get('kind')}")
    if not in_order(expected["chain"], chain_of(first, prefix)):
        faults.append("chain")
    effect = plain((first.get("effect") or {}).get("text", ""), prefix)
    if not holds_any(effect, expected["effect"]):
        faults.append("effect")
    where = plain(" ".join(f"{c.get('where', '')} {c.get('what', '')}" for c in first.get("change", [])), prefix)
    if not where.strip() or not holds_any(where, expected["change"]):
        faults.append("change")
    return ("partly" if faults else "right"), faults


def judge_healthy(answer, prefix):
    findings = answer.get("findings", [])
    if not findings and answer.get("verdict") != "faulty":
        return "quiet", []
    return "blamed", [cause_text(f, prefix) or "no cause" for f in findings] or ["verdict faulty"]
