"""The server of server.py behind an address: web_server.py REVISION [MODE]. Prints its port.

MODE: json (default) or events says how answers come; token wants "Bearer s3cr3t-s3cr3t"; moved is at /mcp/ and redirects
there; old speaks the HTTP of 2024-11-05, foreign the same with messages to another origin; breaks ends the stream of a call and
goes on with it on a GET; listens tells changes on a GET. Of a call alone: dies closes in mid-answer, endless (one event without
end), many (events without end), drip (a byte at a time), silent, notfound (404: the session has ended), html, bomb (gzip), headers
(megabytes of them). Of all: redirect (elsewhere), circle (to itself), down (503). Every request's method, headers and what was said
of it are lines of requests.log."""
import gzip
import http.server
import json
import queue
import sys
import time

MODE = sys.argv[2] if len(sys.argv) > 2 else "json"
sys.argv[2:] = ["good"]
import server  # noqa: E402  reads the arguments

log = open("requests.log", "a", buffering=1)
streams = []  # that were opened by GET: what is to be said on each
pending = []  # ids of calls whose stream ended


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, what):
        wanted = ("mcp-", "authorization", "accept")
        log.write(json.dumps([self.command, what, {k.lower(): v for k, v in self.headers.items() if k.lower().startswith(wanted)}]) + "\n")

    def plain(self, status, message=None, **headers):
        body = b"" if message is None else json.dumps(message).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def say(self, text):
        self.wfile.write(text.encode())
        self.wfile.flush()

    def do_GET(self):
        last = self.headers.get("Last-Event-ID")
        self.note("resume" if last else "listen")
        if MODE in ("old", "foreign"):
            said = queue.Queue()
            streams.append(said)
            self.stream()
            self.say("event: endpoint\ndata: %s\n\n" % ("/messages?sessionId=1" if MODE == "old" else "http://127.0.0.2:9/messages"))
            while True:
                self.event(said.get())
        if MODE == "breaks" and last == "e1":
            self.stream()
            return self.say("id: e2\ndata: %s\n\n" % json.dumps(
                {"jsonrpc": "2.0", "id": pending.pop(), "result": {"content": [{"type": "text", "text": "late"}]}}))
        if MODE == "listens":
            said = queue.Queue()
            streams.append(said)
            self.stream()
            while True:
                self.event(said.get())
        return self.plain(405)

    def misbehave(self, message):
        """The answer of a call that is none; False: not in this mode."""
        if MODE == "breaks":
            pending.append(message["id"])
            self.stream()
            self.say("id: e1\nretry: 200\ndata:\n\n")
        elif MODE == "many":
            self.stream()
            while True:
                self.event({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 1000}})
        elif MODE == "drip":
            self.stream()
            while True:
                self.say(":")
                time.sleep(0.05)
        elif MODE == "html":
            self.raw(b"<html>" + b"x" * 1000, Content_Type="text/html")
        elif MODE == "bomb":
            self.raw(gzip.compress(b" " * (64 << 20)), Content_Type="application/json", Content_Encoding="gzip")
        elif MODE == "headers":
            self.send_response(200)
            for i in range(2000):
                self.send_header("X-%d" % i, "y" * 1000)
            self.end_headers()
        else:
            return False
        return True

    def raw(self, body, **headers):
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_DELETE(self):
        self.note("end")
        self.plain(204)

    def event(self, message):
        data = json.dumps(message)
        self.wfile.write((": keep\r\nevent: message\r\ndata: %s\r\n\r\n" % data).encode())
        self.wfile.flush()

    def answer(self, message, **headers):
        if MODE == "events" and message.get("method") == "tools/call":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            server.say = self.event
            server.handle(message)
            self.close_connection = True
            return
        if MODE == "token":  # and says what it was told
            server.os.environ["TOLD"] = self.headers.get("Authorization", "")
        said = []
        server.say = said.append
        server.handle(message)
        final = [m for m in said if m.get("id") == message.get("id")]
        code = final[-1].get("error", {}).get("code") if final else None
        status = 404 if code == -32601 and server.modern_now else 400 if code in (-32601, -32022) else 200
        self.plain(status, final[-1] if final else None, **headers)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message.get("method", "(answer)")
        self.note(method)
        if MODE == "token" and self.headers.get("Authorization") != "Bearer s3cr3t-s3cr3t":
            return self.plain(401, WWW_Authenticate='Bearer scope="shop\x1b[2J", resource_metadata="https://a.example/r"')
        if MODE == "redirect":
            return self.plain(307, Location="http://example.com/")
        if MODE == "circle" or MODE == "moved" and self.path == "/mcp":
            return self.plain(308, Location="/mcp" if MODE == "circle" else "mcp/")
        if MODE in ("old", "foreign"):
            if self.path != "/messages?sessionId=1":
                return self.plain(405)
            server.say = streams[-1].put
            server.handle(message)
            return self.raw(b"Accepted", Content_Type="text/plain")
        if MODE == "down":
            return self.plain(503)
        if "id" not in message or "method" not in message:
            return self.plain(202)
        if method == "tools/call" and self.misbehave(message):
            return None
        if MODE == "listens" and method == "tools/call" and message["params"]["arguments"].get("text") == "change":
            server.MODE = "changed"
            streams[-1].put({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        if method == "tools/call" and MODE == "notfound":
            return self.plain(404)
        if method == "tools/call" and MODE == "dies":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b": hello\n\n")
            self.close_connection = True
            return None
        if method == "tools/call" and MODE == "endless":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"data: " + b"x" * 65536)
            except OSError:
                return None
        if method == "tools/call" and MODE == "silent":
            time.sleep(30)
        if method == "initialize" and server.REVISION != server.MODERN:
            return self.answer(message, Mcp_Session_Id="s-1")
        return self.answer(message)


httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
httpd.daemon_threads = True
httpd.handle_error = lambda *_: None  # a client that has enough closes
print(httpd.server_address[1], flush=True)
httpd.serve_forever()
