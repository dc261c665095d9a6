#!/usr/bin/env python3
"""What stands between a model's call and the browser, in milliseconds; and a page that talks without end.

    overhead.py [--build DIR] [--domain DIR] [--rounds N] [--beside DIR]

One call that reads the heading of a page: over the whole of it (bridge, server, host, plugin, browser), and the one DevTools
message that it needs (Runtime.callFunctionOn), written to a pipe by this script and to a browser of the same kind. All take
turns; figures are medians. A page that answered a moment ago is not asked for a sign of life, so calls are made at once, and
after a pause, too. --beside is another build, of what was before, that takes its turns in the same run. Then a page that logs 1,000 lines a second: memory of server and host, tokens of what is said.
"""
import argparse
import http.server
import json
import os
import pathlib
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "tokens"), str(ROOT / "tests/browser/hostile")]

import peers  # noqa: E402
import server as hostile  # noqa: E402
import session  # noqa: E402
import suite  # noqa: E402
import tokens  # noqa: E402

CALL_S, LOOK_S = 60, 10
CALM = b"<!doctype html><title>Calm</title><h1>Calm</h1><p>Nothing happens here.</p>"
READ = "function () { const e = document.querySelector('h1'); return { text: e.innerText, shown: e.getClientRects().length > 0 } }"


class Calm(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(CALM)))
        self.end_headers()
        self.wfile.write(CALM)

    def log_message(self, *_):
        pass


class Raw:
    """A browser on a pipe, without anything between."""

    def __init__(self, browser, url):
        self.profile = tempfile.mkdtemp(prefix="overhead-")
        out, self.to = os.pipe()
        self.source, into = os.pipe()

        def dup():
            first, second = os.dup(out), os.dup(into)
            os.dup2(first, 3)
            os.dup2(second, 4)
        self.child = subprocess.Popen([browser, "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--no-first-run",
                                       "--disable-background-networking", f"--user-data-dir={self.profile}", "about:blank"],
                                      close_fds=False, preexec_fn=dup, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(out)
        os.close(into)
        self.last, self.rest, self.session = 0, b"", None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.navigate", url=url)
        time.sleep(2)
        self.object = self.ask("Runtime.evaluate", expression="document")["result"]["objectId"]

    def ask(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params, **({"sessionId": self.session} if self.session else {})}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            one, found, rest = self.rest.partition(b"\0")
            if not found:
                self.rest += os.read(self.source, 1 << 16)
                continue
            self.rest = rest
            answer = json.loads(one)
            if answer.get("id") == self.last:
                return answer["result"]

    def read(self):
        begun = time.perf_counter()
        said = self.ask("Runtime.callFunctionOn", functionDeclaration=READ, objectId=self.object, returnByValue=True)
        assert said["result"]["value"]["text"] == "Calm"
        return time.perf_counter() - begun

    def close(self):
        os.close(self.to)
        self.child.kill()
        self.child.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def figures_ms(seconds):
    """The median, and what a tenth was faster than: on a busy machine the one is about the others' work."""
    return statistics.median(seconds) * 1000, statistics.quantiles(seconds, n=10)[0] * 1000


PAUSE_S, PAUSED_OF = 0.3, 4  # longer than an answer counts as a sign of life; every so many rounds


def opened(program, domain, url, folder):
    """A session that has read the page once."""
    ours = session.Session(program, domain, url, folder)
    ours.call("intent", {"intent": "automate", "params": {"action": "read"}, "facts": {"current_url": [url]}}, CALL_S)
    text, error = ours.run("read_page", CALL_S, selector="h1")
    assert not error and "Calm" in text, text
    return ours


def timed(act):
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def take_turns(raw, sessions, rounds):
    """{name: seconds} of the raw message, and of each session: a call, a call after a pause, a call that needs no browser."""
    times = {}
    for number in range(rounds):
        times.setdefault("raw", []).append(raw.read())
        for name, ours in sessions.items():
            def read():
                ours.run("read_page", CALL_S, selector="h1")
            read()
            times.setdefault(f"{name} call", []).append(timed(read))
            times.setdefault(f"{name} state", []).append(timed(lambda: ours.call("state", {"show": "suggestions"}, CALL_S)))
            if number % PAUSED_OF == 0:
                time.sleep(PAUSE_S)
                times.setdefault(f"{name} paused", []).append(timed(read))
    return times


def overhead(programs, domain, browser, rounds):
    """{name: (median, best tenth)} in ms, as of take_turns()."""
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Calm)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{site.server_address[1]}/"
    folders = [pathlib.Path(tempfile.mkdtemp(prefix="overhead-")) for _ in programs]
    sessions, raw = {}, Raw(browser, url)
    try:
        for (name, program), folder in zip(programs.items(), folders):
            sessions[name] = opened(program, domain, url, folder)
        times = take_turns(raw, sessions, rounds)
    finally:
        raw.close()
        for ours in sessions.values():
            ours.close()
        site.shutdown()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
    return {name: figures_ms(seconds) for name, seconds in times.items()}


def chatter(program, domain, count):
    """MiB of server and host after the first look and after LOOK_S more, tokens of the answers."""
    pages, hidden = hostile.start()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="overhead-"))
    ours = session.Session(program, domain, f"http://127.0.0.1:{pages.server_address[1]}/logs", folder)
    try:
        ours.call("intent", {"intent": "diagnose_error"}, CALL_S)
        first = ours.run("observe_page", CALL_S)[0]
        before = ours.peak_mib()
        time.sleep(LOOK_S)
        second, found = ours.run("observe_page", CALL_S)[0], ours.run("diagnose_page", CALL_S)[0]
        return before, ours.peak_mib(), [count(text) for text in (first, second, found)]
    finally:
        ours.close()
        for one in (pages, hidden):
            one.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def tell(all_ms, programs):
    raw = all_ms["raw"]
    print(f"browser/one DevTools message: {raw[0]:.2f} ms (best tenth {raw[1]:.2f})")
    for name in programs:
        of = "" if name == "now" else f", {name}"
        for kind, about in (("call", "a tool's call that needs one"), ("paused", "the same, after a pause"), ("state", "a call that needs no browser")):
            median, best = all_ms[f"{name} {kind}"]
            print(f"browser/{about}{of}: {median:.2f} ms (best tenth {best:.2f})")
        for kind, about in (("call", "overhead"), ("paused", "overhead after a pause")):
            median, best = all_ms[f"{name} {kind}"]
            print(f"browser/{about}{of}: {median - raw[0]:.2f} ms (over the message; best tenths {best - raw[1]:.2f}; aim: less than 2)")
    if "before" in programs:
        for kind in ("call", "paused"):
            now, before = (all_ms[f"{name} {kind}"] for name in ("now", "before"))
            print(f"browser/overhead, now of before, {kind}: {(now[0] - raw[0]) / (before[0] - raw[0]):.2f} "
                  f"(best tenths {(now[1] - raw[1]) / (before[1] - raw[1]):.2f})")


def main():
    said = argparse.ArgumentParser()
    said.add_argument("--build", default=os.environ.get("BUILD_DIR", ROOT / "build"))
    said.add_argument("--domain", default=ROOT / "domains/browser")
    said.add_argument("--rounds", type=int, default=200)
    said.add_argument("--beside", type=pathlib.Path)
    options = said.parse_args()
    browser, program = peers.chromium(), pathlib.Path(options.build).resolve() / "bin/manglecp"
    if not browser:
        print("browser: skipped, there is no Chromium here")
        return
    programs = {"now": program, **({"before": options.beside.resolve() / "bin/manglecp"} if options.beside else {})}
    tell(overhead(programs, options.domain, browser, options.rounds), programs)
    folder = suite.cache()
    if not (folder / "node_modules").exists() and not peers.every(folder):
        return
    count = tokens.Counter(folder / "node_modules")
    before, after, said = chatter(program, options.domain, count)
    print(f"browser/1,000 lines a second: {after - before} MiB (what {LOOK_S} s more of them added to {before} MiB of server and host)")
    print(f"browser/1,000 lines a second, answers: {max(said)} tokens (observed {said[0]}, again {said[1]}, diagnosed {said[2]})")
    count.close()


if __name__ == "__main__":
    main()
