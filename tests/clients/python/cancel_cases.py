"""A task of the asyncio client that is cancelled at any moment: nothing is left running or open, the server is
told where it had been asked, and the client goes on."""

import gc
import os
import warnings

from fake_session import *

GUARDED = manifest(auth={"required": True, "schemes": ["bearer"]})
BOOTING = manifest(status="booting")
SILENT = Raw(lambda c, _: None)


async def settled(condition, what):
    """Waits without holding up the event loop."""
    until = time.monotonic() + PATIENCE / 2
    while not condition():
        expect(time.monotonic() < until, f"it did not come to pass: {what}")
        await asyncio.sleep(0.01)


async def cancelled(task):
    task.cancel()
    await asyncio.wait([task])
    expect(task.cancelled(), f"the task was not cancelled: {task}")


def tasks():
    return asyncio.all_tasks() - {asyncio.current_task()}


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as f:
        return f.read().split()


@contextlib.asynccontextmanager
async def nothing_left(server=None):
    """No task, child, connection or warning outlives it."""
    before, tasks_before = children(), tasks()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        yield
        await settled(lambda: tasks() <= tasks_before, f"the tasks end: {tasks() - tasks_before}")
        await settled(lambda: children() == before, "the children end")
        if server is not None:
            await settled(lambda: all(c.ended.is_set() for c in server.connections), "the connections end")
        gc.collect()
        await asyncio.sleep(0)
    equal([str(w.message) for w in seen if issubclass(w.category, ResourceWarning)], [], "warnings")


async def test_while_connecting(via):
    with FakeSession(via.wire, greetings=[SILENT]) as server:
        async with nothing_left(server):
            task = asyncio.ensure_future(via.open(Asyncio, server, options()))
            await settled(lambda: server.connections, "it connects")
            await cancelled(task)


async def test_while_the_server_boots(via):
    with FakeSession(via.wire, greetings=[BOOTING]) as server:
        async with nothing_left(server):
            async with await via.open(Asyncio, server, options()) as c:
                task = asyncio.ensure_future(c.evaluate("plain"))
                await asyncio.sleep(0.05)
                await cancelled(task)
                server.last().send(manifest())
                equal(len(await c.evaluate("plain")), 1, "tools")
                equal(server.script.types(), ["intent_request"], "what was sent")


async def test_while_it_logs_in(via):
    script = Script()
    welcome = script.answers["authenticate"]
    with FakeSession(via.wire, script, [GUARDED]) as server:
        async with nothing_left(server):
            script.answers["authenticate"] = None
            task = asyncio.ensure_future(via.open(Asyncio, server, options(token="t")))
            await settled(lambda: script.of("authenticate"), "it logs in")
            await cancelled(task)
            if via is Stdio:
                return
            script.answers["authenticate"] = welcome
            async with await via.open(Asyncio, server, options(token="t")) as c:
                server.last().cut()
                await settled(lambda: server.last().ended.is_set(), "it is cut")
                script.answers["authenticate"] = None
                count = len(script.of("authenticate"))
                task = asyncio.ensure_future(c.evaluate("plain"))
                await settled(lambda: len(script.of("authenticate")) > count, "it logs in again")
                await cancelled(task)
                script.answers["authenticate"] = welcome
                equal(len(await c.evaluate("plain")), 1, "tools")  # P-WS-8
                equal(len(script.of("intent_request")), 1, "intents")


async def test_while_an_intent_or_a_tool_is_waited_for(via):
    script = Script()
    with FakeSession(via.wire, script) as server:
        async with nothing_left(server):
            async with await via.open(Asyncio, server, options()) as c:
                found = (await c.evaluate("plain")).tools[0]
                for kind, ask in (("intent_request", lambda: c.evaluate("plain")),
                                  ("invoke_request", lambda: c.invoke(found))):
                    answers, script.answers[kind] = script.answers[kind], None
                    count = len(script.of(kind))
                    task = asyncio.ensure_future(ask())
                    await settled(lambda: len(script.of(kind)) > count, "it asks")
                    await cancelled(task)
                    asked = script.of(kind)[-1]["id"]
                    await settled(lambda: any(m["payload"]["request_id"] == asked for m in script.of("cancel")),
                                  f"the cancel of {kind}")  # P-CONC-5
                    script.answers[kind] = answers
                    await ask()


async def test_while_the_user_is_asked(via):
    asked, ended = asyncio.Event(), asyncio.Event()

    async def consent(_question):
        asked.set()
        try:
            await asyncio.sleep(PATIENCE)
        finally:
            ended.set()

    script = Script(intent_request=lambda r: offers(r, tool(safety=ASKING)))
    with FakeSession(via.wire, script) as server:
        async with nothing_left(server):
            async with await via.open(Asyncio, server, options(consent=consent)) as c:
                found = (await c.evaluate("plain")).tools[0]
                task = asyncio.ensure_future(c.invoke(found))
                await asked.wait()
                await cancelled(task)
                expect(ended.is_set(), "the user is still asked")
                await c.evaluate("plain")
                equal(script.of("invoke_request") + script.of("cancel"), [], "what was sent")  # P-CONF-3


async def test_while_it_waits_to_ask_again(via):
    script = Script(intent_request=[lambda r: error(r, "rate_limited", retry_after_ms=4000), lambda r: offers(r, tool())])
    with FakeSession(via.wire, script) as server:
        async with nothing_left(server):
            async with await via.open(Asyncio, server, options()) as c:
                task = asyncio.ensure_future(c.evaluate("plain"))
                await settled(lambda: script.seen, "it asks")
                await asyncio.sleep(0.1)
                await cancelled(task)
                await c.evaluate("plain")
                equal(script.types(), ["intent_request"] * 2, "what was sent")


async def test_while_another_waits_for_the_same_connection(via):
    if via is Stdio:
        raise Skip("a child that is gone is not started again")
    with FakeSession(via.wire, greetings=[manifest(), SILENT]) as server:
        async with nothing_left(server):
            async with await via.open(Asyncio, server, options()) as c:
                server.last().cut()
                await settled(lambda: server.last().ended.is_set(), "it is cut")
                first, second = (asyncio.ensure_future(c.evaluate("plain")) for _ in range(2))
                await settled(lambda: len(server.connections) == 2, "it connects again")
                server.greetings = [manifest()]
                await cancelled(first)
                equal(len(await second), 1, "the other's tools")


async def test_while_it_closes(via):
    with FakeSession(via.wire) as server:
        async with nothing_left(server):
            c = await via.open(Asyncio, server, options(), *(["stubborn"] if via is Stdio else []))
            task = asyncio.ensure_future(c.close())
            await asyncio.sleep(0)
            await cancelled(task)
            await c.close()


async def test_at_any_turn_of_the_event_loop(via):
    """A whole conversation, cancelled one turn later each time until it comes to its end first."""
    with FakeSession(via.wire, greetings=[GUARDED]) as server:

        async def conversation():
            async with await via.open(Asyncio, server, options(token="t")) as c:
                for _ in range(2):
                    await c.invoke((await c.evaluate("plain")).tools[0], {"n": 1})

        turns, task = 0, None
        while task is None or task.cancelled():
            async with nothing_left(server):
                task = asyncio.ensure_future(conversation())
                for _ in range(turns):
                    await asyncio.sleep(0)
                if task.done():
                    break
                await cancelled(task)
            turns += 1 if turns < 60 else 1 + turns // 20
        expect(turns > 30, f"the conversation took {turns} turns")
        task.result()


def run_all(namespace):
    tap = Tap()
    for name, function in list(namespace.items()):
        if not name.startswith("test_") or not all(w in name for w in sys.argv[1:]):
            continue
        for via in (Stdio, WebSocket):
            title = f"{words(function)} ({via.name})"
            if via is WebSocket and not has_websockets():
                tap.skip(title, "the Python library websockets is not installed")
            else:
                tap.attempt(title, lambda: called(lambda _: function(via), Asyncio))
    tap.finish()


run_all(globals())
