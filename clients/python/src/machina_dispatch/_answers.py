"""Answers and structured errors, and which is which (toolhost.md 9.1).

Both modes come here with the same two things, the answer if there is one and how the process ended, so that the
same cause has the same type in both (T-DISP-5)."""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping, Optional, Union

from manglecp import _json

MAX_OUTPUT_BYTES = 1_048_576  # of stdout of one call (T-DISP-11)
LARGE_OUTPUT_BYTES = 524_288  # worth a warning (T-DISP-12)
MAX_ERROR_OUTPUT_BYTES = 65_536  # of stderr (T-DISP-12)
MAX_DETAIL_BYTES = 4096  # T-DISP-2

Answer = Dict[str, Any]

TRUNCATED = f"output truncated at {MAX_OUTPUT_BYTES} bytes"

# Refusals that have no exit code of their own in `--run`: there they cannot occur, so they are the tool's answer.
_ANSWERED = {"bad_key", "key_conflict", "lease_rejected", "lease_issue_denied"}
_LEASE = re.compile(r"\blease_[0-9A-Fa-f]{8,}")
_WITH_REASON = {"lease_rejected", "lease_issue_denied"}


def error(aid: Any, kind: str, detail: str, **more: Any) -> Answer:
    """The structured error of the seed's chapter 5."""
    return {"error": True, "aid": aid, "type": kind, "detail": _detail(detail), **more}


def exception(aid: Any, raised: BaseException) -> Answer:
    return error(aid, "exception", f"{type(raised).__name__}: {raised}")


def timed_out(aid: Any, seconds: float) -> Answer:
    return error(aid, "timeout", f"toolhost timed out ({seconds:g}s)")


def crash(aid: Any, said: str, status: Optional[int]) -> Answer:
    """A process that ended without an answer: what it said, else how it ended (a negative status is a signal)."""
    if not said.strip():
        said = (
            "the session ended"
            if status is None
            else f"signal {-status}" if status < 0 else f"exit code {status}"
        )
    return error(aid, "crash", said.strip())


def read(aid: Any, data: bytes) -> Answer:
    """The one object of a toolhost's output; a structured error if that is not what it is (T-DISP-13)."""
    if not data.strip():
        return error(aid, "parse_error", "empty output")
    try:
        value = _json.decode(data)
    except ValueError as wrong:
        return error(aid, "parse_error", f"malformed JSON: {wrong}")
    if not isinstance(value, dict):
        return error(aid, "parse_error", f"malformed JSON: not an object but {type(value).__name__}")
    if not isinstance(value.get("ok"), bool) or not isinstance(value.get("error", ""), str):
        return error(aid, "parse_error", "malformed JSON: not an answer of a toolhost")
    return value


def is_error(answer: Mapping[str, Any]) -> bool:
    return answer.get("error") is True


def text_of(data: Union[bytes, bytearray]) -> str:
    return bytes(data[:MAX_DETAIL_BYTES]).decode("utf-8", "replace")


def exit_code_of(answer: Mapping[str, Any]) -> int:
    """How `--run` would have ended with this answer of a session (toolhost.md 2.3, 3.6)."""
    code = answer.get("code")
    if answer["ok"] or ("status" not in answer and code in _ANSWERED):
        return 0
    if "status" not in answer:
        return 5
    return {"crash": 6, "unavailable": 6, "timeout": 7, "cancelled": 7}.get(str(code), 0)


def outcome(aid: Any, answer: Answer, exit_code: int) -> Union[str, Answer]:
    """What run_machina_toolhost returns for an answer (T-DISP-3): the output, or a structured error."""
    said = answer.get("error") or ""
    if exit_code == 7 and said.startswith("tool timed out"):
        return error(aid, "timeout", said)
    if exit_code != 0:
        return crash(aid, said, exit_code)
    if answer["ok"]:
        output = answer.get("output_json")
        if isinstance(output, str):
            return output
        return error(aid, "parse_error", "malformed JSON: the result has no output_json")
    more = {name: answer[name] for name in ("code",) if isinstance(answer.get(name), str)}
    status = answer.get("status")
    reason = answer.get("reason")
    detail = f"{said}: {reason}" if isinstance(reason, str) and said in _WITH_REASON else said
    return error(
        aid,
        "tool_error",
        detail or "tool failed without a message",
        status=status if isinstance(status, str) else "TOOL_ERROR",
        **more,
    )


def _detail(text: str) -> str:
    """At most 4096 bytes, whole characters, without lease tokens (T-DISP-2)."""
    hidden = _LEASE.sub("lease_...", text)
    data = hidden.encode("utf-8", "replace")
    return data[:MAX_DETAIL_BYTES].decode("utf-8", "ignore")
