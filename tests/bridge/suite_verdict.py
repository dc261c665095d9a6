"""Runs the official suite in both revisions and holds what it says against docs/reference/mcp.md, 18.4:

    suite_verdict.py URL FOLDER NODE SUITE"""
import glob
import json
import re
import subprocess
import sys

from mcp_client import Tap

REVISIONS = ("2025-11-25", "2026-07-28")
URL, FOLDER, NODE, SUITE = sys.argv[1:]
tap = Tap()


def section():
    with open("docs/reference/mcp.md") as f:
        return re.search(r"^### 18\.4 .*?(?=^##|\Z)", f.read(), re.S | re.M).group(0)


def tables(text):
    """(scenarios that apply, by revision; checks of them that do not, with the reason; scenarios that do not)"""
    applies, checks, exempt = {}, {}, {}
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 2:
            continue
        names = re.findall(r"`([^`]+)`", cells[1 if cells[0] in REVISIONS else 0])
        if cells[0] in REVISIONS:
            applies[cells[0]] = names
        else:
            for name in names:
                (checks if ":" in name else exempt)[name] = cells[1]
    return applies, checks, exempt


def run(revision):
    """The checks of each scenario that ran: name -> [(id, status, message)]."""
    out = f"{FOLDER}/{revision}"
    said = subprocess.run([NODE, SUITE, "server", "--url", URL, "--requirements", revision, "-o", out],
                          capture_output=True, text=True, timeout=250, check=False)
    scenarios = {}
    for path in glob.glob(f"{out}/*/checks.json"):
        name = re.fullmatch(r"server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z", path.split("/")[-2]).group(1)
        with open(path) as f:
            checks = json.load(f)
        scenarios[name] = [(c["id"], c["status"], c.get("errorMessage", "")) for c in checks]
    return scenarios, said.stdout[-2000:] + said.stderr[-2000:]


applies, checks_not, exempt = tables(section())
ran = set()
for revision in REVISIONS:
    scenarios, said = run(revision)
    for name in applies[revision]:
        bad = [c for c in scenarios.get(name, []) if c[1] in ("FAILURE", "WARNING")]
        wanted = {c for c in checks_not if c.startswith(name + ":")} if revision == REVISIONS[1] else set()
        passed = sum(c[1] == "SUCCESS" for c in scenarios.get(name, []))
        surplus = wanted ^ {f"{name}:{c[0]}" for c in bad}
        tap.check(f"{revision}: {name} ({passed} checks{f', {len(wanted)} do not apply' if wanted else ''})",
                  passed and not surplus, [sorted(surplus), bad, said if name not in scenarios else ""])
    others = sorted(set(scenarios) - set(applies[revision]))
    unknown = [name for name in others if name not in exempt]
    tap.check(f"{revision}: {len(applies[revision])} scenarios apply, {len(others)} do not, for a reason that is written down",
              others and not unknown, unknown)
    for name in others:
        print(f"# {revision}: {name} does not apply: {exempt.get(name, 'no reason is written down')}", flush=True)
    ran |= set(scenarios)
tap.check("each reason is of a scenario that runs", not set(exempt) - ran, sorted(set(exempt) - ran))
sys.exit(tap.end())
