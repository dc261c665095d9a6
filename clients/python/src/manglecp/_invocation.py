"""One call of a tool: from the judgement of its arguments to its result.

`run` is the order of things: prepare (expired? shown in full? arguments? consent?), send once, and mend what
a refusal before any action allows to mend. Invariants 2 and 3 of `_role.py` are kept here."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional

from . import _json, _request, schema
from ._effects import Call, Cancel, NothingSent, Sleep, Steps
from ._links import NoAnswer
from ._time import Instant, wire_time
from ._wire import DRY_RUN_EXTENSION, KEY_EXTENSION, ONLY_EXTENSION, REPLAY_EXTENSION, Envelope, payload_of
from .confirm import sign
from .errors import (
    Cancelled,
    ConsentDeclined,
    ConsentUnavailable,
    Error,
    Fault,
    Indeterminate,
    InvalidRequest,
    ProtocolError,
    Refused,
    ToolGone,
)
from .types import Attempt, Evaluation, Origin, Progress, Question, Result, Tool

if TYPE_CHECKING:
    from ._role import Role

FIRST_GAP_S = 0.1
MAX_ATTEMPTS = 5  # of one request (P-ERR-15)
MAX_CHALLENGES = 2  # that one invocation answers: the second if the first came too late
MAX_QUESTIONS = 256  # that a tool asks while it runs: as many as its menu may have steps
MAX_EARLY_S = 30.0  # a tool that becomes valid this soon is waited for
MAX_RESUMES = 3
NO_OUTCOME = ("macro_not_found", "macro_expired", "confirmation_required", "confirmation_invalid")
WAITING_CODES = ("rate_limited", "server_not_ready")

OnProgress = Callable[[Progress], Any]


def new_key() -> str:
    return uuid.uuid4().hex


def nobody(_: Progress) -> None:
    return None


class Turn:
    """The attempts of one request (P-ERR-13 to -15): growing gaps, none shorter than the server asked for."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._give_up: Optional[float] = None  # counts from the first refusal: a user may have thought before
        self._made = 0
        self._gap = FIRST_GAP_S

    def gap_after(self, refused: Refused, now: float) -> Optional[float]:
        """How long to wait before the next attempt; None: there is none."""
        self._made += 1
        if self._give_up is None:
            self._give_up = now + self._patience
        gap = max(refused.retry_after_s or 0.0, self._gap)
        if refused.code not in WAITING_CODES or self._made == MAX_ATTEMPTS or now + gap > self._give_up:
            return None
        self._gap = gap * 2
        return gap


class Invocation:
    """One call of a tool, from the judgement of its arguments to its result."""

    resumes = False
    dry_run = False  # nothing is to be run: no key, no consent, and a lost answer leaves nothing open

    def __init__(
        self,
        role: Role,
        tool: Tool,
        args: Optional[Dict[str, Any]],
        key: Optional[str],
        eval_time: Optional[Instant],
        token: Optional[str],
        extensions: Optional[Dict[str, Any]],
    ) -> None:
        self.role = role
        self.tool = tool
        self.args: Dict[str, Any] = {} if args is None else _plain(args)
        self.key = new_key() if key is None else key
        self.eval_time = eval_time
        self.token = token
        self.extensions = extensions or {}
        self.cancel = Cancel()
        self.on_progress: OnProgress = nobody
        self.agreed: Optional[Question] = None
        self.evaluated_again = False
        self.waited = False
        self.renewed = False
        self.challenges = 0
        self.questions = 0  # that the tool has asked since it runs: what has run must not run again
        self.turn = Turn(role.options.retry_timeout)

    def run(self) -> Steps[Result]:
        yield from self._prepare()
        while True:
            try:
                return (yield from self._send())
            except Refused as refused:
                if not (yield from self._mended(refused)):
                    raise

    # ---- before it is sent -----------------------------------------------------------------

    def _prepare(self) -> Steps[None]:
        """Nothing is sent to the tool before all of this holds."""
        faults = _request.check_key(self.key) + _request.check_extensions(self.extensions)
        if not isinstance(self.eval_time, (str, type(None))):
            try:
                self.eval_time = wire_time(self.eval_time)
            except ValueError as error:
                faults.append(Fault("/eval_time", "invalid_time", str(error)))
        manifest = yield from self.role.ready(self.cancel)
        faults += _request.check_eval_time(manifest, self.eval_time)
        if self.dry_run:
            faults += _request.check_dry_run(manifest, self.resumes)
        if faults:
            raise InvalidRequest(faults)
        if self.tool.expired(self.role.options.clock()):
            yield from self._evaluate_again()  # P-TOOL-18
        self.tool = yield from self.role.disclose(self.tool, self.cancel)
        self._check_args()
        if self._must_ask():
            yield from self._consent(self._question())

    def _must_ask(self) -> bool:
        return self.tool.asks and self.agreed is None and self.token is None and not self.dry_run

    def _question(self) -> Question:
        """With a copy of the arguments: whoever is asked cannot change what is sent."""
        return self.tool.question(_plain(self.args))

    def _check_args(self) -> None:
        faults: List[Fault] = (
            [] if isinstance(self.args, dict) else [Fault("/args", "type", "args is an object")]
        )
        if not faults and self.tool.input_schema is not None:
            faults = schema.check(self.tool.input_schema, self.args, "/args")
        try:
            _json.encode(self.args)
        except ValueError as error:
            faults.append(Fault("/args", "type", f"this is not JSON: {error}"))
        if faults:
            raise InvalidRequest(faults)

    def _consent(self, question: Question) -> Steps[None]:
        """P-TOOL-15, P-CONF-3."""
        ask = self.role.options.consent
        done = "" if question.question is None else "; what it had done before is done"
        if ask is None:
            raise ConsentUnavailable(
                f"{question.tool} needs the user's consent, and no consent callback is there to ask{done}"
            )
        agreed = yield Call(ask, (question,))
        if agreed is not True:
            raise ConsentDeclined(f"the user does not want {question.tool} to run{done}")
        self.agreed = question

    # ---- sending it ------------------------------------------------------------------------

    def _send(self) -> Steps[Result]:
        """Sends it, once. What has no answer is Indeterminate, or with `resumes` asked for again by its key."""
        attempt = self._attempt()
        try:
            return (yield from self._exchange(attempt))
        except Indeterminate as lost:
            if not self.resumes:
                raise
            return (yield from self._resume(attempt, lost))

    def _attempt(self) -> Attempt:
        assert self.eval_time is None or isinstance(self.eval_time, str)
        return Attempt(self.tool, self.args, "" if self.dry_run else self.key, self.eval_time, self.token)

    def _exchange(self, attempt: Attempt, only: bool = False) -> Steps[Result]:
        """`only`: ask what came of it, and run nothing."""
        try:
            return (yield from self._exchange_once(attempt, only))
        except NothingSent:  # the connection had ended unseen: on a new one it is sent for the first time
            return (yield from self._exchange_once(attempt, only))

    def _exchange_once(self, attempt: Attempt, only: bool) -> Steps[Result]:
        manifest = yield from self.role.ready(self.cancel)
        untold = _request.check_resume(manifest) if only else []
        if untold:
            raise Indeterminate(attempt, untold[0].message) from InvalidRequest(untold)
        payload: Dict[str, Any] = {"macro_id": attempt.tool.macro_id, "args": attempt.args}
        if attempt.eval_time is not None:
            payload["eval_time"] = attempt.eval_time
        if attempt.confirmation_token is not None:
            payload["confirmation_token"] = attempt.confirmation_token
        mark: Dict[str, Any] = {DRY_RUN_EXTENSION: True} if self.dry_run else {KEY_EXTENSION: attempt.key}
        if only:
            mark[ONLY_EXTENSION] = True
        extensions = {**self.extensions, **mark}
        faults = _request.check_size(manifest, payload, extensions)
        if faults:
            raise InvalidRequest(faults)
        try:
            answer = yield from self.role.send_and_wait(
                "invoke_request", payload, self.cancel, extensions, self.on_progress
            )
        except NoAnswer as failure:
            if self.dry_run:
                raise failure.cause from None
            if isinstance(failure.cause, Cancelled):
                raise Cancelled(not failure.sent, attempt if failure.sent else None) from None
            if not failure.sent:
                raise failure.cause from None
            raise Indeterminate(attempt, str(failure.cause)) from failure.cause
        return self._judge(attempt, answer)

    def _judge(self, attempt: Attempt, answer: Envelope) -> Result:
        if answer.type == "error":
            refused = Refused(answer.payload)
            if refused.code == "cancelled":
                raise self.role.stopped(refused, self.cancel, attempt.tool.name)
            raise refused
        if self.dry_run:
            return _plan_of(attempt, answer)
        try:
            payload = payload_of(answer, "invoke_response")
            output = attempt.tool.output_schema
            faults = [] if output is None else schema.check(output, payload.get("result"), "/result")
            return Result.read(payload, attempt, answer.extensions.get(REPLAY_EXTENSION) is True, faults)
        except ProtocolError as error:  # it ran, but what came of it cannot be read
            raise Indeterminate(attempt, str(error)) from error

    # ---- sending it again, on the caller's word ----------------------------------------------

    def ask_again(self, attempt: Attempt) -> Steps[Result]:
        """One question for the outcome, which runs nothing. Refusals that would make the server forget that it
        ran are no outcome: what it does not know any more may have run before it forgot."""
        try:
            return (yield from self._exchange(attempt, only=True))
        except Refused as refused:
            if _asks_within(refused):
                raise  # it runs, and waits for the user
            if refused.code in NO_OUTCOME or refused.details.get("reason") == "key_unknown":
                raise Indeterminate(attempt, f"the server keeps no outcome: {refused.code}") from refused
            raise

    def _resume(self, attempt: Attempt, lost: Indeterminate) -> Steps[Result]:
        gap = FIRST_GAP_S
        for _ in range(MAX_RESUMES):
            yield Sleep(self.role.now() + gap)
            gap *= 4
            try:
                return (yield from self.ask_again(attempt))
            except Indeterminate as again:
                if isinstance(again.__cause__, (Refused, InvalidRequest)):
                    raise
                lost = again
            except Refused as refused:
                if refused.code not in WAITING_CODES:
                    raise
                gap = max(gap, refused.retry_after_s or 0.0)
            except (InvalidRequest, Cancelled):
                raise
            except Error as error:  # no connection, not ready: the next look may find it
                lost.__cause__ = error
        raise lost

    # ---- what a refusal allows -------------------------------------------------------------

    def _mended(self, refused: Refused) -> Steps[bool]:
        """The recovery step of a refusal that came before any action (P-ERR-11); False if there is none."""
        if refused.code in WAITING_CODES:
            return (yield from self._wait_for_turn(refused))
        if _asks_within(refused) and self.questions < MAX_QUESTIONS and not self.dry_run:
            self.questions += 1
            return (yield from self._answer_challenge(refused))
        if self.questions and refused.code not in ("auth_required", "auth_invalid"):
            return False  # whatever became of it, nothing begins anew
        if refused.code == "macro_expired" and refused.details.get("reason") == "not_yet_valid":
            if (yield from self._wait_until_valid(refused)):
                return True
        if refused.code in ("macro_not_found", "macro_expired") and not self.evaluated_again:
            if self.tool.origin is None:
                return False
            before = self.tool.macro_id
            yield from self._evaluate_again()  # P-CACHE-6
            self.tool = yield from self.role.disclose(self.tool, self.cancel)
            self._check_args()
            if self.tool.macro_id != before:
                self.agreed = self.token = None  # another id is another tool: the agreement does not cover it
            if self._must_ask():
                yield from self._consent(self._question())
            return True
        if not self.renewed and (yield from self.role.renew(refused)):
            self.renewed = True
            return True
        if refused.code == "auth_invalid":
            self.role.forget_token()
        if refused.code == "confirmation_required" and self.token is None and not self.dry_run:
            return (yield from self._answer_challenge(refused))
        if (
            refused.code == "confirmation_invalid"
            and self.agreed is not None
            and self.challenges < MAX_CHALLENGES
        ):
            self.token = self.agreed = None
            yield from self._consent(self._question())  # "ask the user again"
            return True
        return False

    def _evaluate_again(self) -> Steps[None]:
        self.evaluated_again = True
        origin = self.tool.origin
        if origin is not None:
            evaluation = yield from self.role.evaluate_origin(origin, {}, self.cancel)
            self.tool = again_in(evaluation, self.tool, origin)

    def _wait_for_turn(self, refused: Refused) -> Steps[bool]:
        """The server did not take it up, and says when to come back."""
        gap = self.turn.gap_after(refused, self.role.now())
        if gap is None:
            return False
        yield Sleep(self.role.now() + gap)
        if self.cancel.requested:
            raise Cancelled(certain=True)
        if refused.code == "server_not_ready":
            self.role.look_again_next_time()
        return True

    def _wait_until_valid(self, refused: Refused) -> Steps[bool]:
        """The server's clock is behind the time that the tool was computed for: wait for it, once."""
        wait = refused.retry_after_s
        if wait is None or wait > MAX_EARLY_S or self.waited:
            return False
        self.waited = True
        yield Sleep(self.role.now() + wait)
        if self.cancel.requested:
            raise Cancelled(certain=True)
        return True

    def _answer_challenge(self, refused: Refused) -> Steps[bool]:
        challenge = refused.details.get("challenge")
        if not isinstance(challenge, str) or (self.challenges == MAX_CHALLENGES and not self.questions):
            return False
        self.challenges += 1
        shown = _question_of(self.tool, _plain(self.args), refused.details)
        if self.agreed is None or not _covers(self.agreed, shown, self.tool):
            yield from self._consent(shown)
        if self.role.confirm_key is not None:
            self.token = sign(challenge, self.role.confirm_key)
        elif self.role.options.approve is not None:
            approved = yield Call(self.role.options.approve, (challenge, refused.details))
            if approved is not True:
                done = "" if shown.question is None else "; what it had done before is done"
                raise ConsentDeclined(f"nobody approved {self.tool.name}{done}")
            self.token = challenge
        else:
            return False
        return True


# ---- helpers ----------------------------------------------------------------------------


def _plain(value: Any, depth: int = 0) -> Any:
    """A copy of arguments as JSON has them: tuples as arrays. What is nested without end is left to the check."""
    if depth > _json.MAX_DEPTH:
        return value
    if isinstance(value, dict):
        return {name: _plain(item, depth + 1) for name, item in value.items()}
    return [_plain(item, depth + 1) for item in value] if isinstance(value, (list, tuple)) else value


def _plan_of(attempt: Attempt, answer: Envelope) -> Result:
    plan = answer.extensions.get(DRY_RUN_EXTENSION)
    if not isinstance(plan, dict):
        raise ProtocolError("the server answered a dry run without saying that it was one")
    return Result.read(payload_of(answer, "invoke_response"), attempt, False, (), plan)


def again_in(evaluation: Evaluation, tool: Tool, origin: Origin) -> Tool:
    """The same tool in a fresh evaluation: the same id, or at least the same name."""
    found = evaluation.find(tool.macro_id) or evaluation.find(tool.name)
    if found is None:
        raise ToolGone(tool.name, evaluation)
    return replace(found, origin=origin)


def _asks_within(refused: Refused) -> bool:
    """Does the tool run, and ask before one of its actions?"""
    show = refused.details.get("show")
    return refused.code == "confirmation_required" and isinstance(show, dict) and "question" in show


def _question_of(tool: Tool, args: Dict[str, Any], details: Dict[str, Any]) -> Question:
    """What the server wants the user to be shown."""
    show = details.get("show")
    show = show if isinstance(show, dict) else {}
    known = tool.question(args)
    effects, bound = details.get("side_effects"), show.get("bound")
    told = (
        tuple(e for e in effects if isinstance(e, str) and e != "none") if isinstance(effects, list) else None
    )
    return Question(
        str(show.get("tool", known.tool)),
        str(show.get("description", known.description)),
        known.side_effects if told is None else told,
        details.get("reversible") is True,
        show["args"] if isinstance(show.get("args"), dict) else args,
        str(details.get("macro_id", known.macro_id)),
        tuple(one for one in bound if isinstance(one, dict)) if isinstance(bound, list) else (),
        str(show["question"]) if "question" in show else None,
        str(show.get("action", "")),
        show["inputs"] if isinstance(show.get("inputs"), dict) else {},
    )


def _covers(agreed: Question, shown: Question, tool: Tool) -> bool:
    """Did the user agree to what the server asks for? Arguments may have gained the defaults of the schema,
    which were open to see; what rules filled in was not."""
    properties = (tool.input_schema or {}).get("properties")
    defaults = {
        name: part["default"]
        for name, part in (properties.items() if isinstance(properties, dict) else ())
        if isinstance(part, dict) and "default" in part
    }
    return (
        shown.question is None  # what is asked in the middle was not known before
        and agreed.tool == shown.tool
        and agreed.macro_id == shown.macro_id
        and set(shown.side_effects) <= set(agreed.side_effects)
        and (shown.reversible or not agreed.reversible)
        and _json.identity(list(shown.bound)) == _json.identity(list(agreed.bound))
        and _json.identity(shown.args)
        in (
            _json.identity(agreed.args),
            _json.identity({**{n: v for n, v in defaults.items() if n in shown.args}, **agreed.args}),
        )
    )
