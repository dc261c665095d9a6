"""The server of server.py behind an address: web_server.py REVISION [MODE]. Prints its port.

MODE: json (default) or events says how answers come; token wants "Bearer s3cr3t-s3cr3t"; dies closes in mid-answer;
redirect, down (503), notfound (404 for a call: the session has ended), endless. Every request's method, headers and
what was said of it are lines of requests.log."""
import http.server
import json
import sys
import time

MODE = sys.argv[2] if len(sys.argv) > 2 else "json"
sys.argv[2:] = ["good"]
import server  # noqa: E402  reads the arguments

log = open("requests.log", "a", buffering=1)
sessions = set()


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
            return self.plain(401)
        if MODE == "redirect":
            return self.plain(307, Location="http://example.com/")
        if MODE == "down":
            return self.plain(503)
        if "id" not in message or "method" not in message:
            return self.plain(202)
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
print(httpd.server_address[1], flush=True)
httpd.serve_forever()
