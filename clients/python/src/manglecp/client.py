"""The blocking client.

    with manglecp.connect("https://tools.example") as client:
        client.facts.add(manglecp.fact("reading", "zone-b", "humidity_pct", 93, at="now"))
        evaluation = client.evaluate("stabilise_zone", {"zone": "zone-b"})
        result = client.invoke(evaluation.tools[0], {"zone": "zone-b"})
        client.apply(result)

A client is one conversation. It may be used from several threads, one call at a time; only `Cancel.cancel`
acts on a call that another thread has under way. Between calls it reads nothing: `listen` lets a WebSocket
that lies idle answer the server's pings."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Type, TypeVar, Union

from ._blocking import BlockingDriver
from ._effects import Cancel, Program, Steps
from ._links import HttpLink, SessionLink, StdioLink, WebSocketLink
from ._invocation import OnProgress
from ._role import Asks, MakeLink, Role
from ._time import Instant
from ._wire import Url
from .errors import Cancelled, Indeterminate
from .facts import Applied, FactObject, WorkingFacts
from .options import Options
from .types import Attempt, Evaluation, Identity, Manifest, Result, Suggestion, Tool

T = TypeVar("T")
Unfinished = Union[Attempt, Indeterminate, Cancelled]


def link_to(address: str, transport: str, options: Options, now: Callable[[], float]) -> MakeLink:
    """How to reach `address`. Raises ValueError for an address or a transport that does not exist."""
    if transport not in ("auto", "http", "websocket"):
        raise ValueError(f"transport is auto, http or websocket, not {transport!r}")
    url = Url.parse(address, ("http", "https", "ws", "wss"))
    for origin in options.trusted_origins:
        Url.parse(origin, ("http", "https"))
    if transport == "http" and url.scheme not in ("http", "https"):
        raise ValueError(f"{address!r} is no address of HTTP")
    if transport == "websocket" or url.scheme in ("ws", "wss"):

        def websocket(on_manifest: Any) -> SessionLink:
            return WebSocketLink(url, options, now, on_manifest)

        return websocket

    def http(on_manifest: Any) -> HttpLink:
        return HttpLink(url, options, now, on_manifest)

    return http


def link_to_program(
    command: Sequence[str],
    env: Optional[Dict[str, str]],
    cwd: Optional[str],
    stderr: Any,
    options: Options,
    now: Callable[[], float],
) -> MakeLink:
    if isinstance(command, str) or not command:
        raise ValueError("the command is a list: the program and its arguments")
    program = Program(tuple(command), env, cwd, stderr)

    def stdio(on_manifest: Any) -> SessionLink:
        return StdioLink(program, options, now, on_manifest)

    return stdio


def unfinished(call: Unfinished) -> Attempt:
    attempt = call if isinstance(call, Attempt) else call.attempt
    if attempt is None:
        raise ValueError("nothing of this call is open: its end is known, or it was never sent")
    return attempt


def connect(address: str, options: Optional[Options] = None, *, transport: str = "auto") -> Client:
    """A client of the server at `address`, whose manifest has been read.

    http://, https://  HTTP; with transport="websocket" the WebSocket that its manifest announces
    ws://, wss://      that WebSocket

    Raises ConnectFailed, TimedOut, ProtocolError, UntrustedEndpoint, LoginNeeded, Refused, MissingExtra."""
    settings = options or Options()
    return Client(link_to(address, transport, settings, time.monotonic), settings)._opened()


def spawn(
    command: Sequence[str],
    options: Optional[Options] = None,
    *,
    env: Optional[Dict[str, str]] = None,
    cwd: Optional[str] = None,
    stderr: Any = None,
) -> Client:
    """A client of a server that it starts as a child process and talks to over stdio.

    stderr  what Popen takes; None: the child's log appears on ours"""
    settings = options or Options()
    return Client(link_to_program(command, env, cwd, stderr, settings, time.monotonic), settings)._opened()


class Client:
    """See connect() and spawn()."""

    def __init__(self, link: MakeLink, options: Options) -> None:
        self._role = Role(link, options, time.monotonic)
        self._driver = BlockingDriver()
        self._lock = threading.RLock()
        self._closed = False

    def _run(self, steps: Steps[T], cancel: Optional[Cancel] = None) -> T:
        with self._lock:
            if self._closed:
                raise RuntimeError("this client is closed")
            return self._driver.run(steps, cancel)

    def _opened(self) -> Client:
        try:
            self._run(self._role.connect())
        except BaseException:
            self.close()
            raise
        return self

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; a child process gets `close_timeout` seconds to end well."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._driver.run(self._role.close())
                self._driver.close()

    @property
    def facts(self) -> WorkingFacts:
        """What the client knows. Of these an intent is sent those that it has a use for (P-MIN-1)."""
        return self._role.facts

    @property
    def manifest(self) -> Manifest:
        """The newest manifest."""
        assert self._role.manifest is not None
        return self._role.manifest

    @property
    def identity(self) -> Optional[Identity]:
        """Who the server takes us for; None over HTTP, and where no credentials were sent."""
        return self._role.identity

    def refresh(self) -> Manifest:
        """Connects again if the connection is lost; over HTTP reads the manifest again."""
        return self._run(self._role.refresh())

    def listen(self, seconds: float) -> None:
        """Lets a session speak: manifests are taken in, pings answered."""
        self._run(self._role.listen(seconds))

    def evaluate(
        self,
        intent: str,
        params: Optional[Dict[str, Any]] = None,
        *,
        facts: Iterable[FactObject] = (),
        eval_time: Optional[Instant] = None,
        constraints: Optional[Dict[str, Any]] = None,
        options: Optional[Dict[str, Any]] = None,
        unlisted: bool = False,
        proofs: bool = False,
        why_not: Sequence[str] = (),
        extensions: Optional[Dict[str, Any]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Evaluation:
        """Which tools the intent calls for now.

        facts        for this request only, sent as they are, besides the working facts that the intent lists
        eval_time    what `now` means to the rules; the clock if not given (P-TIME-12)
        constraints  max_tools_returned, max_tokens_budget, max_compute_ms, ...
        options      include_proof_hints, disclosure_preference
        unlisted     send an intent that the manifest does not list (P-MAN-18)
        proofs       ask for proof_hints: why each tool is there
        why_not      ask why these tools (at most 4) are not offered, and what would bring them: `why_not` of the
                     answer. Takes the permission why_not

        Raises InvalidRequest before anything is sent; waits for a server that boots, and as long as a
        busy one asks to."""
        steps = self._role.evaluate(
            intent,
            params,
            facts,
            eval_time,
            constraints,
            options,
            unlisted,
            Asks(proofs, why_not),
            extensions,
            cancel,
        )
        return self._run(steps, cancel)

    def follow(
        self,
        suggestion: Suggestion,
        *,
        facts: Iterable[FactObject] = (),
        proofs: bool = False,
        why_not: Sequence[str] = (),
        extensions: Optional[Dict[str, Any]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Evaluation:
        """Evaluates a suggested intent, with its params and its continuation facts (P-NEXT-5)."""
        steps = self._role.follow(suggestion, facts, Asks(proofs, why_not), extensions, cancel)
        return self._run(steps, cancel)

    def disclose(self, tool: Tool, *, cancel: Optional[Cancel] = None) -> Tool:
        """The tool in full, if it was shown condensed or minimal."""
        return self._run(self._role.disclose(tool, cancel), cancel)

    def invoke(
        self,
        tool: Tool,
        args: Optional[Dict[str, Any]] = None,
        *,
        key: Optional[str] = None,
        eval_time: Optional[Instant] = None,
        approved: Optional[str] = None,
        resume: bool = False,
        dry_run: bool = False,
        on_progress: Optional[OnProgress] = None,
        extensions: Optional[Dict[str, Any]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Result:
        """Runs a tool. It is sent once, after the arguments were checked and the user was asked if need be.

        key                 idempotency key; a new one if not given
        approved            the challenge of an earlier confirmation_required (its details), which a person has
                            approved since then, or a token that was made for it: the user is not asked here
        resume              when the answer is lost, ask for it with the same key, a few times
        dry_run             tell what it would do, and do nothing: `plan` of the answer. Nobody is asked for
                            consent, and no key is used. InvalidRequest, and nothing is sent, if the manifest does
                            not say that the server knows of this
        on_progress         called with Progress, on stdio and WebSocket

        Raises Indeterminate if it was sent and its end is not known; see resume()."""
        steps = self._role.invoke(
            tool, args, key, eval_time, approved, resume, dry_run, on_progress, extensions, cancel
        )
        return self._run(steps, cancel)

    def resume(
        self, call: Unfinished, *, on_progress: Optional[OnProgress] = None, cancel: Optional[Cancel] = None
    ) -> Result:
        """Asks for the outcome of a call whose answer was lost, with its key: a server that honours keys tells
        it again, or runs it now if it never began, and never runs it twice."""
        return self._run(self._role.resume(unfinished(call), on_progress, cancel), cancel)

    def apply(self, result: Result) -> Applied:
        """Takes what a result changed into the working facts: retracts, then asserts (P-DELTA-6)."""
        with self._lock:
            return self._role.apply(result)
