"""The client's role: what to send, when, and what an answer means.

The main lines read as the protocol does: be connected, be ready, judge the request, send it once, judge the
answer. Everything here is a generator of effects (see `_effects.py`), so that the blocking and the asyncio
client keep the same rules.

Invariants
  1. Nothing is sent before the manifest, to a server that boots or drains, or that the manifest or a schema
     forbids.
  2. An invocation is never sent twice by itself. It is sent again only after the server refused it before any
     action (it asks to wait, or for a login, a signature, an evaluation), or when the caller resumes it with
     its key.
  3. A tool that needs consent is not sent before the user agreed to exactly this call.
  4. Credentials go where `guard_credentials` lets them, and nowhere else."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Union

from . import _json, _request
from ._effects import Call, Cancel, NothingSent, Sleep, Slots, Steps
from ._invocation import Invocation, OnProgress, Turn, again_in, nobody
from ._links import HttpLink, NoAnswer, SessionLink
from ._time import Instant, text_of, wire_time
from ._wire import WHY_NOT_EXTENSION, Envelope, payload_of
from .errors import (
    Cancelled,
    Error,
    Fault,
    InvalidRequest,
    LoginNeeded,
    NotReady,
    Refused,
    TimedOut,
)
from .facts import Applied, FactObject, WorkingFacts, merged
from .options import Options
from .types import Attempt, Evaluation, Identity, Manifest, Origin, Progress, Result, Suggestion, Tool

MAX_TRIES = 8  # of one intent: its attempts, other credentials, another connection
POLL_FIRST_S, POLL_MOST_S = 0.2, 5.0  # between looks at a manifest that says booting (P-READY-5)

Link = Union[HttpLink, SessionLink]
MakeLink = Callable[[Callable[[Envelope], None]], Link]


@dataclass(frozen=True)
class Asks:
    """What an intent asks for beside its tools: proofs of those that come, and why others do not."""

    proofs: bool = False
    why_not: Sequence[str] = ()

    def extend(self, extensions: Optional[Dict[str, Any]]) -> Dict[str, Any]:
        if not self.why_not:
            return extensions or {}
        names = list(self.why_not) if isinstance(self.why_not, tuple) else self.why_not
        return {**(extensions or {}), WHY_NOT_EXTENSION: names}


class Role:
    def __init__(self, make_link: MakeLink, options: Options, now: Callable[[], float]) -> None:
        self.options = options
        self.manifest: Optional[Manifest] = None
        self.identity: Optional[Identity] = None
        self.facts = WorkingFacts()
        self.now = now
        self._link = make_link(self._on_manifest)
        self.confirm_key = options.key_bytes()
        self._edition = 0  # how many came
        self._opening = Slots(1)
        self._ids = itertools.count(1)  # rising, never used twice (P-ENV-4, P-ENV-5)
        self._token: Optional[str] = options.token if isinstance(options.token, str) else None
        self._authenticated = False

    # ---- being connected -------------------------------------------------------------------

    def _on_manifest(self, message: Envelope) -> None:
        self.manifest = Manifest.read(message.payload)
        self.facts.use_names(self.manifest.arg_names)
        self._edition += 1

    def connect(self) -> Steps[Manifest]:
        """Opens the link if it is not open, authenticates, and returns the newest manifest."""
        deadline = self.now() + self.options.connect_timeout + self.options.manifest_timeout
        yield from self._opening.take(deadline)
        try:
            if isinstance(self._link, SessionLink):
                yield from self._link.look()
            if not self._link.usable:
                self._authenticated = False  # nothing is left of an earlier session (P-WS-8)
                self.identity = None
                yield from self._link.open()
            if not self._authenticated:
                yield from self._log_in()
                self._authenticated = True
        finally:
            self._opening.give()
        assert self.manifest is not None
        return self.manifest

    def refresh(self) -> Steps[Manifest]:
        """Asks for the manifest again, if the link cannot be told of a new one."""
        if isinstance(self._link, HttpLink):
            self._link.expire()
        return (yield from self.connect())

    def close(self) -> Steps[None]:
        yield from self._link.close()
        self._authenticated = False

    def listen(self, seconds: float) -> Steps[None]:
        """Lets a session speak for a while: manifests are taken in, pings answered."""
        until = self.now() + seconds
        while isinstance(self._link, SessionLink) and self._link.usable and self.now() < until:
            try:
                yield from self._link.wait(until)
            except TimedOut:
                return

    # ---- credentials -----------------------------------------------------------------------

    def _log_in(self) -> Steps[None]:
        assert self.manifest is not None
        auth = self.manifest.auth
        if self.options.api_key is None and self.options.token is None:
            return
        if isinstance(self._link, HttpLink):
            self._link.check_credentials()
            self._link.credentials = yield from self._headers()
        elif auth.required or auth.schemes:  # a good token identifies where none is needed (D-55)
            self._link.check_credentials()
            yield from self._authenticate()

    def _current_token(self, renew: bool = False) -> Steps[str]:
        if self._token is None or renew:
            provider = self.options.token
            assert callable(provider)
            self._token = yield Call(provider, ())
            if not isinstance(self._token, str) or not self._token:
                raise LoginNeeded("the function given as token returned none")
        return self._token

    def _headers(self) -> Steps[Dict[str, str]]:
        """Over HTTP credentials come with every request (P-AUTH-8)."""
        if self.options.api_key is not None:
            return {"X-MangleCP-API-Key": self.options.api_key}
        token = yield from self._current_token()
        return {"Authorization": f"Bearer {token}"}

    def _authenticate(self) -> Steps[None]:
        """On a session: before the first request (P-AUTH-6)."""
        assert self.manifest is not None
        schemes = self.manifest.auth.schemes
        if self.options.api_key is not None:
            scheme, token = "api_key", self.options.api_key
        else:
            scheme = "bearer" if "bearer" in schemes or "oauth2" not in schemes else "oauth2"
            token = yield from self._current_token()
        answer = yield from self.send_and_wait("authenticate", {"scheme": scheme, "token": token}, Cancel())
        if answer.type == "error":
            refused = Refused(answer.payload)
            if refused.code != "auth_invalid" or not callable(self.options.token) or self.options.api_key:
                raise refused
            token = yield from self._current_token(renew=True)
            answer = yield from self.send_and_wait("authenticate", {"scheme": scheme, "token": token}, Cancel())
        self.identity = Identity.read(payload_of(answer, "authenticate_response"))

    def renew(self, refused: Refused) -> Steps[bool]:
        """New credentials for ones that ran out, or a session's login that the server has ended; True if
        there is something else to show than before."""
        if refused.code == "auth_required" and isinstance(self._link, SessionLink):
            self._authenticated = False
            return self.options.token is not None or self.options.api_key is not None
        if refused.code != "auth_invalid" or not callable(self.options.token) or self.options.api_key:
            return False
        yield from self._current_token(renew=True)
        self._authenticated = False
        return True

    def forget_token(self) -> None:
        """The next request asks for a new one, if there is whom to ask."""
        if callable(self.options.token):
            self._token = None
            self._authenticated = False

    def _check_login(self) -> None:
        assert self.manifest is not None
        auth = self.manifest.auth
        shows = (self.options.api_key, self.options.token, self.options.ssl_context)  # which may have a certificate
        if auth.required and all(credential is None for credential in shows):
            raise LoginNeeded(
                f"the server wants credentials ({', '.join(auth.schemes)}); give token or api_key",
                auth.schemes,
                auth.token_url,
            )

    # ---- being ready -----------------------------------------------------------------------

    def ready(self, cancel: Cancel) -> Steps[Manifest]:
        """The manifest of a server that takes requests now (P-READY-1, P-READY-3, P-READY-8)."""
        until = self.now() + self.options.ready_timeout
        gap = POLL_FIRST_S
        while True:
            manifest = yield from self.connect()
            if manifest.status in ("ready", "degraded"):
                self._check_login()
                return manifest
            if manifest.status == "draining":
                self.look_again_next_time()
                raise NotReady("draining", f"{manifest.server_name} is draining: it takes no new requests")
            if self.now() >= until:
                self.look_again_next_time()
                message = f"{manifest.server_name} still boots after {self.options.ready_timeout:g} s"
                raise NotReady("booting", message)
            yield from self._wait_for_news(min(until, self.now() + gap), cancel)
            gap = min(gap * 2, POLL_MOST_S)

    def look_again_next_time(self) -> None:
        if isinstance(self._link, HttpLink):
            self._link.expire()

    def _wait_for_news(self, until: float, cancel: Cancel) -> Steps[None]:
        edition = self._edition
        if isinstance(self._link, HttpLink):
            yield Sleep(until)
            self._link.expire()
        else:
            while self._edition == edition and self._link.usable and not cancel.requested and self.now() < until:
                try:
                    yield from self._link.wait(until)
                except TimedOut:
                    break
        if cancel.requested:
            raise Cancelled(certain=True)  # nothing was sent

    # ---- one message out, one answer in ----------------------------------------------------

    def send_and_wait(
        self,
        kind: str,
        payload: Dict[str, Any],
        cancel: Cancel,
        extensions: Optional[Dict[str, Any]] = None,
        on_progress: OnProgress = nobody,
    ) -> Steps[Envelope]:
        """Sends it once. Raises NoAnswer for invocations, its cause for everything else."""
        if cancel.requested:
            raise Cancelled(certain=True)  # nothing was sent

        def progress(told: Dict[str, Any]) -> Steps[None]:
            yield Call(on_progress, (Progress.read(told),))

        message = Envelope(kind, f"c-{next(self._ids)}", payload, extensions or {})
        deadline = self.now() + self.options.answer_timeout
        try:
            return (yield from self._link.request(message, deadline, cancel, progress))
        except NoAnswer as failure:
            if kind == "invoke_request":
                raise
            raise failure.cause from None

    def stopped(self, refused: Refused, cancel: Cancel, what: str) -> Error:
        """The server stopped a request because it was asked to: by the caller, or because time was up."""
        if cancel.requested:
            return Cancelled(certain=True, details=refused.details)
        error = TimedOut(
            f"{what} did not end within {self.options.answer_timeout:g} s, and the server stopped it"
        )
        error.__cause__ = refused
        return error

    # ---- intents ---------------------------------------------------------------------------

    def evaluate(
        self,
        name: str,
        params: Optional[Dict[str, Any]],
        facts: Iterable[FactObject],
        eval_time: Optional[Instant],
        constraints: Optional[Dict[str, Any]],
        options: Optional[Dict[str, Any]],
        unlisted: bool,
        asks: Asks,
        extensions: Optional[Dict[str, Any]],
        cancel: Optional[Cancel],
    ) -> Steps[Evaluation]:
        try:
            pinned = None if eval_time is None else wire_time(eval_time)
        except ValueError as error:
            raise InvalidRequest([Fault("/eval_time", "invalid_time", str(error))]) from None
        settings = options or {}
        if asks.proofs and isinstance(settings, dict):
            settings = {**settings, "include_proof_hints": True}
        origin = Origin(name, params or {}, tuple(facts), pinned, constraints or {}, settings, unlisted)
        return (yield from self.evaluate_origin(origin, asks.extend(extensions), cancel or Cancel()))

    def evaluate_origin(self, origin: Origin, extensions: Dict[str, Any], cancel: Cancel) -> Steps[Evaluation]:
        answer = yield from self._ask(origin, extensions, cancel)
        why_not = answer.extensions.get(WHY_NOT_EXTENSION) if WHY_NOT_EXTENSION in extensions else None
        return Evaluation.read(payload_of(answer, "intent_response"), origin, why_not)

    def _ask(self, origin: Origin, extensions: Dict[str, Any], cancel: Cancel) -> Steps[Envelope]:
        """The answer to an intent. Only what asks for it is repeated (P-ERR-13, P-ERR-14, P-ERR-15)."""
        turn = Turn(self.options.retry_timeout)
        renewed = connected_again = False
        for _ in range(MAX_TRIES):
            manifest = yield from self.ready(cancel)
            payload = self._intent_payload(manifest, origin, extensions)
            try:
                answer = yield from self.send_and_wait("intent_request", payload, cancel, extensions)
            except NothingSent:  # the connection had ended unseen: on a new one it is sent for the first time
                if connected_again:
                    raise
                connected_again = True
                continue
            if answer.type != "error":
                return answer
            refused = Refused(answer.payload)
            if refused.code == "cancelled":
                raise self.stopped(refused, cancel, origin.intent)
            if not renewed and (yield from self.renew(refused)):
                renewed = True
                continue
            gap = turn.gap_after(refused, self.now())
            if gap is None:
                raise refused
            yield Sleep(self.now() + gap)
            if cancel.requested:
                raise Cancelled(certain=True)
            if refused.code == "server_not_ready":
                self.look_again_next_time()
        raise AssertionError("the loop above only ends by leaving it")

    def _intent_payload(self, manifest: Manifest, origin: Origin, extensions: Dict[str, Any]) -> Dict[str, Any]:
        """The request, judged. Raises InvalidRequest with every fault."""
        info = manifest.intent(origin.intent) if isinstance(origin.intent, str) else None
        given = [_wire_fact(entry) for entry in origin.facts]
        known = self.facts.select(_request.wanted_predicates(info))
        eval_time = origin.eval_time or text_of(self.options.clock())  # P-TIME-12
        faults = _request.check_intent(manifest, origin.intent, origin.params, origin.unlisted)
        faults += _request.check_facts(manifest, [*given, *known], eval_time)
        faults += _request.check_required(info, [*given, *known])
        faults += _request.check_eval_time(manifest, eval_time)
        faults += _request.check_settings(origin.constraints, origin.options)
        faults += _request.check_extensions(extensions)
        if WHY_NOT_EXTENSION in extensions:
            faults += _request.check_why_not(extensions[WHY_NOT_EXTENSION])
        if faults:
            raise InvalidRequest(faults)
        facts = merged(given, known, manifest.arg_names)
        payload: Dict[str, Any] = {
            "intent": {"name": origin.intent, "params": origin.params},
            "facts": facts,
            "eval_time": eval_time,
        }
        if origin.constraints:
            payload["constraints"] = origin.constraints
        if origin.options:
            payload["options"] = origin.options
        faults = _request.check_count(manifest, len(facts)) or _request.check_size(
            manifest, payload, extensions
        )
        if faults:
            raise InvalidRequest(faults)
        return payload

    def follow(
        self,
        suggestion: Suggestion,
        facts: Iterable[FactObject],
        asks: Asks,
        extensions: Optional[Dict[str, Any]],
        cancel: Optional[Cancel],
    ) -> Steps[Evaluation]:
        """A suggested intent, with its params and the facts that belong to it (P-NEXT-3, P-NEXT-5)."""
        sent = tuple({n: v for n, v in f.items() if n != "category"} for f in suggestion.continuation_facts)
        settings = {"include_proof_hints": True} if asks.proofs else {}
        origin = Origin(suggestion.name, suggestion.params, (*sent, *facts), None, {}, settings, True)
        return (yield from self.evaluate_origin(origin, asks.extend(extensions), cancel or Cancel()))

    def disclose(self, tool: Tool, cancel: Optional[Cancel]) -> Steps[Tool]:
        """The same tool in full: its intent again, with the wish to see it (D-36)."""
        if tool.is_full or tool.origin is None:
            return tool
        wish: FactObject = {"pred": _request.UPGRADE, "args": [tool.macro_id]}
        o = tool.origin
        options = {k: v for k, v in o.options.items() if k != "disclosure_preference"}
        asked = Origin(o.intent, o.params, (*o.facts, wish), o.eval_time, o.constraints, options, o.unlisted)
        evaluation = yield from self.evaluate_origin(asked, {}, cancel or Cancel())
        return again_in(evaluation, tool, o)

    # ---- invocations -----------------------------------------------------------------------

    def invoke(
        self,
        tool: Tool,
        args: Optional[Dict[str, Any]],
        key: Optional[str],
        eval_time: Optional[Instant],
        approved: Optional[str],
        resume: bool,
        dry_run: bool,
        on_progress: Optional[OnProgress],
        extensions: Optional[Dict[str, Any]],
        cancel: Optional[Cancel],
    ) -> Steps[Result]:
        call = Invocation(self, tool, args, key, eval_time, approved, extensions)
        call.cancel, call.on_progress = cancel or Cancel(), on_progress or nobody
        call.resumes, call.dry_run = resume, dry_run
        return (yield from call.run())

    def resume(
        self, attempt: Attempt, on_progress: Optional[OnProgress], cancel: Optional[Cancel]
    ) -> Steps[Result]:
        """Asks for the outcome of an invocation that was sent before, with its key."""
        call = Invocation(self, attempt.tool, attempt.args, attempt.key, attempt.eval_time, None, None)
        call.token = attempt.confirmation_token
        call.cancel, call.on_progress = cancel or Cancel(), on_progress or nobody
        return (yield from call.ask_again(attempt))

    def apply(self, result: Result) -> Applied:
        """The delta of a result into the working facts. What is there is applied even if the server could not
        work out all of it; the outcome says so."""
        applied = self.facts.apply(result.delta)
        return Applied(applied.retracted, applied.asserted, result.effects_complete, result.warnings)


def _wire_fact(entry: Any) -> Any:
    return (
        {name: _json.fact_value(value) for name, value in entry.items()} if isinstance(entry, dict) else entry
    )
