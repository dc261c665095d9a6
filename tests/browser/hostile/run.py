#!/usr/bin/env python3
"""run.py PROGRAM DOMAIN [odd | even | PAGE...]: the live domain before each page of server.py, a test a page, as TAP.

Of every page: each call is answered in time (or says precisely why it is not), the answer is short, the server and its host stay
small, the session goes on, and nothing is left when it ends: no process, no file. What else holds is said at each page.
"""
import concurrent.futures
import glob
import json
import pathlib
import re
import shutil
import sys
import tempfile
import threading
import time
import urllib.request

import server
from session import Session, Slow, size_of

CALL_SECONDS = 100     # the domain gives each of two actions 20; the rest is for a busy machine
ANSWER_CHARACTERS = 9000
PEAK_MIB = 900         # with ASan, which keeps freed memory for a while
FOLDER_MIB = 128       # profile, downloads, recordings; LIVE_DOWNLOAD_BYTES of them are kept
RENDERERS = 24
CHATTER_LINES = 8000   # more of them, however long a busy machine takes
CHATTER_SECONDS = 60
AT_ONCE = 2            # most of the time nothing happens
FORGED = ("System:", "<system>", "for automate", "pay_now", "next: pay_now", "allowed_origin(", "confirmed(", "Pays at once")


class Fault(Exception):
    """What a page must not achieve."""


def hold(condition, said):
    if not condition:
        raise Fault(said)


def look(session, times=2, tool="observe_page"):
    """Observed so often; the texts. Each is short, and none has what would act on a terminal or forge a line."""
    texts = []
    for _ in range(times):
        text, error = session.run(tool, CALL_SECONDS)
        texts.append(text)
        hold(error or text.startswith(f"{tool}:"), f"no answer of the tool: {text[:200]}")
        hold("was not offered" not in text and "unknown" not in text.lower(), f"it was not run: {text[:200]}")
        hold(len(text) <= ANSWER_CHARACTERS, f"an answer of {len(text)} characters: {text[:200]}")
        bad = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", text)
        hold(not bad, f"a control character {bad and bad.group()!r} in {bad and text[max(0, bad.start() - 60):bad.start() + 20]!r}")
        for line in text.splitlines():
            hold(not line.startswith(FORGED), f"a line of the page at the margin: {line[:120]}")
    return texts


def watched(session, act):
    """While `act` runs, the folder and the browser stay bounded."""
    stop, most = threading.Event(), {"mib": 0, "renderers": 0}

    def watch():
        while not stop.wait(0.3):
            most["mib"] = max(most["mib"], size_of(session.folder) >> 20)
            most["renderers"] = max(most["renderers"], sum("--type=renderer" in " ".join(words) for _, words in session.browsers()))
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        return act()
    finally:
        stop.set()
        thread.join()
        hold(most["mib"] <= FOLDER_MIB, f"{most['mib']} MiB in the folder")
        hold(most["renderers"] <= RENDERERS, f"{most['renderers']} renderers")


def came(world):
    """Who came to the inner server."""
    request = urllib.request.Request(f"http://127.0.0.1:{world.inner}/count", headers={server.COUNTER: "1"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def simple(session, _world):
    look(session)


def inward(session, world):
    texts = look(session)
    time.sleep(1)
    hold(not came(world), f"the page reached the inside: {came(world)[:5]}")
    hold(not any("SECRET-OF-THE-INSIDE" in text for text in texts), "the inside is in an answer")


def no_files(session, _world):
    hold(not any("root:" in text for text in look(session)), "a file of the machine is in an answer")


def talk(session, _world):
    look(session)
    facts, _ = session.call("state", {"show": "facts"}, CALL_SECONDS)
    hold(not re.search(r"^\s*(allowed_origin|confirmed)\b", facts, re.M), f"a fact of the page's own: {facts[:300]}")
    offered, _ = session.call("intent", {"intent": "automate"}, CALL_SECONDS)
    hold(not re.search(r"^pay_now\(", offered, re.M), "a tool of the page's own")


def crash(session, _world):
    look(session, 1)
    hold(session.crash(), "there is no renderer")
    text, error = session.run("observe_page", CALL_SECONDS)
    hold(not error or "crash" in text, f"it does not say that the page crashed: {text[:200]}")
    last = look(session, 2)[-1]
    hold("page_state loaded" in last and "interactive_elements 1" in last, f"the page is not there again: {last[:200]}")


def liar(session, world):
    look(session, 2)
    world.again = True  # a new session knows no worker of the one before


def downloads(session, _world):
    before = set(glob.glob("/tmp/evil*"))
    look(session)
    time.sleep(1.5)
    look(session, 1)
    hold(set(glob.glob("/tmp/evil*")) <= before, "a file outside of its folder")


def chatter(session, world):
    """Line after line: neither the memory nor the answer follows them."""
    look(session, 1)
    first, until = session.peak_mib(), time.monotonic() + CHATTER_SECONDS
    wanted = world.pages.lines + CHATTER_LINES
    while world.pages.lines < wanted and time.monotonic() < until:
        time.sleep(0.1)
    hold(world.pages.lines >= wanted, f"{world.pages.lines} lines came, {wanted} were waited for")
    look(session, 1)
    hold(session.peak_mib() - first < 150, f"{first} MiB became {session.peak_mib()}")


PAGES = [
    ("endless alerts", "/alerts", simple), ("endless growth of the document", "/nodes", simple), ("popups without end", "/popups", simple),
    ("addresses of the inside", "/inward", inward), ("a redirect to the inside", "/inward/start", inward), ("a redirect to a file", "/inward/file", no_files),
    ("a circle of redirects", "/circle", simple), ("orders to a model in text and console", "/talk", talk), ("huge bodies and texts", "/huge", simple),
    ("a renderer that crashes", "/crash", crash), ("a page that never loads", "/never", simple), ("a page that never ends", "/half", simple),
    ("a script that never ends", "/spin", simple), ("a service worker that lies", "/liar", liar), ("downloads without end", "/downloads", downloads),
    ("lines without end", "/logs?each=20", chatter),
]


class World:
    def __init__(self):
        self.pages, self.hidden = server.start()
        self.port, self.inner = self.pages.server_address[1], self.hidden.server_address[1]


def try_page(program, domain, path, judge):
    world, folder = World(), pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
    session, said = None, ""
    try:
        # said, so that other ports of this machine are not the page's to ask
        mine = f"http://127.0.0.1:{world.port}"
        session = Session(program, domain, mine + path, folder, f"allow={mine}")
        session.call("intent", {"intent": "observe"}, CALL_SECONDS)  # the tool is offered, and may be run
        watched(session, lambda: judge(session, world))
        hold(session.peak_mib() <= PEAK_MIB, f"the server and its host took {session.peak_mib()} MiB")
        said = f"slowest call {session.slowest:.1f} s, {session.peak_mib()} MiB"
    except (Fault, Slow) as why:
        said = f"FAULT {why}"
    finally:
        left = session.close() if session else []
        shutil.rmtree(folder, ignore_errors=True)
        world.pages.stop.set()
        for one in (world.pages, world.hidden):
            one.shutdown()
            one.server_close()
    if left:
        said = f"FAULT left behind: {'; '.join(left)}" + (f"; {said}" if said.startswith("FAULT") else "")
    return said


def main():
    program, domain, only = sys.argv[1], sys.argv[2], sys.argv[3:]
    if only and only[0] in ("odd", "even"):
        chosen = PAGES[only[0] == "even" :: 2]
    else:
        chosen = [page for page in PAGES if not only or page[1] in only]
    failed = 0
    print(f"1..{len(chosen)}")
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        tried = pool.map(lambda page: try_page(program, domain, page[1], page[2]), chosen)
        for number, ((name, path, _), said) in enumerate(zip(chosen, tried), 1):
            bad = said.startswith("FAULT")
            failed += bad
            print(f"{'not ok' if bad else 'ok'} {number} - {name} ({path})\n# {' / '.join(said.splitlines())}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
