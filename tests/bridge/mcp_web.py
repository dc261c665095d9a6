"""The client of mcp_client.py over HTTP: a request is a POST of its own connection, its answer JSON or a stream.
A bridge that listens is its child, and everything that it says has to be in order: status, types, framing."""
import http.client
import json
import re
import subprocess
import threading
import time

from mcp_client import Client, Failed, R1, R2, R3, WAIT_S

ACCEPT = "application/json, text/event-stream"


def listening(child):
    """The address of a bridge that was started with --listen, from its standard error."""
    for line in child.stderr:
        found = re.search(rb"listening on (https?)://([^/]+)/mcp", line)
        if found:
            threading.Thread(target=child.stderr.read, daemon=True).start()
            return found.group(2).decode()
    raise EOFError("it does not listen")


def events(response):
    """The messages of a stream, as they come."""
    data = []
    for line in response:
        line = line.decode().rstrip("\n")
        if line.startswith("data:"):
            data.append(line[5:].lstrip())
        elif not line and data:
            yield json.loads("\n".join(data))
            data = []


class WebClient(Client):
    """`handles`: what models are told is w1, w2, …, as the tests say it, whatever it is here."""

    def __init__(self, command, revision, elicits=False, answers=(), token=None, address=None):
        self.address, self.token, self.session = address, token, None
        self.connections, self.handles, self.statuses = {}, [], []
        self.host_header = self.origin = None
        command = command[:2] + ["--listen", "127.0.0.1:0"] + command[2:] if not address else ["sleep", "1000"]
        super().__init__(command, revision, elicits, answers, stderr=subprocess.PIPE)
        self.address = address or listening(self.child)

    # ---- one exchange

    def headers(self, message):
        headers = {"Content-Type": "application/json", "Accept": ACCEPT}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if self.session and not self.modern:
            headers["Mcp-Session-Id"] = self.session
            if self.revision not in (R1, R2):
                headers["MCP-Protocol-Version"] = self.revision
        if self.modern and "method" in message:
            headers.update({"MCP-Protocol-Version": self.revision, "Mcp-Method": message["method"]})
            name = message["params"].get("name") or message["params"].get("uri")
            if message["method"] in ("tools/call", "prompts/get", "resources/read") and name:
                headers["Mcp-Name"] = name
        return headers

    def post(self, message):
        """(status, messages): all of it, one after the other."""
        connection = http.client.HTTPConnection(self.address, timeout=WAIT_S)
        self.connections[message.get("id")] = connection
        connection.request("POST", "/mcp", json.dumps(message).encode(), self.headers(message))
        response = connection.getresponse()
        self.statuses.append(response.status)
        self.session = response.headers.get("Mcp-Session-Id") or self.session
        if response.headers.get_content_type() == "text/event-stream":
            for one in events(response):
                self.lines.put(json.dumps(one).encode() + b"\n")
        else:
            body = response.read()
            if body:
                self.lines.put(body + b"\n")
            elif "id" in message and "method" in message:
                self.lines.put(None)
        connection.close()

    def exchange(self, message):
        try:
            self.post(message)
        except (OSError, http.client.HTTPException, AttributeError, ValueError):
            if self.connections.get(message.get("id")):  # not closed by ourselves
                self.lines.put(None)

    def write(self, text):
        message = json.loads(self.hide(text, back=True))
        if message.get("method") == "notifications/cancelled" and self.modern:
            connection = self.connections.pop(message["params"]["requestId"])
            connection.sock and connection.sock.shutdown(2)
            return
        thread = threading.Thread(target=self.exchange, args=(message,), daemon=True)
        thread.start()
        if "id" not in message or "method" not in message or message["method"] == "initialize":
            thread.join()

    # ---- handles

    def hide(self, text, back=False):
        for i, handle in enumerate(self.handles, 1):
            text = re.sub(rf"\bw{i}\b", handle, text) if back else text.replace(handle, f"w{i}")
        return text

    def _read(self):
        pass  # nobody reads standard output: it says nothing there

    def _take(self, until):
        line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
        if line is None:
            raise EOFError("there was no answer")
        text = line.decode()
        for handle in re.findall(r"work: ([a-z2-7]{26})\b", text):
            if handle not in self.handles:
                self.handles.append(handle)
        self.lines.queue.appendleft(self.hide(text).encode())
        super()._take(until)


__all__ = ["ACCEPT", "Failed", "R3", "WebClient", "events", "listening"]
