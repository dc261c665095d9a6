"""What a recording of a live page keeps, against a small site with a fault of each kind. TAP."""
import base64
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import manglecp

PROGRAM = os.environ["MANGLECP"]
RECORD = "domains/browser/manglecp-record"
FILES = {"events.jsonl", "dom.json", "storage.json", "performance.json", "screenshot.png"}
PAGE = """<!doctype html><title>Faults</title><body><p>Hello</p><button id=go>Go</button>
<input id=name><script src=/page.js></script>"""
SCRIPT = """
const gone = new AbortController();
fetch('/api/slow', {signal: gone.signal}).catch(() => {});
setTimeout(() => gone.abort(), 200);
fetch('/api/unread');                       // nobody reads what it says
new Image().src = 'http://127.0.0.2:1/kept-out.png';  // by the page's own policy
const socket = new WebSocket(`ws://${location.host}/socket`);
socket.onmessage = (event) => { document.title = event.data; };
const hidden = ['not', 'to', 'be', 'kept'].join('-');
localStorage.setItem('token', hidden); localStorage.setItem('theme', 'dark');
document.cookie = 'sid=' + hidden;
fetch('/api/mine', {headers: {authorization: 'Bearer ' + hidden}});
document.querySelector('#go').onclick = () => fetch('/api/pressed?name=' + document.querySelector('#name').value);
"""


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/socket":
            key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
            self.end_headers()
            self.wfile.write(b"\x81\x0dfrom a socket")
            time.sleep(20)
            self.close_connection = True
            return
        if path == "/api/slow":
            time.sleep(5)
        kind, body = {"/": ("text/html", PAGE), "/page.js": ("text/javascript", SCRIPT)}.get(
            path, ("application/json", json.dumps({"said": path})))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", "img-src 'self'")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body.encode())
        except OSError:
            pass

    def log_message(self, *args):
        pass


def record(*arguments):
    """(status, what it said, what it complained of)"""
    done = subprocess.run([RECORD, *arguments], capture_output=True, text=True, timeout=150)
    return done.returncode, done.stdout, done.stderr


def events(folder, method=None):
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    return [line["p"] for line in lines if not method or line["m"] == method]


def leftovers(folder):
    """Whatever is there that is no recording, and browsers that still run."""
    running = subprocess.run(["pgrep", "-f", f"user-data-dir={folder}"], capture_output=True, text=True).stdout
    return [name for name in os.listdir(folder) if name.startswith((".", "manglecp"))] + running.split()


def closed_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def test_a_page_with_faults_of_all_kinds(folder, page):
    status, said, why = record(page, "-o", str(folder / "faults"), "--type", "#name=Ann", "--click", "#go",
                               "--wait", "Hello")
    assert status == 0, why
    made = folder / "faults"
    assert {path.name for path in made.iterdir()} == FILES, list(made.iterdir())
    assert f"{made}: " in said and f"capture={made}" in said, said
    assert (made / "screenshot.png").read_bytes().startswith(b"\x89PNG")


def test_frames_of_sockets(folder, page):
    frames = events(folder / "faults", "Network.webSocketFrameReceived")
    assert any(frame["response"]["payloadData"] == "from a socket" for frame in frames), frames


def test_why_something_failed(folder, page):
    failed = events(folder / "faults", "Network.loadingFailed")
    assert any(one.get("blockedReason") == "csp" for one in failed), failed
    assert any(one.get("canceled") for one in failed), failed


def test_bodies_that_the_page_never_read(folder, page):
    bodies = [one.get("text", "") for one in events(folder / "faults", "Machina.body")]
    assert any("/api/unread" in body for body in bodies), bodies


def test_what_was_done_to_it(folder, page):
    sent = [one["request"]["url"] for one in events(folder / "faults", "Network.requestWillBeSent")]
    assert any(url.endswith("/api/pressed?name=Ann") for url in sent), sent
    assert any(one.get("type") == "click" or "click" in json.dumps(one) for one in events(folder / "faults")
               ), "no click was seen"


def test_no_credential(folder, page):
    for name in FILES - {"screenshot.png"}:
        assert "not-to-be-kept" not in (folder / "faults" / name).read_text(), name
    assert json.loads((folder / "faults" / "storage.json").read_text())["local"]["theme"] == "dark"


def test_it_is_a_capture_like_any_other(folder, page):
    done = subprocess.run([PROGRAM, "action", "domains/browser", "AID.BROWSER.NETWORK_WATERFALL.v1", "--log", "error",
                           "--set", f"capture={folder / 'faults'}", "--json", "--input",
                           json.dumps({"capture": str(folder / "faults")})], capture_output=True, text=True)
    assert "/api/unread" in done.stdout, done.stdout + done.stderr


def test_what_is_there_stays(folder, page):
    before = (folder / "faults" / "events.jsonl").read_bytes()
    status, _, why = record(page, "-o", str(folder / "faults"))
    assert status == 1 and "there is" in why, why
    assert (folder / "faults" / "events.jsonl").read_bytes() == before
    other = folder / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("ten years of work")
    status, _, why = record(page, "-o", str(other), "--replace")
    assert status == 1 and "no recording" in why, why
    assert (other / "thesis.txt").exists()
    shutil.rmtree(other)


def test_a_page_that_fails_to_load(folder, page):
    status, _, why = record(f"http://127.0.0.1:{closed_port()}/", "-o", str(folder / "failed"))
    assert status == 3 and "did not load: net::ERR_CONNECTION_REFUSED" in why, why
    text = (folder / "failed" / "events.jsonl").read_text()
    assert "ERR_CONNECTION_REFUSED" in text, text[:500]


def shown(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=20) as answer:
        return [(tab["id"], tab["url"]) for tab in json.load(answer)]


def test_in_a_browser_that_runs(folder, page):
    """Confined as any action is; what runs there goes on."""
    place, program = folder / "running", "/usr/lib/chromium/chromium-headless-shell"
    browser = subprocess.Popen(
        [program if os.path.exists(program) else "chromium-headless-shell", "--no-sandbox", "--disable-gpu",
         "--remote-debugging-port=0", f"--user-data-dir={place}", "data:text/html,<title>Mine</title>"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until, told = time.monotonic() + 30, place / "DevToolsActivePort"
        while not (told.exists() and "/devtools" in told.read_text()) and time.monotonic() < until:
            time.sleep(0.1)
        port = told.read_text().split()[0]
        before = shown(port)
        status, _, why = record(page, "-o", str(folder / "there"), "--attach", f"http://127.0.0.1:{port}")
        assert status == 0, why
        assert "GET" in (folder / "there" / "events.jsonl").read_text()
        assert browser.poll() is None and shown(port) == before, (before, shown(port))
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
        shutil.rmtree(place, ignore_errors=True)
    status, _, why = record(page, "-o", str(folder / "none"), "--attach", f"http://127.0.0.1:{port}")
    assert status == 1 and "nobody listens there" in why, why


def test_what_is_no_page(folder, page):
    for url in ("file:///etc/passwd", "javascript:alert(1)", "chrome://version"):
        status, _, why = record(url, "-o", str(folder / "none"))
        assert status == 1 and "only http and https" in why, why
        assert not (folder / "none").exists()
    status, _, why = record(page, "-o", str(folder / "none"), "--click", "#not-there")
    assert status == 1 and "step 1 (click)" in why, why
    status, _, why = record(page, "-o", str(folder / "nowhere" / "none"))
    assert status == 1 and "there is no folder" in why, why
    for wrong in (["--watch", "0"], ["--type", "#name"], ["--spin"], [page]):
        assert record(page, *wrong)[0] == 2, wrong


def test_a_host_that_there_is_not(folder, page):
    status, said, _ = record("http://no-such-host.invalid/", "-o", str(folder / "unknown"), "--json")
    assert status == 3 and "not_loaded" in said, (status, said)
    assert record(page, "-o", str(folder / "again"), "--open", page + "other")[0] == 0


def test_three_recordings_of_one_process(folder, page):
    server = [PROGRAM, "serve", "domains/browser", "--stdio", "--log", "error", "--set", f"page={page}", "--set",
              f"recordings={folder}"]
    with manglecp.spawn(server) as client:
        for name in ("one", "two", "three"):
            offered = client.evaluate("observe", {"focus": "recording"})
            result = client.invoke(offered.tool("record_page"), {"name": name})
            assert pathlib.Path(result.result["path"]) == folder / name, result.result
            assert events(folder / name, "Network.webSocketFrameReceived"), name
        try:
            client.invoke(client.evaluate("observe", {"focus": "recording"}).tool("record_page"), {"name": "one"})
        except manglecp.Error as e:
            assert "already" in str(e), e
        else:
            raise AssertionError("it was replaced")


def test_nothing_is_left(folder, page):
    until = time.monotonic() + 20
    while leftovers(folder) and time.monotonic() < until:
        time.sleep(0.2)
    assert not leftovers(folder), leftovers(folder)


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = f"http://localhost:{server.server_address[1]}/"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="record-test-"))
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            test(folder, page)
            print(f"ok {number} - {test.__name__[5:]}", flush=True)
        except Exception as e:  # each is told, and the others run
            failed += 1
            print(f"not ok {number} - {test.__name__[5:]}", flush=True)
            print("# " + f"{type(e).__name__}: {e}"[:2000].replace("\n", "\n# "), flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(failed > 0)


main()
