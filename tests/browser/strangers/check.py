#!/usr/bin/env python3
"""Checks the applications and their judge, without a browser: prints TAP.

Every page says what is true of it, is served with the scripts and styles that it names, and with a port at every place for
one; no path names a fault; servers end when who started them is gone; the judge judges as README.md says."""
import json
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import judge  # noqa: E402

OPTIONS = {"--wait", "--click", "--type", "--press", "--open", "--watch"}
OF_ALL = {"id", "path", "steps", "healthy"}
OF_FAULTY = {"wrong", "cause", "words", "place", "not"}
TELLING = re.compile(r"fault|bug|broken|wrong|stale|leak|cors|csrf|healthy", re.IGNORECASE)
FILES = (".html", ".js", ".css")


def get(url):
    """(status, type, text)"""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.headers.get_content_type(), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, "", ""


def said_of(page):
    """What is wrong with a page's entry, or None."""
    own = {name for name in page if name not in ("application", "name", "partly")}
    if own != OF_ALL | ({"noise"} if page["healthy"] else OF_FAULTY):
        return f"its members are {sorted(own)}"
    steps = page["steps"]
    if len(steps) % 2 or not set(steps[::2]) <= OPTIONS:
        return f"its steps are {steps}"
    if page["healthy"]:
        return None
    if not page["words"] or not all(page["words"]) or not page["place"]:
        return "no words, or no place"
    for pattern in [*sum(page["words"], []), *page["place"], *page["not"], page.get("partly", "")]:
        re.compile(pattern)
    return None


def served_of(address, page):
    """What is wrong with a page as it is served, or None: its document, and what that names."""
    status, kind, text = get(address + page["path"])
    if status != 200 or kind != "text/html" or "@@" in text:
        return f"{page['path']}: {status} {kind}"
    for name in set(re.findall(r'<(?:script|link)[^>]*(?:src|href)="(/[^"]+\.(?:js|css))"', text)):
        status, kind, text = get(address + name)
        if status != 200 or kind not in ("text/javascript", "text/css") or "@@" in text:
            return f"{name}: {status} {kind}"
    return None


def files_of(name):
    """A file of an application that tells what it must not, or has a port of its own."""
    for path in sorted((judge.HERE / name).rglob("*")):
        if TELLING.search(str(path.relative_to(judge.HERE))):
            return f"{path.name} tells what it is about"
        if path.suffix in FILES and re.search(r"//[\w.]+:\d{2,5}\b", path.read_text(encoding="utf-8")):
            return f"{path.name} has a port of its own"
    return None


def application(name):
    pages = judge.pages_of(name)
    if len({page["id"] for page in pages}) < len(pages):
        return "two pages of one name"
    for page in pages:
        wrong = said_of(page) or (TELLING.search(page["path"]) and "its path tells what it is about")
        if wrong:
            return f"{page['id']}: {wrong}"
    with judge.served(name) as address:
        for page in pages:
            wrong = served_of(address, page)
            if wrong:
                return f"{page['id']}: {wrong}"
    return files_of(name)


def ends_with_its_input(name):
    child = subprocess.Popen([sys.executable, "-B", str(judge.HERE / name / "server.py"), "--until-eof"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        child.stdout.readline()
        child.stdin.close()
        child.wait(10)
        return None
    except subprocess.TimeoutExpired:
        return "it goes on"
    finally:
        child.kill()
        child.wait(10)
        child.stdout.close()


PAGE = {"healthy": False, "words": [["cart"], ["cache", "max-age"]], "place": ["/api/cart"], "not": ["^POST"],
        "partly": "/api/basket"}


def finding(cause, place, why=""):
    return {"cause": {"text": cause, "id": "cache"}, "change": [{"where": place, "what": "do not keep it"}], "why": [why]}


JUDGED = [
    ("silent", PAGE, []),
    ("right", PAGE, [finding("GET /api/cart came from the Cache", "GET /api/cart")]),
    ("right", PAGE, [finding("GET /api/cart is an old one", "GET /api/cart", "it has max-age=60")]),
    ("wrong", PAGE, [finding("GET /api/cart answered 500", "GET /api/cart")]),  # an id is no word
    ("partly", PAGE, [finding("GET /api/cart came from the cache", "/shop/cart.js:4")]),
    ("partly", PAGE, [finding("POST /api/cart was kept in the cache", "POST /api/cart")]),
    ("partly", PAGE, [finding("GET /api/me", "GET /api/me"), finding("GET /api/cart: cache", "GET /api/cart")]),
    ("partly", PAGE, [finding("GET /api/basket answered 404", "GET /api/basket")]),
    ("quiet", {"healthy": True}, []),
    ("blamed", {"healthy": True}, [finding("GET /api/me answered 401", "GET /api/me")]),
]


def judges():
    for verdict, page, findings in JUDGED:
        said = judge.judged(page, {"findings": findings})
        if said != verdict:
            return f"{json.dumps(findings)} is {said}, not {verdict}"
    return None


def bounded_wait():
    """A command and its child are ended with their time."""
    begun = time.monotonic()
    try:
        judge.bounded(["sh", "-c", "sleep 60 & sleep 60"], 0.3, None)
    except judge.Failure:
        return None if time.monotonic() - begun < 20 else "it took its time"
    return "it was waited for"


def main():
    rows = [(f"{name} is whole", lambda name=name: application(name)) for name in judge.APPLICATIONS]
    rows += [(f"the server of {name} ends with its input", lambda name=name: ends_with_its_input(name))
             for name in judge.APPLICATIONS]
    rows += [("the judge judges as it says", judges), ("no command outlives its time", bounded_wait)]
    print(f"1..{len(rows)}")
    failed = 0
    for number, (name, check) in enumerate(rows, 1):
        try:
            wrong = check()
        except (judge.Failure, OSError, ValueError, re.error) as error:
            wrong = f"{type(error).__name__}: {error}"
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}" + (f"\n# {wrong}" if wrong else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
