#!/usr/bin/env python3
"""Checks the test bed itself, without a browser: prints TAP.

Every page is served, every change of a page finds its place, routes answer as they say, a WebSocket and an EventSource
talk, a request that is never answered does not keep the server from ending, and pages know nothing of each other."""
import http.client
import json
import pathlib
import re
import socket
import struct
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import judge  # noqa: E402
import pages  # noqa: E402
from server import WEB, Bed  # noqa: E402


def get(url, method="GET", body=None, headers=()):
    request = urllib.request.Request(url, body and json.dumps(body).encode(), dict(headers), method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


def page_is_whole(bed, page):
    """Its document and the scripts it names, with every change of this page in its place."""
    status, text, _ = get(bed.url(page))
    if status != 200 or "{{" in text:
        return f"document: {status}"
    for address in re.findall(r'(?:src|href)="(/[^"]+/assets/[^"]+)"', text):
        if page.slow.get(address.split("/assets/")[1]):
            continue
        status, script, _ = get(bed.origin + address)
        if status != 200 or "{{" in script:
            return f"{address}: {status}"
    for name in page.swaps:
        page.changed(name, (WEB / name).read_text())
    everything = "".join(file.read_text() for file in WEB.rglob("*") if file.suffix in (".js", ".html"))
    for _, value in (step for step in page.steps if step[0] in ("click", "type")):
        name = value.partition("=")[0].lstrip("#.").split("-r")[0]
        if name not in everything:
            return f"no {name} in its application"
    return None if page.healthy else expectation_is_whole(page)


def expectation_is_whole(page):
    expected = page.expected()
    for name in ("kind", "cause", "effect", "chain", "not", "change"):
        if name not in expected:
            return f"{name} is missing"
    causes = expected["cause"] if isinstance(expected["cause"], list) else [expected["cause"]]
    own = [{"cause": {"text": f"{cause.get('method', '')} {cause['path']}"}} for cause in causes if "path" in cause]
    if judge.blamed(own, {**expected, "cause": []}, page.prefix):
        return "its own cause is said to be blameless"
    return None


def socket_talks(bed):
    """A frame of the client comes back as a message."""
    prefix = pages.BY_ID["chat-photo"].prefix
    with socket.create_connection(("127.0.0.1", int(bed.origin.rpartition(":")[2])), 10) as s:
        s.sendall(f"GET /{prefix}/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        data = b'{"type":"say","text":"tide"}'
        s.sendall(struct.pack(">BB", 0x81, 0x80 | len(data)) + b"\0\0\0\0" + data)
        seen = b""
        while b'"message"' not in seen:
            more = s.recv(4096)
            if not more:
                return "closed early"
            seen += more
    return None if b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in seen and b"presence" in seen else "handshake"


def stream_talks(bed):
    with urllib.request.urlopen(f"{bed.origin}/{pages.BY_ID['dashboard-flags'].prefix}/api/live", timeout=10) as answer:
        return None if answer.readline() == b"event: visitors\n" else "no event"


def pages_are_apart(bed):
    first, second = pages.BY_ID["shop-promo"], pages.BY_ID["shop-order"]
    token = [("Authorization", "Bearer x")]
    get(f"{bed.origin}/{first.prefix}/api/cart/lines", "POST", {"product": 11, "count": 1}, token)
    mine = json.loads(get(f"{bed.origin}/{first.prefix}/api/cart", headers=token)[1])
    theirs = json.loads(get(f"{bed.origin}/{second.prefix}/api/cart", headers=token)[1])
    get(bed.url(first))
    again = json.loads(get(f"{bed.origin}/{first.prefix}/api/cart", headers=token)[1])
    counts = [len(cart["lines"]) for cart in (mine, theirs, again)]
    return None if counts == [2, 1, 1] else f"lines: {counts}"


def nobody_is_there(bed):
    try:
        get(bed.main.closed_url)
    except urllib.error.URLError as error:
        return None if isinstance(error.reason, ConnectionRefusedError) else str(error)
    return "something answered"


def ends_at_once():
    """With a request open that is never answered."""
    page = pages.BY_ID["dashboard-alerts"]
    with Bed() as bed:
        open_one = http.client.HTTPConnection("127.0.0.1", int(bed.origin.rpartition(":")[2]))
        open_one.request("GET", f"/{page.prefix}/api/alerts")
        time.sleep(0.1)
        began = time.monotonic()
    open_one.close()
    return None if time.monotonic() - began < 5 else "it took too long"


def judges_strictly():
    """The judge of diagnoses: right, partly, wrong, silent, each for its reason."""
    expected = pages.BY_ID["shop-token"].expected()
    finding = {"kind": "server_error", "effect": {"text": "TypeError (reading 'length')"},
               "cause": {"id": "r9", "text": "POST /t01/api/token answered 500"},
               "chain": [{"event": "POST /t01/api/token answered 500"}, {"event": "GET http://localhost:1/t01/api/cart answered 403"}],
               "change": [{"where": "POST /t01/api/token", "what": "answer"}]}
    other = {**finding, "cause": {"id": "r10", "text": "GET /t01/api/cart answered 403"}}
    noise = {"kind": "status", "cause": {"text": "POST /t01/api/collect answered 503"}}
    cases = [([finding], "right"), ([], "silent"), ([other], "wrong"), ([other, finding], "partly"), ([finding, noise], "partly"),
             ([{**finding, "kind": "cors"}], "partly"), ([{**finding, "chain": finding["chain"][::-1]}], "partly"),
             ([{**finding, "change": []}], "partly"), ([{**finding, "effect": {"text": "404"}}], "partly"),
             ([{**finding, "cause": {"text": "POST /t01/api/token/refresh"}}], "wrong")]
    for findings, verdict in cases:
        got = judge.judge_fault(expected, {"findings": findings}, "t01")
        if got[0] != verdict:
            return f"{findings}: {got}, not {verdict}"
    if judge.judge_healthy({"verdict": "healthy", "findings": []}, "t51")[0] != "quiet":
        return "a quiet page is blamed"
    return None if judge.judge_healthy({"findings": [noise]}, "t51")[0] == "blamed" else "blame is not seen"


def main():
    number = failed = 0

    def row(name, fault):
        nonlocal number, failed
        number += 1
        failed += bool(fault)
        print(f"{'not ok' if fault else 'ok'} {number} - {name}" + (f"\n# {fault}" if fault else ""))

    print(f"1..{len(pages.PAGES) + 6}")
    with Bed() as bed:
        for page in pages.PAGES:
            row(f"{page.id} is served", page_is_whole(bed, page))
        row("a WebSocket talks", socket_talks(bed))
        row("an EventSource talks", stream_talks(bed))
        row("pages know nothing of each other", pages_are_apart(bed))
        row("nobody is at the closed port", nobody_is_there(bed))
    row("it ends with requests open", ends_at_once())
    row("its judge is strict", judges_strictly())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
