"""A whole conversation by the official Python SDK (package `mcp`, 2.x), in both of its eras, over standard streams and HTTP."""
import asyncio
import os
import subprocess
import sys

from mcp_client import Tap, fixture
from mcp_web import listening

try:
    from mcp import Client, StdioServerParameters, types
except ImportError:
    print("1..0 # SKIP the Python package mcp 2.x is not installed")
    sys.exit(0)

tap = Tap()
asked = []


async def agree(_context, params):
    asked.append(params.message)
    return types.ElicitResult(action="accept", content={"agree": True})


async def talk(mode, server, how):
    steps = []  # a list a call

    async def on_progress(progress, _total, _message):
        steps[-1].append(progress)

    async with Client(server, mode=mode, elicitation_callback=agree, read_timeout_seconds=120) as client:
        tools = (await client.list_tools()).tools
        tap.check(f"{mode}, {how}: the three tools", [t.name for t in tools] == ["intent", "run", "state"], str(tools))
        version = str(client.protocol_version)
        tap.check(f"{mode}, {how}: the revision is the one of its era", (version == "2026-07-28") == (mode != "legacy"), version)

        async def call(name, **arguments):
            steps.append([])
            result = await client.call_tool(name, arguments, progress_callback=on_progress)
            return "\n".join(b.text for b in result.content), result

        text, result = await call("intent", intent="fx.mark", facts={"fx_ban": ["fx_echo"]})
        tap.check(f"{mode}, {how}: an intent brings a tool", "fx_mark" in text and not result.is_error, text)
        work = result.structured_content["work"]
        text, _ = await call("run", tool="fx_mark", args={"label": "door", "count": 5}, work=work)
        tap.check(f"{mode}, {how}: a macro-tool runs, and suggests", "fx.recent" in text, text)
        text, _ = await call("state", work=work)
        tap.check(f"{mode}, {how}: its delta is applied", "fx_note" in text and "fx_ban" not in text, text)
        text, result = await call("state", follow=1, work=work)
        tap.check(f"{mode}, {how}: the suggestion is followed", result.structured_content["tools"] == ["fx_recent"], text)
        await call("intent", intent="fx.danger", work=work)
        text, result = await call("run", tool="fx_danger", args={"target": "x"}, work=work)
        tap.check(f"{mode}, {how}: consent is asked for by elicitation",
                  not result.is_error and len(asked) == 1 and "fx_danger" in asked.pop(), text)
        tap.check(f"{mode}, {how}: progress came", any(steps) and all(s == sorted(set(s)) for s in steps), str(steps))


def attempt(mode, server, how):
    try:
        asyncio.run(talk(mode, server, how))
    except Exception as e:  # whatever it is: the conversation has failed
        tap.check(f"{mode}, {how}: the conversation", False, f"{type(e).__name__}: {e}")


command = fixture()
listener = subprocess.Popen(fixture("--listen", "127.0.0.1:0"), stderr=subprocess.PIPE)
try:
    url = f"http://{listening(listener)}/mcp"
    for era in ("auto", "legacy"):
        attempt(era, StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ)), "standard streams")
        attempt(era, url, "HTTP")
    listener.terminate()
    tap.check("the bridge that listens ends without a complaint", listener.wait(120) == 0, str(listener.returncode))
finally:
    listener.kill()
    listener.wait()
sys.exit(tap.end())
