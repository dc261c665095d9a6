#!/usr/bin/env python3
"""Records a capture: what a real Chromium sees while it loads a page.

    record.py --out DIR URL          a page that is served already
    record.py --out DIR [--healthy]  the dashboard of ../app, started here for the occasion

Nothing but Python's library and a Chromium. The browser is driven over --remote-debugging-pipe: messages of
the DevTools protocol as JSON, each ended by a zero byte, on descriptors 3 (to it) and 4 (from it).

Written into DIR: network.har (HAR 1.2, with the underscore members that Chromium's own export has),
console.jsonl (a console message or uncaught exception a line), and for whoever wants more: dom.json,
storage.json, performance.json, screenshot.png. ../captures/README.md describes them.
"""
import argparse
import base64
import datetime
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from http.client import responses as REASONS
from urllib.parse import parse_qsl, urlsplit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-default-apps", "--disable-extensions", "--mute-audio", "--hide-scrollbars",
         "--window-size=960,640", "--remote-debugging-pipe"]
BODY_LIMIT = 16 * 1024     # bodies longer than this stay out of the HAR
SCREENSHOT_SCALE = 0.5
PAGE_ID = "page_1"
LEVELS = {"warning": "warning", "error": "error", "assert": "error", "debug": "debug",
          "verbose": "debug", "info": "info"}


class Browser:
    """A Chromium of our own, and the one page we look at."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="record-")
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" 3<&%d 4>&%d' % (to_read, back_write), program, *FLAGS,
             "--user-data-dir=" + self.profile, "about:blank"],
            pass_fds=(to_read, back_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        self.pending = b""
        self.next_id = 0
        self.session = None
        self.events = []

    def send(self, method, **params):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        return self.next_id

    def receive(self, until):
        """The next message, or None when the monotonic time `until` has come."""
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.back], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            chunk = os.read(self.back, 1 << 16)
            if not chunk:
                raise SystemExit("record: the browser ended early")
            self.pending += chunk
        line, self.pending = self.pending.split(b"\0", 1)
        return json.loads(line)

    def ask(self, method, **params):
        """A command's result. Events that come in between are kept."""
        wanted = self.send(method, **params)
        until = time.monotonic() + 20
        while message := self.receive(until):
            if message.get("id") == wanted:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)
        raise SystemExit(f"record: no answer to {method}")

    def listen(self, seconds):
        until = time.monotonic() + seconds
        while message := self.receive(until):
            self.events.append(message)

    def evaluate(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def open_page(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(domain + ".enable")

    def close(self):
        self.session = None
        try:
            self.send("Browser.close")
            self.process.wait(5)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self.process.kill()
        finally:
            self.process.wait()
            shutil.rmtree(self.profile, ignore_errors=True)


# ---- network.har -----------------------------------------------------------------------------------------

def rfc3339(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def header_list(headers):
    return [{"name": name, "value": line} for name, value in headers.items()
            for line in value.split("\n")]


def cookie_list(value):
    pairs = (part.strip().partition("=") for part in (value or "").split(";") if part.strip())
    return [{"name": name, "value": text} for name, _, text in pairs]


def header(headers, wanted):
    return next((value for name, value in headers.items() if name.lower() == wanted), None)


class Exchange:
    """One request and what became of it, put together from several events."""

    def __init__(self, sent):
        self.sent = sent
        self.request_extra = {}
        self.response_extra = {}
        self.response = None
        self.end = None
        self.encoded = 0
        self.failure = None
        self.body = None

    def wall(self, monotonic):
        return self.sent["wallTime"] + (monotonic - self.sent["timestamp"])

    def timings(self):
        """HAR's phases in milliseconds; -1 where a phase does not apply."""
        total = max(0.0, (self.end - self.sent["timestamp"]) * 1000)
        timing = (self.response or {}).get("timing")
        if not timing:
            return total, {"blocked": total, "dns": -1, "ssl": -1, "connect": -1, "send": 0,
                           "wait": 0, "receive": 0}
        queued = max(0.0, (timing["requestTime"] - self.sent["timestamp"]) * 1000)
        first = next((timing[name] for name in ("dnsStart", "connectStart", "sendStart")
                      if timing[name] >= 0), 0)

        def phase(start, end):
            return timing[end] - timing[start] if timing[start] >= 0 else -1

        phases = {"blocked": queued + first, "dns": phase("dnsStart", "dnsEnd"),
                  "ssl": phase("sslStart", "sslEnd"),
                  "connect": phase("connectStart", "connectEnd"),
                  "send": phase("sendStart", "sendEnd"),
                  "wait": max(0.0, timing["receiveHeadersEnd"] - timing["sendEnd"])}
        phases["receive"] = max(0.0, total - queued - timing["receiveHeadersEnd"])
        return total, phases

    def initiator(self):
        """As Chromium exports it, without the numbers that change from run to run."""
        given = self.sent["initiator"]
        kept = {key: given[key] for key in ("type", "url", "lineNumber", "columnNumber")
                if key in given}
        frames = []
        stack = given.get("stack")
        while stack:
            frames += stack["callFrames"]
            stack = stack.get("parent")
        if frames:
            kept["stack"] = {"callFrames": [
                {key: frame[key] for key in ("functionName", "scriptId", "url", "lineNumber",
                                             "columnNumber")} for frame in frames[:12]]}
        return kept

    def entry(self):
        request = self.sent["request"]
        response = self.response or {}
        total, phases = self.timings()
        asked = self.request_extra.get("headers") or request["headers"]
        got = self.response_extra.get("headers") or response.get("headers", {})
        status = self.response_extra.get("statusCode") or response.get("status", 0)
        entry = {
            "pageref": PAGE_ID,
            "startedDateTime": rfc3339(self.sent["wallTime"]),
            "time": round(total, 3),
            "_initiator": self.initiator(),
            "_priority": request["initialPriority"],
            "_resourceType": self.sent.get("type", "Other").lower(),
            "request": {
                "method": request["method"], "url": request["url"],
                "httpVersion": response.get("protocol", "unknown"),
                "headers": header_list(asked),
                "queryString": [{"name": name, "value": value} for name, value in
                                parse_qsl(urlsplit(request["url"]).query, True)],
                "cookies": cookie_list(header(asked, "cookie")),
                "headersSize": -1, "bodySize": len(request.get("postData", "").encode())},
            "response": {
                "status": status,
                "statusText": response.get("statusText") or REASONS.get(status, ""),
                "httpVersion": response.get("protocol", "unknown"),
                "headers": header_list(got),
                "cookies": cookie_list((header(got, "set-cookie") or "").split(";")[0]),
                "content": self.content(response),
                "redirectURL": header(got, "location") or "",
                "headersSize": -1, "bodySize": -1,
                "_transferSize": int(self.encoded), "_error": self.failure},
            "cache": {},
            "timings": {name: round(value, 3) for name, value in phases.items()}}
        if "postData" in request:
            entry["request"]["postData"] = {"mimeType": header(asked, "content-type") or "",
                                            "text": request["postData"]}
        return entry

    def content(self, response):
        content = {"size": 0, "mimeType": response.get("mimeType", "x-unknown")}
        if self.body is not None:
            text, is_base64 = self.body
            raw = base64.b64decode(text) if is_base64 else text.encode()
            content["size"] = len(raw)
            if len(raw) <= BODY_LIMIT and self.sent.get("type") in ("XHR", "Fetch"):
                content["text"] = text
                if is_base64:
                    content["encoding"] = "base64"
        return content


def collect(browser):
    """The exchanges of all network events seen, in the order in which they began."""
    exchanges = {}
    early = {}  # extra headers may come before the event they belong to

    def extra(params, name):
        if params["requestId"] in exchanges:
            setattr(exchanges[params["requestId"]], name, params)
        else:
            early.setdefault(params["requestId"], {})[name] = params

    for event in browser.events:
        method, params = event.get("method"), event.get("params", {})
        exchange = exchanges.get(params.get("requestId"))
        if method == "Network.requestWillBeSent":
            if params["request"]["url"].startswith(("data:", "blob:")):
                continue
            if exchange and "redirectResponse" in params:
                exchange.response, exchange.end = params["redirectResponse"], params["timestamp"]
                exchanges[params["requestId"] + "/redirect/%d" % len(exchanges)] = exchange
            new = Exchange(params)
            for name, value in early.pop(params["requestId"], {}).items():
                setattr(new, name, value)
            exchanges[params["requestId"]] = new
        elif method == "Network.requestWillBeSentExtraInfo":
            extra(params, "request_extra")
        elif method == "Network.responseReceivedExtraInfo":
            extra(params, "response_extra")
        elif exchange and method == "Network.responseReceived":
            # Its end too, for now: a body that the page never reads is never reported as finished.
            exchange.response, exchange.end = params["response"], params["timestamp"]
        elif exchange and method == "Network.loadingFinished":
            exchange.end, exchange.encoded = params["timestamp"], params["encodedDataLength"]
        elif exchange and method == "Network.loadingFailed":
            exchange.end, exchange.failure = params["timestamp"], params["errorText"]
    for request_id, exchange in exchanges.items():
        if exchange.response and exchange.body is None and not exchange.failure:
            exchange.body = response_body(browser, request_id)
    done = [exchange for exchange in exchanges.values() if exchange.end is not None]
    return sorted(done, key=lambda exchange: exchange.sent["wallTime"])


def response_body(browser, request_id):
    try:
        body = browser.ask("Network.getResponseBody", requestId=request_id)
    except RuntimeError:  # an answer without a body
        return None
    return body["body"], body["base64Encoded"]


def har(exchanges, version, title, page):
    started = exchanges[0].sent["wallTime"] if exchanges else time.time()
    name, _, number = version["product"].partition("/")
    return {"log": {
        "version": "1.2",
        "creator": {"name": "manglecp browser recorder", "version": "1"},
        "browser": {"name": name, "version": number},
        "pages": [{"startedDateTime": rfc3339(started), "id": PAGE_ID, "title": title,
                   "pageTimings": {"onContentLoad": page.get("content_loaded_ms"),
                                   "onLoad": page.get("load_ms")}}],
        "entries": [exchange.entry() for exchange in exchanges]}}


# ---- console.jsonl ---------------------------------------------------------------------------------------

def frame_line(frame):
    place = f"{frame['url']}:{frame['lineNumber'] + 1}:{frame['columnNumber'] + 1}"
    return f"at {frame['functionName']} ({place})" if frame["functionName"] else f"at {place}"


def error_stack(thrown):
    """The stack as the error itself tells it: with the class of a method, which frames do not have."""
    lines = [line.strip() for line in thrown.get("description", "").split("\n")]
    return [line for line in lines[1:] if line.startswith("at ")]


def remote_text(value):
    if "value" in value:
        return value["value"] if isinstance(value["value"], str) else json.dumps(value["value"])
    return value.get("description") or value.get("unserializableValue") or value["type"]


def format_arguments(arguments):
    """As the console shows them: the first may hold %s, %d and the like."""
    texts = [remote_text(argument) for argument in arguments]
    if not texts or "%" not in texts[0]:
        return " ".join(texts)
    rest = texts[1:]
    parts = texts[0].split("%")
    shown = parts[0]
    for part in parts[1:]:
        if part[:1] in ("s", "d", "i", "f", "o", "O") and rest:
            shown += rest.pop(0) + part[1:]
        else:
            shown += "%" + part
    return " ".join([shown, *rest])


def console_line(ts, level, text, source, url, line, column, stack):
    return {"ts": round(ts), "level": level, "text": text, "source": source, "url": url,
            "line": line, "column": column, "stack": stack}


def console(events):
    """One object for each thing that the console would show, in order of time."""
    lines = []
    for event in events:
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            frames = params.get("stackTrace", {}).get("callFrames", [])
            top = frames[0] if frames else {"url": "", "lineNumber": -1, "columnNumber": -1}
            lines.append(console_line(
                params["timestamp"], LEVELS.get(params["type"], "log"),
                format_arguments(params["args"]), "javascript", top["url"],
                top["lineNumber"] + 1, top["columnNumber"] + 1, [frame_line(f) for f in frames]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            frames = details.get("stackTrace", {}).get("callFrames", [])
            thrown = details.get("exception", {})
            message = (thrown.get("description") or remote_text(thrown)).split("\n")[0] \
                if thrown else ""
            lines.append(console_line(
                params["timestamp"], "error", f"{details['text']} {message}".strip(),
                "javascript", details.get("url", "") or (frames[0]["url"] if frames else ""),
                details["lineNumber"] + 1, details["columnNumber"] + 1,
                error_stack(thrown) or [frame_line(f) for f in frames]))
        elif method == "Log.entryAdded":
            entry = params["entry"]
            frames = entry.get("stackTrace", {}).get("callFrames", [])
            lines.append(console_line(
                entry["timestamp"], LEVELS.get(entry["level"], "log"), entry["text"],
                entry["source"], entry.get("url", ""), entry.get("lineNumber", -1) + 1, 0,
                [frame_line(f) for f in frames]))
    return sorted(lines, key=lambda line: line["ts"])


# ---- the page itself -------------------------------------------------------------------------------------

SNAPSHOT = r"""(() => {
  const short = (text, most) => (text ?? "").replace(/\s+/g, " ").trim().slice(0, most);
  const label = (e) => short(e.getAttribute("aria-label") || e.labels?.[0]?.innerText || e.innerText
                             || e.placeholder || e.title || e.name || "", 80);
  const visible = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const role = (e) => e.getAttribute("role") || {A: "link", BUTTON: "button", SELECT: "combobox",
      TEXTAREA: "textbox", SUMMARY: "button"}[e.tagName]
      || ({checkbox: "checkbox", radio: "radio", submit: "button", button: "button"}[e.type] ?? "textbox");
  const acting = [...document.querySelectorAll(
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [onclick]")];
  const ref = new Map(acting.map((e, i) => [e, "e" + (i + 1)]));
  const selector = (e) => e.id ? "#" + e.id
      : e.tagName.toLowerCase() + (e.name ? `[name="${e.name}"]` : "");
  const field = (e) => ({ref: ref.get(e), name: e.name, type: e.type, label: label(e),
      required: !!e.required, value: e.type === "password" ? "" : short(e.value, 80)});
  return {
    url: location.href, title: document.title, ts: Date.now(),
    text: short(document.body?.innerText, 4000),
    headings: [...document.querySelectorAll("h1, h2, h3")].map((e) =>
        ({level: +e.tagName[1], text: short(e.innerText, 120)})),
    elements: acting.map((e) => ({ref: ref.get(e), tag: e.tagName.toLowerCase(), role: role(e),
        name: label(e), selector: selector(e), visible: visible(e), enabled: !e.disabled})),
    forms: [...document.forms].map((f) => ({id: f.id, action: f.action, method: f.method,
        fields: [...f.elements].filter((e) => e.name).map(field)})),
    links: [...document.querySelectorAll("a[href]")].map((e) =>
        ({ref: ref.get(e), text: short(e.innerText, 80), href: e.href})),
    images: [...document.images].map((e) =>
        ({src: e.src, alt: e.alt, loaded: e.complete && e.naturalWidth > 0})),
    components: [...document.querySelectorAll("*")].filter((e) => e.localName.includes("-"))
        .map((e) => ({tag: e.localName, name: e.constructor.name, children: e.childElementCount,
                      text_length: e.innerText?.length ?? 0, visible: visible(e)}))
  };
})()"""

STORAGE = r"""({ origin: location.origin,
  local: Object.fromEntries(Object.entries(localStorage)),
  session: Object.fromEntries(Object.entries(sessionStorage)) })"""

# Long tasks are only seen by an observer that asks for those already past.
TIMING = r"""(async () => {
  const near = (ms) => Math.round(ms * 10) / 10;
  const tasks = await new Promise((done) => {
    new PerformanceObserver((list) => done(list.getEntries()))
        .observe({ type: "longtask", buffered: true });
    setTimeout(() => done([]), 300);
  });
  const nav = performance.getEntriesByType("navigation")[0];
  return {
    time_origin: Math.round(performance.timeOrigin),
    navigation: nav && {type: nav.type, response_start_ms: near(nav.responseStart),
        response_end_ms: near(nav.responseEnd), dom_interactive_ms: near(nav.domInteractive),
        content_loaded_ms: near(nav.domContentLoadedEventEnd), load_ms: near(nav.loadEventEnd),
        transfer_bytes: nav.transferSize},
    paint: performance.getEntriesByType("paint").map((e) => ({name: e.name, start_ms: near(e.startTime)})),
    marks: performance.getEntriesByType("mark").map((e) => ({name: e.name, start_ms: near(e.startTime)})),
    measures: performance.getEntriesByType("measure").map((e) =>
        ({name: e.name, start_ms: near(e.startTime), duration_ms: near(e.duration)})),
    long_tasks: tasks.map((e) => ({name: e.name, start_ms: near(e.startTime), duration_ms: near(e.duration)}))
  };
})()"""


def storage(browser, url):
    found = browser.evaluate(STORAGE)
    cookies = browser.ask("Network.getCookies", urls=[url])["cookies"]
    found["cookies"] = [{key: cookie.get(key) for key in ("name", "value", "domain", "path", "httpOnly",
                                                          "secure", "sameSite", "session")}
                        for cookie in cookies]
    return found


def timing(browser):
    result = browser.ask("Runtime.evaluate", expression=TIMING, returnByValue=True, awaitPromise=True)
    return result["result"].get("value") or {}


def screenshot(browser):
    size = browser.ask("Page.getLayoutMetrics")["cssLayoutViewport"]
    clip = {"x": 0, "y": 0, "width": size["clientWidth"], "height": size["clientHeight"],
            "scale": SCREENSHOT_SCALE}
    return base64.b64decode(browser.ask("Page.captureScreenshot", format="png", clip=clip)["data"])


# ---- the whole -------------------------------------------------------------------------------------------

def write_json(path, value, indent=1):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")


def record(url, out, program, seconds):
    browser = Browser(program)
    try:
        version = browser.ask("Browser.getVersion")
        browser.open_page()
        browser.ask("Page.navigate", url=url)
        browser.listen(seconds)
        events = list(browser.events)
        page = browser.evaluate(SNAPSHOT)
        times = timing(browser)
        stored = storage(browser, url)
        picture = screenshot(browser)
        browser.events = events  # what we caused ourselves by looking does not count
        exchanges = collect(browser)
    finally:
        browser.close()
    out.mkdir(parents=True, exist_ok=True)
    write_json(out / "network.har", har(exchanges, version, page["title"], times.get("navigation") or {}))
    lines = console(events)
    (out / "console.jsonl").write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    write_json(out / "dom.json", page)
    write_json(out / "storage.json", stored)
    write_json(out / "performance.json", times)
    (out / "screenshot.png").write_bytes(picture)
    print(f"{out}: {len(exchanges)} requests, {len(lines)} console messages")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", nargs="?", help="the page; left out, the dashboard is started")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--healthy", action="store_true", help="the dashboard without its bug")
    parser.add_argument("--port", type=int, default=8080, help="of the dashboard (8080; 0: any)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to watch (5)")
    parser.add_argument("--chromium", default="chromium", metavar="PROGRAM")
    options = parser.parse_args()
    if options.url:
        record(options.url, options.out, options.chromium, options.seconds)
        return
    from server import make_server
    server = make_server(options.port, options.healthy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    record(f"http://localhost:{server.server_address[1]}/", options.out, options.chromium,
           options.seconds)
    server.shutdown()


if __name__ == "__main__":
    main()
