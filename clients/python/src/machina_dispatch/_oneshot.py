"""A process for one call (toolhost.md 9.3)."""

from __future__ import annotations

import time
from typing import Any, Dict, Optional, Tuple

from manglecp import _json

from . import _answers
from ._answers import LARGE_OUTPUT_BYTES, MAX_OUTPUT_BYTES, Answer
from ._child import ENDED, FLOOD, TIMEOUT, Child
from ._settings import Settings, child_environment, log

STOP_S = 0.3  # from SIGTERM to SIGKILL (T-DISP-10)


def call(aid: str, plugin: str, request: Dict[str, Any], settings: Settings) -> Tuple[Answer, int]:
    """The answer of `--run`, or a structured error, and the exit code. Raises ValueError for a request that JSON
    cannot express, OSError if no process can be started."""
    data = _json.encode(request) + b"\n"
    # A host may answer with the state it was given (T-RSP-7): a conforming one never meets the limit.
    state = request.get("ds_state")
    limit = MAX_OUTPUT_BYTES + (len(_json.encode(state)) if state is not None else 0)
    return run(["--run", plugin, aid], aid, data, limit, settings)


def run(words: Any, aid: Any, data: bytes, limit: int, settings: Settings) -> Tuple[Answer, int]:
    assert settings.program
    begun = time.monotonic()
    child = Child([settings.program, *words], child_environment(settings.host_limit_ms), settings.root)
    ended: Optional[str] = None
    try:
        ended = child.exchange(data, begun + settings.timeout_s, limit, whole=True)
        if ended == TIMEOUT:
            child.ask_to_end()
            child.wait(STOP_S)
    finally:
        status = child.finish()
    if ended == TIMEOUT:
        return _answers.timed_out(aid, settings.timeout_s), status
    if ended == FLOOD:
        return _answers.error(aid, "parse_error", _answers.TRUNCATED), status
    assert ended != ENDED
    if len(child.output) > LARGE_OUTPUT_BYTES:
        log.warning("%s: an output of %d bytes", aid, len(child.output))
    answer = _answers.read(aid, bytes(child.output))
    if status != 0 and _answers.is_error(answer):
        return _answers.crash(aid, _answers.text_of(child.errors), status), status
    return answer, status
