#!/usr/bin/env python3
"""Records every page of the test bed, or those that are named, with manglecp-record: record.py [BUILD_DIR] [PAGE...]

A recording is recordings/PAGE/events.jsonl. What is recorded while a machine is busy with something else is slower than
it should be, and rules read times: record when it is idle."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))

import pages  # noqa: E402
from server import Bed  # noqa: E402


TRIES = 3

# What every request of a browser says, no evidence is taken from and would be most of a recording.
NEVER_READ = {"accept", "accept-encoding", "accept-language", "connection", "date", "server", "upgrade-insecure-requests",
              "user-agent", "pragma", "priority", "referer"}


def is_read(name):
    return name.lower() not in NEVER_READ and not name.lower().startswith(("sec-ch-", "sec-fetch-", "sec-websocket-"))


def trimmed(value):
    if isinstance(value, list):
        return [trimmed(item) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, member in value.items():
        if name == "headers" and isinstance(member, dict):
            member = {header: text for header, text in member.items() if is_read(header)}
        elif name == "timing" and isinstance(member, dict):
            member = {what: at for what, at in member.items() if at != -1}
        else:
            member = trimmed(member)
        out[name] = member
    return out


def requests_of(messages, method):
    return {message["p"]["requestId"] for message in messages if message["m"] == method}


def copy_trimmed(source, target):
    """Headers are kept where the browser tells them best, texts of styles not at all."""
    with open(source, encoding="utf-8") as lines:
        messages = [trimmed(json.loads(line)) for line in lines]
    asked = requests_of(messages, "Network.requestWillBeSentExtraInfo")
    answered = requests_of(messages, "Network.responseReceivedExtraInfo")
    styles = requests_of([m for m in messages if m["p"].get("type") == "Stylesheet"], "Network.requestWillBeSent")
    with open(target, "w", encoding="utf-8") as out:
        for message in messages:
            p = message["p"]
            if message["m"] == "Network.requestWillBeSent" and p["requestId"] in asked:
                p["request"].pop("headers", None)
            elif message["m"] == "Network.responseReceived" and p["requestId"] in answered:
                p["response"].pop("headers", None)
            elif message["m"] == "Machina.body" and p["requestId"] in styles:
                continue
            elif message["m"] == "Debugger.scriptParsed" and not p.get("url"):
                continue  # what the recorder itself asked of the page
            out.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")


def was_loaded(path):
    """Not so on a machine that was too busy to load the page while it was recorded."""
    with open(path, encoding="utf-8") as lines:
        states = [json.loads(line)["p"] for line in lines if '"Machina.state"' in line]
    return bool(states) and states[-1].get("ready") == "complete"


def options_of(page):
    options = []
    for what, value in page.steps:
        options += ["--watch", str(math.ceil(int(value) / 1000))] if what == "wait" else [f"--{what}", value]
    return options


def record(build, page, bed, target):
    """The size of what was recorded; raises what manglecp-record said."""
    with tempfile.TemporaryDirectory(prefix="bed-") as scratch:
        made = pathlib.Path(scratch) / page.id
        run = subprocess.run(
            [str(ROOT / "domains/browser/manglecp-record"), bed.url(page), "-o", str(made), "--allow",
             "localhost 127.0.0.1", *options_of(page)],
            capture_output=True, text=True, timeout=300,
            env={**os.environ, "MANGLECP": str(build / "bin/manglecp"), "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"})
        if run.returncode:
            raise RuntimeError(run.stderr.strip())
        if not was_loaded(made / "events.jsonl"):
            raise RuntimeError("the page was not loaded in time")
        target.mkdir(parents=True, exist_ok=True)
        copy_trimmed(made / "events.jsonl", target / "events.jsonl")
    return (target / "events.jsonl").stat().st_size


def record_patiently(build, page, bed, target):
    """Some more tries for what a busy machine spoils. 0: none was good, which was said."""
    for _ in range(TRIES):
        try:
            return record(build, page, bed, target)
        except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
            print(f"{page.id}: {error}", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.environ.get("BUILD_DIR", str(ROOT / "build")))
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "recordings")
    options = parser.parse_intermixed_args()
    chosen = [pages.BY_ID[name] for name in options.pages] or pages.PAGES
    total = failed = 0
    with Bed() as bed:
        for page in chosen:
            size = record_patiently(pathlib.Path(options.build).resolve(), page, bed, options.out / page.id)
            if not size:
                failed += 1
                continue
            total += size
            print(f"{page.id}: {size // 1024} KiB", flush=True)
    print(f"{total // 1024} KiB in {len(chosen) - failed} recordings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
