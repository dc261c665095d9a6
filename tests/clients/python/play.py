"""Plays tests/clients/conversation.json with the Python client against the live server: every conversation over
every transport it names, with the blocking and with the asyncio client. That file says what the words mean."""

import asyncio
import dataclasses
import json
import re
import threading
import time
import traceback
import urllib.request

from live import *

import manglecp
from manglecp import _time
from manglecp._json import identity

SCRIPT = json.loads((ROOT / "tests/clients/conversation.json").read_text())
COUNTED = ("intent_request", "invoke_request", "cancel")


# ---- the client, both kinds behind one face --------------------------------------------------


class Blocking:
    """The blocking client, called as if it were the other."""

    name = "blocking"
    connect, spawn = staticmethod(manglecp.connect), staticmethod(manglecp.spawn)

    @staticmethod
    async def done(value):
        return value


class Asyncio:
    name = "asyncio"
    connect, spawn = staticmethod(manglecp.aio.connect), staticmethod(manglecp.aio.spawn)

    @staticmethod
    async def done(value):
        return await value


# ---- values --------------------------------------------------------------------------------


def filled(value, clock):
    """The step with its "$now" and "$large"."""
    if isinstance(value, dict):
        return {k: filled(v, clock) for k, v in value.items()}
    if isinstance(value, list):
        return [filled(v, clock) for v in value]
    if value == "$large":
        return 9007199254740993
    found = re.fullmatch(r"\$now(?:([+-]\d+)s)?", value) if isinstance(value, str) else None
    return _time.text_of(clock() + int(found.group(1) or 0) * 10**9) if found else value


def pairs(facts):
    """[pred, args] of facts, for comparing in any order."""
    return sorted((f["pred"], identity(f["args"])) for f in facts)


def pairs_of(expected):
    return sorted((pred, identity(args)) for pred, args in expected)


def has(got, wanted, what):
    """`got` holds every member of `wanted`."""
    expect(isinstance(got, dict), f"{what} is no object: {got!r}")
    for name, value in wanted.items():
        expect(
            name in got and identity(got[name]) == identity(value),
            f"{what}.{name}: got {shown(got.get(name))}, expected {shown(value)}",
        )


# ---- what went wrong, in the script's words ----------------------------------------------------


def raised(error):
    if isinstance(error, manglecp.InvalidRequest):
        return {"faults": sorted([f.where, f.issue] for f in error.faults)}
    if isinstance(error, manglecp.ToolGone):
        return {"gone": True}
    if isinstance(error, manglecp.ConsentDeclined):
        return {"declined": True}
    if isinstance(error, manglecp.ConsentUnavailable):
        return {"unasked": True}
    if isinstance(error, manglecp.Cancelled):
        return {"cancelled": error.certain}
    if isinstance(error, (manglecp.Refused, manglecp.LoginNeeded)):
        return {"code": error.code, "details": getattr(error, "details", {})}
    raise error


def check_raised(got, wanted):
    wanted = dict(wanted)
    if "faults" in wanted:
        wanted["faults"] = sorted(wanted["faults"])
    details = wanted.pop("details", {})
    got = dict(got)
    had = got.pop("details", {})
    equal(got, wanted, "what was raised")
    has(had, details, "details")


# ---- one conversation ------------------------------------------------------------------------


class Conversation:
    def __init__(self, script, transport, api):
        self.script, self.transport, self.api = script, transport, api
        self.server = dict(SCRIPT["servers"][script["server"]])
        if "bound" in self.server:
            self.server["domain"] = fixture_with({"rules/domain/90_bound.mg": self.server["bound"]})
        self.sent, self.asked, self.progress = [], [], []
        self.answer_of_user = None
        self.kept = {}
        self.challenge = None
        self.evaluation = self.result = self.listener = self.client = None
        fixed = self.server.get("clock")
        self.clock = (lambda: _time.parse(fixed)) if fixed else time.time_ns

    def options(self):
        who, own = SCRIPT["credentials"], self.script["client"]
        return manglecp.Options(
            token=who["token"] if own.get("token") else None,
            confirm_key=who["confirm_key"] if own.get("confirm_key") else None,
            clock=self.clock,
            trace=self.trace,
            answer_timeout=PATIENCE,
            ready_timeout=PATIENCE,
            manifest_timeout=PATIENCE,
            connect_timeout=PATIENCE,
        )

    def trace(self, way, message):
        if way == "out":
            self.sent.append(message)

    def consent(self, question):
        self.asked.append(question)
        return self.answer_of_user == "yes"

    def server_options(self):
        more = []
        if self.server.get("auth"):
            who = SCRIPT["credentials"]
            more += [
                "--auth",
                token_file(
                    token_line(
                        who["token"],
                        who["identity"],
                        self.server.get("permissions", "intent:*"),
                        confirm_key=who["confirm_key"],
                    ),
                    token_line(who["approver"], "ann", "confirm"),
                ),
            ]
        if self.server.get("journal"):
            self.journal = pathlib.Path(scratch()) / "journal"
            self.journal.touch()
            more += ["--set", f"journal={self.journal}"]
        if self.server.get("clock"):
            more += ["--clock", self.server["clock"]]
        return more

    async def open(self):
        more, options = self.server_options(), self.options()
        if self.transport == "stdio":
            self.log = pathlib.Path(scratch()) / "log"
            with open(self.log, "wb") as log:
                self.client = await self.api.done(
                    self.api.spawn(command(self.server, "--stdio", *more), options, env=CHILD_ENV, stderr=log)
                )
            return
        self.listener = Listening(self.server, *more)
        self.client = await self.api.done(self.api.connect(self.listener.url, options, transport=self.transport))

    async def close(self):
        if self.client:
            await self.api.done(self.client.close())
        if self.listener:
            self.listener.stop()

    # Steps. Each returns what there is to expect of.

    async def know(self, step):
        self.client.facts.add(*step["facts"])

    async def evaluate(self, step):
        self.evaluation = await self.api.done(
            self.client.evaluate(
                step["intent"],
                step.get("params"),
                facts=step.get("facts", ()),
                eval_time=step.get("eval_time"),
                constraints=step.get("constraints"),
                options=step.get("options"),
                proofs=step.get("proofs", False),
                why_not=step.get("why_not", ()),
            )
        )

    async def invoke(self, step, cancel=None):
        tool = self.evaluation.tool(step["tool"])
        self.result = await self.api.done(
            self.client.invoke(
                tool,
                step["args"],
                key=step.get("key"),
                on_progress=self.progress.append,
                cancel=cancel,
                dry_run=step.get("dry_run", False),
                approved=self.challenge if step.get("approved") else None,
            )
        )
        if "keep" in step:
            self.kept[step["keep"]] = self.result

    async def cancel(self, step):
        cancel = manglecp.Cancel()
        timer = threading.Timer(step["after_ms"] / 1000, cancel.cancel)
        timer.start()
        try:
            await self.invoke(step, cancel)
        finally:
            timer.join()

    async def approve(self, _):
        body = json.dumps({"challenge": self.challenge, "approve": True}).encode()
        headers = {"Authorization": f"Bearer {SCRIPT['credentials']['approver']}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.listener.url}/confirm", body, headers)
        answer = await asyncio.to_thread(lambda: json.load(urllib.request.urlopen(request, timeout=PATIENCE)))
        equal(answer["state"], "approved", "state")

    async def apply(self, _):
        self.client.apply(self.result)

    async def follow(self, step):
        self.evaluation = await self.api.done(self.client.follow(self.result.suggestion(step["suggestion"])))

    async def restart(self, _):
        self.listener.restart()

    async def pause(self, step):
        await asyncio.sleep(step["ms"] / 1000)

    async def step(self, step):
        step = filled(step, self.clock)
        expected = step.get("expect", {})
        self.sent.clear(), self.asked.clear(), self.progress.clear()
        self.answer_of_user = step.get("consent")
        role = self.client._role
        role.options = dataclasses.replace(role.options, consent=self.consent if self.answer_of_user else None)
        try:
            await getattr(self, step["do"])(step)
        except manglecp.Error as error:
            got = raised(error)
            self.challenge = got.get("details", {}).get("challenge", self.challenge)
            expect("raises" in expected, f"raised {error}")
            check_raised(got, expected["raises"])
        else:
            expect("raises" not in expected, "nothing was raised")
        self.check(expected)

    def check(self, expected):
        for name, wanted in expected.items():
            if name != "raises":
                getattr(self, f"check_{name}")(wanted)

    def check_tools(self, wanted):
        equal([t.name for t in self.evaluation], wanted, "tools")

    def check_levels(self, wanted):
        has({t.name: t.level for t in self.evaluation}, wanted, "levels")

    def check_sent(self, wanted):
        types = [m["type"] for m in self.sent]
        equal({k: types.count(k) for k in COUNTED}, {k: wanted.get(k, 0) for k in COUNTED}, "sent")
        for message in self.sent:
            if message["type"] == "intent_request":
                expect("eval_time" in message["payload"], "an intent without eval_time")  # P-TIME-12
            if message["type"] == "invoke_request" and not message["extensions"].get("x-dry-run"):
                expect("x-idempotency-key" in message["extensions"], "an invocation without key")

    def check_sent_facts(self, wanted):
        last = [m for m in self.sent if m["type"] == "intent_request"][-1]
        equal(sorted(f["pred"] for f in last["payload"]["facts"]), wanted, "facts sent")  # P-MIN-1

    def check_known(self, wanted):
        equal(pairs(self.client.facts), pairs_of(wanted), "working facts")

    def check_signed(self, wanted):
        equal(sorted(f["pred"] for f in self.client.facts if "signature" in f.get("source", {})), wanted, "signed")

    def check_proved(self, wanted):
        derived = (self.evaluation.proof_hints or {}).get("derivations", [])
        equal(sorted(self.evaluation.tool(d["macro_id"]).name for d in derived), wanted, "proved")

    def check_why_not(self, wanted):
        told = [
            [one["tool"], one["selected"], [r["phase"] for r in one["reasons"]], bool(one["changes"])]
            for one in self.evaluation.why_not or ()
        ]
        equal(told, wanted, "why not")

    def check_plan(self, wanted):
        has(self.result.plan, wanted, "plan")

    def check_result(self, wanted):
        has(self.result.result, wanted, "result")

    def check_events(self, wanted):
        equal([[e.action, e.status] for e in self.result.events], wanted, "events")

    def check_asserts(self, wanted):
        equal(pairs(self.result.delta.asserts), pairs_of(wanted), "asserts")

    def check_retracts(self, wanted):
        equal(pairs(self.result.delta.retracts), pairs_of(wanted), "retracts")

    def check_continues(self, wanted):
        equal(pairs(self.result.continuation_facts), pairs_of(wanted), "continuation facts")

    def check_suggests(self, wanted):
        equal([[s.name, s.params] for s in self.result.suggestions], wanted, "suggestions")

    def check_asked(self, wanted):
        equal(len(self.asked), wanted, "how often the user was asked")

    def check_shown(self, wanted):
        q = self.asked[-1]
        has(
            {
                "tool": q.tool,
                "side_effects": list(q.side_effects),
                "reversible": q.reversible,
                "args": q.args,
                "bound": list(q.bound),
            },
            wanted,
            "shown",
        )

    def check_progress(self, wanted):
        if wanted and self.transport != "http":
            expect(self.progress, "no progress was seen")
            percents = [p.percent for p in self.progress if p.percent is not None]
            expect(percents and percents[0] <= percents[-1], f"percents {percents}")

    def check_replayed(self, wanted):
        equal(self.result.replayed, wanted, "replayed")

    def check_same_as(self, wanted):
        for part in ("result", "state_delta", "next"):
            equal(self.result.raw.get(part), self.kept[wanted].raw.get(part), f"{part} beside that of {wanted}")

    def check_effects_complete(self, wanted):
        expect(wanted or self.result.raw.get("effects_complete") is False, "the answer does not say so")
        equal(self.result.effects_complete, wanted, "effects_complete")
        expect(wanted or any(self.result.warnings), "no warning says why")

    def check_journal(self, wanted):
        equal(self.journal.read_text().splitlines(), wanted, "journal")

    async def play(self, tap, title):
        """A line for each step; what comes after a failure was not reached."""
        broken = None
        try:
            await self.open()
        except Exception as error:
            broken = self.told(error)
        for number, step in enumerate(self.script["steps"], 1):
            what = step.get("intent") or step.get("tool") or step.get("suggestion") or ""
            name = f"{title}: {number} {step['do']} {what}"
            if broken:
                tap.not_ok(name.strip(), broken)
                broken = "not reached"
                continue
            try:
                await self.step(step)
            except Exception as error:
                broken = "not reached"
                tap.not_ok(name.strip(), self.told(error))
            else:
                tap.ok(name.strip())
        try:
            await self.close()
        except Exception as error:
            tap.not_ok(f"{title}: the end", self.told(error))

    def told(self, error):
        text = (
            str(error)
            if isinstance(error, Failure)
            else "".join(traceback.format_exception(type(error), error, error.__traceback__))
        )
        log = (
            self.listener.program.log()
            if self.listener
            else self.log.read_text() if self.transport == "stdio" else ""
        )
        return text + "\n" + "".join(clean(log.splitlines(True)))


# ---- what this Python can ------------------------------------------------------------


def why_no_websocket():
    try:
        import websockets  # noqa: F401
    except ImportError:
        return "the Python library websockets is not installed"
    return None


def main():
    tap = Tap()
    without = why_no_websocket()
    only = sys.argv[1:]
    for script in SCRIPT["conversations"]:
        for transport in script["transports"]:
            for api in (Blocking, Asyncio):
                title = f"{transport}, {api.name}: {script['name']}"
                if not all(word in title for word in only):
                    continue
                if transport == "websocket" and without:
                    tap.skip(title, without)
                    continue
                asyncio.run(Conversation(script, transport, api).play(tap, title))
                clean_up()
    tap.finish()


main()
