"""One `--serve` process: a request line in, an answer line out (toolhost.md 9.4). One call at a time."""

from __future__ import annotations

import itertools
import secrets
import socket
import time
from typing import Any, Dict, NamedTuple, Optional

from manglecp import _json

from . import _answers
from ._answers import LARGE_OUTPUT_BYTES, MAX_OUTPUT_BYTES, Answer
from ._child import ANSWERED, ENDED, FLOOD, TIMEOUT, Child
from ._oneshot import STOP_S
from ._settings import MAX_TIMEOUT_S, Settings, child_environment, log

END_S = 1.5  # from the end of its input to SIGTERM (T-DISP-16)
TERM_S = 0.5  # from there to SIGKILL


class Reply(NamedTuple):
    """answer    as the host gave it, or a structured error
    sent      the whole request line was taken, so the tool may have run (T-DISP-18)
    started   False: the process ended by itself before it ever answered"""

    answer: Answer
    sent: bool = True
    started: bool = True


class Session:
    """Raises OSError if it cannot be started. The control channel is its caller's: this object cannot reach it."""

    def __init__(self, plugin: str, settings: Settings, control: Optional[socket.socket]):
        assert settings.program
        words = [settings.program, "--serve", plugin]
        fds = []
        if control:
            words += ["--control-fd", str(control.fileno())]
            fds = [control.fileno()]
        # Calls bring their own limit; this one is no shorter than any of them.
        self._child = Child(words, child_environment(int(MAX_TIMEOUT_S * 1000)), settings.root, fds)
        self._prefix = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._answered = False
        self.broken = False

    def usable(self) -> bool:
        return not self.broken and self._child.is_silent()

    def prepare(self, request: Dict[str, Any], settings: Settings) -> Dict[str, Any]:
        """The request with an id (T-DISP-21) and with a limit that leaves the host time to explain (T-DISP-9)."""
        limit = settings.host_limit_ms
        asked = request.get("timeout_ms")
        prepared = {**request}
        if prepared.get("request_id") is None:
            prepared["request_id"] = f"{self._prefix}.{next(self._numbers)}"
        if asked is None or (_json.is_integer(asked) and asked > limit):
            prepared["timeout_ms"] = limit
        return prepared

    def call(self, request: Dict[str, Any], deadline: float, timeout_s: float) -> Reply:
        """Send what prepare() made. Raises ValueError, before anything is sent, for what JSON cannot express."""
        aid = request.get("aid")
        data = _json.encode(request) + b"\n"
        ended = ""
        try:
            ended = self._child.exchange(data, deadline, MAX_OUTPUT_BYTES, whole=False)
        finally:
            self.broken = ended != ANSWERED  # also when a signal handler raised
        sent = self._child.written >= len(data) - 1
        if ended == TIMEOUT:
            return Reply(_answers.timed_out(aid, timeout_s), sent)
        if ended == FLOOD:
            return Reply(_answers.error(aid, "parse_error", _answers.TRUNCATED), sent)
        if ended == ENDED:
            return self._ended(aid, sent)
        return self._answer(aid, request["request_id"])

    def _answer(self, aid: Any, request_id: str) -> Reply:
        line, _, more = bytes(self._child.output).partition(b"\n")
        if len(line) >= LARGE_OUTPUT_BYTES:
            log.warning("%s: an output of %d bytes", aid, len(line))
        answer = _answers.read(aid, line)
        if _answers.is_error(answer):
            self.broken = True
            return Reply(self._last_word(aid, answer))
        if "request_id" not in answer:  # it says why it ends, or it is no toolhost as we know them
            self.broken = True
            return Reply(self._last_word(aid, answer), started=self._answered)
        if answer["request_id"] != request_id or more:
            self.broken = True
            what = "two answers" if more else "the answer to another request"
            return Reply(_answers.error(aid, "parse_error", f"malformed JSON: {what}"))
        self._answered = True
        return Reply(answer)

    def _last_word(self, aid: Any, answer: Answer) -> Answer:
        """Of a process that ends with an error, as `--run` would have: that is what counts (T-DISP-5)."""
        if not self._child.wait(STOP_S):
            return answer
        status = self._child.finish()
        if status == 0:
            return answer
        said = "" if _answers.is_error(answer) else answer.get("error", "")
        return _answers.crash(aid, said or _answers.text_of(self._child.errors), status)

    def _ended(self, aid: Any, sent: bool) -> Reply:
        output = bytes(self._child.output)
        gone = self._child.wait(STOP_S)
        status = self._child.finish()
        if output.strip():  # the end came in the middle of an answer
            half = _answers.read(aid, output)
            if status == 0 and _answers.is_error(half):
                return Reply(half, sent)
        if gone and status == 0 and not self._answered and not self._child.errors:
            return Reply(_answers.error(aid, "parse_error", "empty output"), sent, started=False)
        crashed = _answers.crash(aid, _answers.text_of(self._child.errors), status if gone else None)
        return Reply(crashed, sent, started=self._answered or not gone or status <= 0)

    def discard(self) -> None:
        """SIGTERM, so that the host can sweep up what its tool left, then the whole group (T-DISP-15)."""
        self._child.ask_to_end()
        self._child.wait(STOP_S)
        self._child.finish()

    def ask_to_end(self) -> None:
        self._child.close_input(b"\n")

    def end(self) -> None:
        """In order (T-DISP-16)."""
        self.ask_to_end()
        if not self._child.wait(END_S):
            self._child.ask_to_end()
            self._child.wait(TERM_S)
        self._child.finish()

    def abandon(self) -> None:
        self._child.abandon()


def deadline_of(settings: Settings) -> float:
    return time.monotonic() + settings.timeout_s
