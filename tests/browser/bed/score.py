#!/usr/bin/env python3
"""What the browser domain says of every page of the test bed, beside what is true.

    score.py [BUILD_DIR] [PAGE...]       from the recordings in recordings/
    score.py --live                      from live pages: each is opened, used as its steps say, and diagnosed
    score.py --without GROUP | all       with a group of evidence taken out of the recordings
    score.py --tap | --markdown | --reached

The diagnoses come from the server as a client gets them (manglecp serve --stdio). Judged by judge.py.
reached.json holds what each page has come to; --tap fails where one is worse than that, --reached rewrites it.
"""
import argparse
import base64
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "clients/python/src")]

import judge  # noqa: E402
import manglecp  # noqa: E402
import pages  # noqa: E402
import without  # noqa: E402
from server import Bed  # noqa: E402

ORDER = {"silent": 0, "wrong": 0, "blamed": 0, "partly": 1, "right": 2, "quiet": 2}
KEY = base64.urlsafe_b64encode(b"bed " * 8).decode().rstrip("=")
TOKEN = "of-the-test-bed-and-of-nobody-else"
RECORDINGS = HERE / "recordings"


class Run:
    """A server over one recording or one live page."""

    def __init__(self, build, settings, now=None, tokens=None):
        self.now = now
        command = [str(build / "bin/manglecp"), "serve", str(ROOT / "domains/browser"), "--stdio", "--log", "error"]
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        if now:
            command += ["--clock", now]
        consent = {}
        if tokens:  # who acts is asked, and answers with a key of its own
            tokens.write_text(f"sha256:{hashlib.sha256(TOKEN.encode()).hexdigest()} bed intent:* confirm_key={KEY}\n")
            tokens.chmod(0o600)
            command += ["--auth", str(tokens)]
            consent = {"confirm_key": KEY, "token": TOKEN}
        environment = {**os.environ, "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"}
        options = manglecp.Options(consent=lambda question: True, answer_timeout=120, **consent)
        self.client = manglecp.spawn(command, options=options, env=environment, stderr=subprocess.DEVNULL)

    def __enter__(self):
        self.client.__enter__()
        return self

    def __exit__(self, *error):
        return self.client.__exit__(*error)

    def call(self, name, args, intents=("observe", "automate"), learn=True):
        """Calls a tool that one of the intents offers; learn: with what it asserts."""
        for intent in intents:
            try:
                offered = {tool.name: tool for tool in self.client.evaluate(intent, eval_time=self.now)}
            except manglecp.Error:
                continue
            if name in offered:
                result = self.client.invoke(offered[name], args)
                if learn:
                    self.client.apply(result)
                return result.result
        raise LookupError(f"no intent offers {name}")

    def diagnose(self):
        answer = self.call("diagnose_page", {}, ("diagnose_error", "observe"), learn=False)
        findings = answer.get("findings", [])
        error = (findings[0].get("effect") or {}).get("id", "") if findings else ""
        if error.startswith("console-error-"):
            try:
                answer["by_error"] = self.call("diagnose_causal_chain", {"error_id": error}, ("diagnose_error",))
            except (manglecp.Error, LookupError) as failure:
                answer["by_error"] = {"root_cause": None, "note": str(failure)}
        return answer


def do_steps(run, page):
    """What a user does, with the tools that act. Nothing says the text that is waited for: time passes."""
    for what, value in page.steps:
        if what == "wait":
            run.call("watch_page", {"until": "text", "text": "neither here nor there", "most_ms": int(value)})
            continue
        selector, _, text = value.partition("=")
        deed = {"do": "click"} if what == "click" else {"do": "fill", "value": text}
        run.call("act_on_page", {**deed, "target": {"selector": selector}})


def end_of(folder):
    """The second after the last event of a recording: what rules call now."""
    with open(folder / "events.jsonl", encoding="utf-8") as lines:
        last = max(json.loads(line)["t"] for line in lines)
    return datetime.datetime.fromtimestamp(last / 1000 + 1, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def diagnose(build, page, folder):
    with Run(build, {"capture": folder}, end_of(folder)) as run:
        run.call("observe_page", {})
        return run.diagnose()


def diagnose_live(build, page, bed, folder):
    settings = {"page": bed.url(page), "allow": "localhost 127.0.0.1", "recordings": folder}
    with Run(build, settings, tokens=pathlib.Path(folder) / "tokens") as run:
        run.call("observe_page", {})
        do_steps(run, page)
        run.call("observe_page", {})
        return run.diagnose()


def judged(page, answer):
    if page.healthy:
        return judge.judge_healthy(answer, page.prefix)
    verdict, faults = judge.judge_fault(page.expected(), answer, page.prefix)
    if verdict == "right" and "by_error" in answer:
        root = answer["by_error"].get("root_cause") or ""
        same = root == answer["findings"][0]["cause"]["text"]
        if not same and not judge.is_cause({"cause": {"text": root}}, page.expected(), page.prefix):
            return "partly", [f"by its error: {root or 'no cause'}"]
    return verdict, faults


def last_failed_request(folder, page):
    """The baseline: whatever request failed last is to blame."""
    asked, last = {}, None
    with open(folder / "events.jsonl", encoding="utf-8") as lines:
        for line in lines:
            message = json.loads(line)
            p = message["p"]
            if message["m"] == "Network.requestWillBeSent":
                asked[p["requestId"]] = f"{p['request']['method']} {p['request']['url']}"
            failed = message["m"] == "Network.loadingFailed" and not p.get("canceled")
            failed |= message["m"] == "Network.responseReceived" and p["response"]["status"] >= 400
            if failed and p["requestId"] in asked:
                last = asked[p["requestId"]]
    return {"findings": [{"cause": {"text": last}}] if last else []}


def baseline_right(folder, page):
    answer = last_failed_request(folder, page)
    if page.healthy:
        return not answer["findings"]
    return bool(answer["findings"]) and judge.is_cause(answer["findings"][0], page.expected(), page.prefix)


def score(build, chosen, group=None, jobs=4):
    """Rows (page, verdict, faults, answer) from recordings, in the order of the pages."""
    with tempfile.TemporaryDirectory(prefix="bed-") as scratch:
        def one(page):
            folder = RECORDINGS / page.id
            if group:
                without.write(folder, pathlib.Path(scratch) / page.id, group)
                folder = pathlib.Path(scratch) / page.id
            return row(page, lambda: diagnose(build, page, folder))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(one, chosen))


def row(page, answer_of):
    try:
        answer = answer_of()
        return (page, *judged(page, answer), answer)
    except (manglecp.Error, LookupError, OSError) as failure:
        return page, "blamed" if page.healthy else "silent", [f"{type(failure).__name__}: {failure}"], {}


def score_live(build, chosen):
    with Bed() as bed, tempfile.TemporaryDirectory(prefix="bed-") as folder:
        return [row(page, lambda page=page: diagnose_live(build, page, bed, folder)) for page in chosen]


def cause_name(page):
    causes = page.expect["cause"]
    cause = causes[0] if isinstance(causes, list) else causes
    return cause.get("what") or cause.get("script") or f"{cause.get('method', '')} {cause['path']}".strip()


def short(text, most):
    text = text.replace("|", "/").replace("\n", " ")
    return text if len(text) <= most else text[:most - 1] + "…"


def shown(page, verdict, faults, answer):
    """Fault, expected, diagnosed, chain, evidence, verdict: the cells of a row."""
    findings = answer.get("findings", [])
    if not findings:
        return page.id, "nothing" if page.healthy else cause_name(page), "–", "–", "–", verdict, "; ".join(faults)
    first = findings[0]
    cause = judge.plain((first.get("cause") or {}).get("text", ""), page.prefix)
    chain = " → ".join(short(step, 40) for step in judge.chain_of(first, page.prefix))
    return (page.id, "nothing" if page.healthy else cause_name(page), f"{first.get('kind')}: {short(cause, 60)}", chain,
            short(" / ".join(map(str, first.get("why", []))), 120), verdict, "; ".join(faults))


def totals(rows):
    faults = [verdict for page, verdict, _, _ in rows if not page.healthy]
    quiet = [verdict for page, verdict, _, _ in rows if page.healthy]
    return (f"faults: {faults.count('right')} right, {faults.count('partly')} partly, {faults.count('wrong')} wrong, "
            f"{faults.count('silent')} silent of {len(faults)}; healthy: {quiet.count('quiet')} quiet of {len(quiet)}")


def baseline_totals(chosen):
    known = [page for page in chosen if (RECORDINGS / page.id / "events.jsonl").exists()]
    right = [page for page in known if baseline_right(RECORDINGS / page.id, page)]
    return (f"blame the last failed request: {sum(not p.healthy for p in right)} right of {sum(not p.healthy for p in known)}; "
            f"healthy: {sum(p.healthy for p in right)} quiet of {sum(p.healthy for p in known)}")


def print_table(rows, markdown):
    names = ("page", "expected", "diagnosed", "chain", "evidence", "verdict", "what is missing")
    if markdown:
        print("| " + " | ".join(names) + " |\n|" + "---|" * len(names))
    for cells in (shown(*r) for r in rows):
        if markdown:
            print("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |")
        else:
            print(f"{cells[5]:7} {cells[0]:20} {cells[1]:34} {cells[2]}" + "".join(
                f"\n{'':29}{text}" for text in (cells[3], cells[4], cells[6]) if text not in ("", "–")))


def print_without(build, chosen, groups):
    """The table of what each group of evidence carries: which pages are no longer right without it."""
    print("| without | right | partly | wrong | silent | healthy quiet | no longer right |\n|---|---|---|---|---|---|---|")
    whole = {}
    for group in [None, *groups]:
        rows = score(build, chosen, group)
        whole = whole or {r[0].id: r[1] for r in rows}
        faults = [r[1] for r in rows if not r[0].healthy]
        lost = [r[0].id for r in rows if ORDER[r[1]] < ORDER[whole[r[0].id]]]
        print(f"| {group or 'nothing'} | {faults.count('right')} | {faults.count('partly')} | {faults.count('wrong')} | "
              f"{faults.count('silent')} | {sum(r[1] == 'quiet' for r in rows)} | {', '.join(lost) or '–'} |", flush=True)


def tap(rows):
    """A row a page: no page may be worse than it has been."""
    reached = json.loads((HERE / "reached.json").read_text())
    print(f"1..{len(rows) + 1}")
    failed = 0
    for number, (page, verdict, faults, answer) in enumerate(rows, 1):
        before = reached.get(page.id, "right" if not page.healthy else "quiet")
        worse = ORDER[verdict] < ORDER[before]
        failed += worse
        print(f"{'not ok' if worse else 'ok'} {number} - {page.id}: {verdict}")
        if worse:
            print(f"# was {before}; {'; '.join(faults)}\n# {json.dumps(answer)[:1500]}")
    current = json.loads((HERE / "expected.json").read_text()) == [page.expected() for page in pages.PAGES]
    print(f"{'ok' if current else 'not ok'} {len(rows) + 1} - expected.json is what pages.py says")
    print(f"# {totals(rows)}\n# {baseline_totals([r[0] for r in rows])}")
    return failed or not current


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.environ.get("BUILD_DIR", str(ROOT / "build")))
    parser.add_argument("pages", nargs="*")
    for name in ("--live", "--tap", "--markdown", "--reached", "--json"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--recordings", type=pathlib.Path, default=RECORDINGS)
    parser.add_argument("--without", choices=[*without.GROUPS, "all"])
    options = parser.parse_intermixed_args()
    globals()["RECORDINGS"] = options.recordings
    build = pathlib.Path(options.build).resolve()
    checked = subprocess.run([str(build / "bin/manglecp"), "check", str(ROOT / "domains/browser")], capture_output=True,
                             text=True, env={**os.environ, "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"})
    if checked.returncode:
        sys.exit(checked.stdout + checked.stderr)
    chosen = [pages.BY_ID[name] for name in options.pages] or pages.PAGES
    if options.without:
        groups = list(without.GROUPS) if options.without == "all" else [options.without]
        return print_without(build, chosen, groups)
    rows = score_live(build, chosen) if options.live else score(build, chosen)
    if options.tap:
        return sys.exit(1 if tap(rows) else 0)
    if options.json:
        return print(json.dumps({r[0].id: r[3] for r in rows}, indent=1))
    print_table(rows, options.markdown)
    print(("\n" if options.markdown else "") + totals(rows) + "\n" + baseline_totals(chosen))
    if options.reached:
        (HERE / "reached.json").write_text(json.dumps({r[0].id: r[1] for r in rows}, indent=1) + "\n")
    return None


if __name__ == "__main__":
    main()
