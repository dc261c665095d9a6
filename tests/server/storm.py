"""Two hundred clients on every transport at once, while the server is reloaded, cancelled at, hung up on
and at last drained. What must be true: every request gets at most one terminal answer, and an answer that
is allowed; a drained server ends with status 0 in its time; nothing is left running. Under
ThreadSanitizer the same is a search for races: its report ends the server with another status.

  storm.py [CLIENTS] [SECONDS]"""
import asyncio
import base64
import collections
import json
import os
import pathlib
import random
import re
import signal
import ssl
import struct
import sys
import tempfile
import time

import blackbox as b

CLIENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else (12 if b.SANITIZED else 6)
ALLOWED = {"server_not_ready", "rate_limited", "cancelled", "macro_not_found", "macro_expired",
           "execution_failed", "evaluation_timeout"}
KINDS = ("http", "https", "ws", "wss")
TOKEN = "a-token-for-the-storm"
BEARER = f"Authorization: Bearer {TOKEN}\r\n"
UNVERIFIED = ssl.create_default_context()
UNVERIFIED.check_hostname = False
UNVERIFIED.verify_mode = ssl.CERT_NONE


class Wrong(Exception):
    pass


class Gone(Exception):
    """The connection ended; it may, whenever the server drains or this client was hung up on."""


class Tally:
    def __init__(self):
        self.answers = collections.Counter()
        self.wrong = []
        self.ending = False

    def judge(self, message):
        code = b.code_of(message)
        if code and code not in ALLOWED:
            raise Wrong(f"an answer that nobody asked for: {b.shown(message)}")
        self.answers[code or message["type"]] += 1


def an_intent(rng):
    name = rng.choice(["fx.echo", "fx.echo", "fx.pair", "fx.mark", "fx.slow"])
    params = {"size": 30} if name == "fx.slow" else None
    return b.intent(name, [b.BASIC] if name == "fx.echo" else [], params=params)


def an_invocation(tool):
    return b.invoke(tool, {name: "x" for name in tool["input_schema"].get("required", [])})


async def connect(port, secure):
    try:
        return await asyncio.wait_for(
            asyncio.open_connection("127.0.0.1", port, ssl=UNVERIFIED if secure else None), b.PATIENCE)
    except (OSError, ssl.SSLError) as e:
        raise Gone() from e


async def within(awaitable):
    try:
        return await asyncio.wait_for(awaitable, b.PATIENCE)
    except asyncio.TimeoutError as e:
        raise Wrong("no answer in time") from e
    except (OSError, asyncio.IncompleteReadError, ssl.SSLError) as e:
        raise Gone() from e


# ---- HTTP ------------------------------------------------------------------------------------

async def http_exchange(reader, writer, method, path, body=b""):
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{BEARER}"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"\r\n" + body)
    await within(writer.drain())
    top = await within(reader.readuntil(b"\r\n\r\n"))
    length = int(re.search(rb"(?i)content-length: *(\d+)", top).group(1))
    text = await within(reader.readexactly(length))
    return b.decode(text), b"connection: close" in top.lower()


async def http_client(tally, rng, port, secure, until):
    reader, writer = await connect(port, secure)
    try:
        tool = None
        while time.monotonic() < until:
            act = rng.random()
            if act < 0.1:
                message, over = await http_exchange(reader, writer, "GET",
                                                    "/.well-known/manglecp/manifest.json")
                if message["type"] != "manifest":
                    raise Wrong(f"no manifest: {b.shown(message)}")
            elif act < 0.2:  # hang up in the middle of a request, or before its answer
                text = b.encode(an_intent(rng))
                writer.write(b"POST /manglecp/evaluate HTTP/1.1\r\nHost: localhost\r\n" + BEARER.encode() +
                             b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(text))
                writer.write(text[:rng.randrange(len(text) + 1)])
                return
            elif act < 0.5 and tool:
                message, over = await http_exchange(reader, writer, "POST", "/manglecp/invoke",
                                                    b.encode(an_invocation(tool)))
                tally.judge(message)
            else:
                message, over = await http_exchange(reader, writer, "POST", "/manglecp/evaluate",
                                                    b.encode(an_intent(rng)))
                tally.judge(message)
                tools = message["payload"].get("macro_tools") or []
                tool = tools[0] if tools and "safety" in tools[0] else None
            if over:
                return
    finally:
        writer.close()


# ---- WebSocket -------------------------------------------------------------------------------

def frame(opcode, payload):
    mask = os.urandom(4)
    n = len(payload)
    size = bytes([0x80 | n]) if n < 126 else b"\xfe" + struct.pack(">H", n) if n < 65536 else \
        b"\xff" + struct.pack(">Q", n)
    body = bytes(c ^ mask[i % 4] for i, c in enumerate(payload))
    return bytes([0x80 | opcode]) + size + mask + body


async def read_frame(reader):
    first, second = await within(reader.readexactly(2))
    n = second & 127
    if n == 126:
        n, = struct.unpack(">H", await within(reader.readexactly(2)))
    elif n == 127:
        n, = struct.unpack(">Q", await within(reader.readexactly(8)))
    if second & 128 or not first & 128:
        raise Wrong("a masked or fragmented frame from the server")
    return first & 15, await within(reader.readexactly(n))


async def ws_message(reader, writer):
    while True:
        opcode, payload = await read_frame(reader)
        if opcode == 9:
            writer.write(frame(10, payload))
        elif opcode == 8:
            raise Gone()
        elif opcode == 1:
            return b.decode(payload)
        elif opcode != 10:
            raise Wrong(f"opcode {opcode}")


async def ws_client(tally, rng, port, secure, until):
    reader, writer = await connect(port, secure)
    try:
        key = base64.b64encode(os.urandom(16))
        writer.write(b"GET /manglecp/ws HTTP/1.1\r\nHost: localhost\r\n" + BEARER.encode() +
                     b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n")
        top = await within(reader.readuntil(b"\r\n\r\n"))
        if not top.startswith(b"HTTP/1.1 101"):
            if top.startswith(b"HTTP/1.1 503"):
                raise Gone()
            raise Wrong(f"no upgrade: {top[:80]!r}")
        if (await ws_message(reader, writer))["type"] != "manifest":
            raise Wrong("the first message is no manifest")  # P-WS-1
        await ws_session(tally, rng, reader, writer, until)
    finally:
        writer.close()


async def ws_session(tally, rng, reader, writer, until):
    open_ids, done, tool = set(), set(), None
    while time.monotonic() < until or open_ids:
        if time.monotonic() < until and len(open_ids) < 4:
            message = an_invocation(tool) if tool and rng.random() < 0.4 else an_intent(rng)
            writer.write(frame(1, b.encode(message)))
            open_ids.add(message["id"])
            if rng.random() < 0.2:  # D-24
                writer.write(frame(1, b.encode(b.request("cancel", {"request_id": message["id"]}))))
            await within(writer.drain())
            if rng.random() < 0.02:
                return  # hang up
            continue
        message = await ws_message(reader, writer)
        if message["type"] in ("manifest", "progress"):
            continue
        if message["id"] in done or message["id"] not in open_ids:
            raise Wrong(f"a second answer, or one to nobody: {b.shown(message)}")  # P-CONC-10
        open_ids.remove(message["id"])
        done.add(message["id"])
        tally.judge(message)
        tools = message["payload"].get("macro_tools") or []
        tool = tools[0] if tools and "safety" in tools[0] else tool


# ---- all of it --------------------------------------------------------------------------------

async def client(tally, number, ports, until):
    rng = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    run = http_client if kind.startswith("http") else ws_client
    secure = kind.endswith("s") and kind != "ws"
    while time.monotonic() < until:
        try:
            await run(tally, rng, ports[secure], secure, until)
        except Gone:
            if tally.ending:
                return
            await asyncio.sleep(0.05)
        except Wrong as e:
            tally.wrong.append(f"{kind}: {e}")
            return


async def stdio_client(tally, process, until):
    rng = random.Random("stdio")
    await within(process.stdout.readline())
    login = b.request("authenticate", {"scheme": "bearer", "token": TOKEN})
    process.stdin.write(b.encode(login) + b"\n")
    while b.decode(await within(process.stdout.readline()))["id"] != login["id"]:
        pass  # manifests
    open_ids = set()
    while time.monotonic() < until and not tally.ending:
        message = an_intent(rng)
        process.stdin.write(b.encode(message) + b"\n")
        open_ids.add(message["id"])
        while open_ids:
            answer = b.decode(await within(process.stdout.readline()) or b"null")
            if answer is None:
                return
            if answer["type"] in ("manifest", "progress"):
                continue
            open_ids.discard(answer["id"])
            tally.judge(answer)


async def disturb(process, folder, until):
    """Reload again and again; now and then with a folder that does not load."""
    rules = folder / "rules/domain/99_storm.mg"
    for n in range(10 ** 6):
        if time.monotonic() > until:
            return
        await asyncio.sleep(0.3)
        if process.returncode is not None:
            return
        rules.write_text("this is no rule" if n % 4 == 3 else f"# {n}\n")
        process.send_signal(signal.SIGHUP)


async def storm():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fixture"
        os.system(f"cp -R {b.FIXTURE} {folder}")
        config = pathlib.Path(scratch) / "serve.yaml"
        config.write_text(json.dumps({
            "domain": str(folder), "stdio": True,
            "listen": [{"address": "127.0.0.1:0"},
                       {"address": "127.0.0.1:0", "tls": {"self_signed": True}}],
            "store": {"sqlite": str(pathlib.Path(scratch) / "store.db")},
            "plugins": [str(b.BUILD / "test-plugins")],
            "log": {"level": "info", "access": "none"}, "drain": "10s"}))
        process = await asyncio.create_subprocess_exec(
            str(b.BUILD / "bin/manglecp"), "serve", "--config", str(config), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env={**b.CHILD_ENV, "MANGLECP_TOKEN": TOKEN}, limit=1 << 24)
        try:
            return await play(process, folder)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def until_ready(port):
    until = time.monotonic() + b.PATIENCE
    while time.monotonic() < until:
        reader, writer = await connect(port, False)
        manifest, _ = await http_exchange(reader, writer, "GET", "/.well-known/manglecp/manifest.json")
        writer.close()
        if manifest["payload"]["status"] == "ready":
            return
        await asyncio.sleep(0.05)
    raise SystemExit("the server does not become ready")


async def play(process, folder):
    ports, lines = {}, []

    async def read_errors():
        async for line in process.stderr:
            text = line.decode(errors="replace").rstrip()
            lines.append(text)
            found = re.search(r"listening on (https?)://127\.0\.0\.1:(\d+)", text)
            if found:
                ports[found.group(1) == "https"] = int(found.group(2))

    errors = asyncio.create_task(read_errors())
    begun = time.monotonic()
    while len(ports) < 2:
        await asyncio.sleep(0.05)
        if time.monotonic() - begun > b.PATIENCE or process.returncode is not None:
            raise SystemExit("the server does not listen:\n" + "\n".join(lines))
    await until_ready(ports[False])
    tally = Tally()
    until = time.monotonic() + SECONDS
    clients = [asyncio.create_task(client(tally, n, ports, until)) for n in range(CLIENTS)]
    clients.append(asyncio.create_task(stdio_client(tally, process, until)))
    await disturb(process, folder, until - 1)
    tally.ending = True
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    ended = time.monotonic()
    outcomes = await asyncio.gather(*clients, return_exceptions=True)
    try:
        status = await asyncio.wait_for(process.wait(), b.PATIENCE)
    except asyncio.TimeoutError:
        status = "still running"
    spent = time.monotonic() - ended
    await errors
    crashed = [repr(o) for o in outcomes if isinstance(o, Exception)]
    return tally, crashed, status, spent, lines


def main():
    tally, crashed, status, spent, lines = asyncio.run(storm())
    answered = tally.answers["intent_response"] + tally.answers["invoke_response"]
    checks = [
        (f"{CLIENTS} clients on http, https, ws, wss and stdio: nobody got a wrong answer or two (P-CONC-10)",
         not tally.wrong and not crashed, (tally.wrong + crashed)[:10]),
        ("most of them were answered", answered >= CLIENTS, [str(dict(tally.answers))]),
        ("SIGTERM in the middle of it ends the server with status 0, in its time (P-READY-10)",
         status == 0 and spent < b.PATIENCE, [f"status {status} after {spent:.1f} s", *lines[-40:]]),
    ]
    print(f"1..{len(checks)}")
    print(f"# {dict(tally.answers)}, drained in {spent:.1f} s")
    for n, (name, good, why) in enumerate(checks, 1):
        print(f"{'ok' if good else 'not ok'} {n} - {name}")
        if not good:
            print("\n".join(f"# {line}" for line in why))
    return 0 if all(good for _, good, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
