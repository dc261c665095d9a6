"""The program: --list, --run, --serve (toolhost.md 2, 3). In --serve a line is a request and is answered by a line, one
call at a time, until the input ends.

Standard output belongs to the protocol: what an action prints goes to standard error, and what it reads from standard
input is nothing. SIGINT cancels the running call, SIGTERM ends the program when that is answered.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import traceback
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Tuple,
)

from .. import _json
from . import _action, _call
from ._action import ACTIONS, Action
from ._call import NO_CALL, ActionError, Call, Cancelled, State
from ._types import text_of, words_of

MAX_REQUEST_BYTES = 10_485_760  # one line
MAX_ANSWER_BYTES = 1_048_576  # one line, its end included
MAX_ERROR_BYTES = 4096
MAX_TRACE_BYTES = 4000
MAX_CAUSES, MAX_PLACES = 3, 8
CHUNK = 65_536

EXIT_SYSTEM, EXIT_USAGE, EXIT_NOT_FOUND, EXIT_REQUEST, EXIT_STOPPED = 1, 2, 4, 5, 7

Answer = Dict[str, Any]
NO_CHANGE = {"delta": True, "slots": {}, "removed_slots": []}
USAGE = """usage: python3 {0} --list                          what there is
       python3 {0} --run AID [--arg NAME=VALUE]... run one; without --arg the request is read from standard input
       python3 {0} --serve                         a request per line, as a server sends them
"""


def serve(argv: Optional[Sequence[str]] = None) -> NoReturn:
    """What the file's last line calls: does what the command line says, and ends the program."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if words == ["--list"]:
            code = _list()
        elif words == ["--serve"]:
            code = Server().run()
        elif len(words) >= 2 and words[0] == "--run":
            code = _run(words[1], words[2:])
        else:
            sys.stderr.write(USAGE.format(os.path.basename(sys.argv[0])))
            code = EXIT_USAGE
    except BrokenPipeError:  # nobody reads any more
        code = EXIT_SYSTEM
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the end of the program would complain
    sys.exit(code)


def _list() -> int:
    sys.stdout.write(_action.encode({"ok": True, "tools": _action.listed()}) + "\n")
    sys.stdout.flush()
    return 0


# ---- one call --------------------------------------------------------------------------------------


class Refused(Exception):
    """The request is not executed."""

    def __init__(self, text: str, code: str):
        super().__init__(text)
        self.code = code


class Caller:
    """Runs actions. Signals find the running one here."""

    def __init__(self, tell: Callable[[Call, Dict[str, Any]], None]):
        self._tell = tell
        self._loop: Any = None
        self._task: Any = None
        self._interruptible = False
        self.ending = False

    def answer(self, data: bytes, aid: Optional[str] = None) -> Answer:
        """For one request. Whatever happens, there is one."""
        request: Mapping[str, Any] = {}
        try:
            request = _read_request(data)
            made = self._perform(_find(request, aid), request)
        except Refused as refused:
            made = {"ok": False, "error": _cut(str(refused)), "code": refused.code}
        if isinstance(request.get("request_id"), str):
            made["request_id"] = request["request_id"]
        else:
            made.pop("code", None)
            made.pop("trace", None)
        return made

    def _perform(self, action: Action, request: Mapping[str, Any]) -> Answer:
        faults: List[str] = []
        arguments = action.read(_inputs(request), "", faults)
        if faults:
            return failed("TOOL_ERROR", "invalid input: " + "; ".join(faults[:20]), "tool_error")
        slots = _slots(request.get("ds_state"))
        call = Call(
            request.get("request_id") or "",
            request.get("timeout_ms"),
            self._tell if request.get("progress") else None,
            State(slots) if slots or action.state_name else None,
        )
        if action.state_name:
            arguments[action.state_name] = call.state
        try:
            text = action.write(self._called(action, arguments, call))
            text.encode("utf-8")
        except Cancelled:
            _call.end()
            return failed("TOOL_ERROR", "cancelled", "cancelled")
        except ActionError as wrong:
            return failed(getattr(wrong, "status", "TOOL_ERROR"), text_of(wrong))
        except (SystemExit, KeyboardInterrupt) as wrong:
            return failed("TOOL_ERROR", f"the action ended the program: {words_of(wrong)}")
        except BaseException as wrong:
            _print_traceback(wrong)
            made = failed("TOOL_ERROR", words_of(wrong))
            made["trace"] = _trace(wrong)
            return made
        delta = call.state.delta() if call.state is not None and call.state.has_changed else NO_CHANGE
        return {
            "ok": True,
            "status": "OK",
            "output_json": text,
            "error": "",
            "ds_state": delta,
        }

    def _called(self, action: Action, arguments: Dict[str, Any], call: Call) -> Any:
        self._interruptible = action.interrupt
        _call.begin(call)
        try:
            if action.is_async:
                return self._awaited(action, arguments)
            return action.function(**arguments)
        finally:
            _call.end()

    def _awaited(self, action: Action, arguments: Dict[str, Any]) -> Any:
        import asyncio  # actions that do not wait do without

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(action.function(**arguments))
        try:
            return self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            if not _call.current.cancelled:
                raise  # by its own hand
            raise Cancelled("cancelled") from None
        finally:
            self._task = None

    def cancel(self, *_: Any) -> None:
        """The handler of SIGINT. Between calls it does nothing; a call is interrupted once."""
        call = _call.current
        if call is NO_CALL or call.cancelled:
            return
        call.cancelled = True
        if not self._interruptible:
            return
        if self._task is None:
            raise Cancelled("cancelled")
        self._loop.call_soon_threadsafe(self._task.cancel)

    def end(self, *_: Any) -> None:
        """The handler of SIGTERM."""
        self.ending = True
        if _call.current is NO_CALL:
            raise SystemExit(0)
        self.cancel()


def failed(status: str, error: str, code: str = "") -> Answer:
    words = {"INVALID_PICK": "invalid_pick", "BREAKER_TRIP": "tool_breaker"}
    return {
        "ok": False,
        "status": status,
        "output_json": "{}",
        "error": _cut(error) or "tool failed without a message",
        "code": code or words.get(status, "tool_error"),
        "ds_state": NO_CHANGE,
    }


def _cut(text: str, most: int = MAX_ERROR_BYTES) -> str:
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _own(trace: Any) -> Any:
    """From the action's own function on."""
    while trace and trace.tb_next and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _print_traceback(raised: BaseException) -> None:
    try:
        traceback.print_exception(type(raised), raised, _own(raised.__traceback__))
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass  # the action has closed it


def _trace(raised: BaseException) -> str:
    """Where it was raised, and what led to it, for the server's log: places and lines of code. What was said of it is
    not in there, for that may hold what nobody may log; the error has it, and the server masks it."""
    lines: List[str] = []
    cause: Optional[BaseException] = raised
    for _ in range(MAX_CAUSES):
        if cause is None:
            break
        lines.append(f"{type(cause).__name__} at" if cause is raised else f"caused by {type(cause).__name__} at")
        for place in traceback.format_tb(_own(cause.__traceback__), limit=-MAX_PLACES):
            lines += place.rstrip().splitlines()
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return _cut("\n".join(lines), MAX_TRACE_BYTES)


# ---- requests --------------------------------------------------------------------------------------


def _read_request(data: bytes) -> Mapping[str, Any]:
    try:
        request = _json.decode(data)
    except ValueError:
        raise Refused("invalid JSON", "bad_json") from None
    if request.__class__ is not dict:
        raise Refused("request must be a JSON object", "bad_request")
    for name, kind in (("request_id", str), ("timeout_ms", int), ("progress", bool)):
        if request.get(name) is not None and request[name].__class__ is not kind:
            raise Refused(f"invalid {name}: must be {kind.__name__}", "bad_request")
    return request


def _find(request: Mapping[str, Any], wanted: Optional[str]) -> Action:
    aid = request.get("aid")
    if wanted is not None:
        if isinstance(aid, str) and aid != wanted:
            raise Refused("aid mismatch", "bad_request")
        aid = wanted
    if not isinstance(aid, str) or not aid:
        raise Refused("missing aid", "missing_aid")
    action = ACTIONS.get(aid)
    if action is None:
        raise Refused(f"tool not found: {aid}", "not_found")
    return action


def _inputs(request: Mapping[str, Any]) -> Any:
    inputs, text = request.get("inputs"), request.get("input_json")
    if text is not None:
        try:
            read = _json.decode(text.encode("utf-8")) if text.strip() else {}
        except (ValueError, AttributeError) as wrong:
            raise Refused(f"invalid input_json: {wrong}", "bad_input") from None
        if inputs is not None and _json.identity(read) != _json.identity(inputs):
            raise Refused("conflicting inputs and input_json", "input_conflict")
        inputs = read
    if inputs is None:
        return {}
    if inputs.__class__ is not dict:
        raise Refused("invalid inputs: not an object", "bad_input")
    return inputs


def _slots(state: Any) -> Optional[Dict[str, Any]]:
    """What the state that came along holds; there is none but that."""
    if state is None:
        return None
    slots = state.get("slots", {}) if isinstance(state, dict) else None
    if not isinstance(slots, dict):
        raise Refused("invalid ds_state: not an object", "bad_state")
    for slot, artifact in slots.items():
        if slot not in "01234567" or len(slot) != 1 or not isinstance(artifact, dict):
            raise Refused(f"invalid ds_state: slot {slot[:20]}", "bad_state")
    return slots


# ---- --serve -----------------------------------------------------------------------------------------


class Server:
    """The loop. It has descriptors of its own; 0 and 1 are the actions'."""

    def __init__(self) -> None:
        self._in, self._out = _own_descriptors()
        self._buffer = bytearray()
        self._writing = threading.Lock()
        self._caller = Caller(self._tell)

    def run(self) -> int:
        signal.signal(signal.SIGINT, self._caller.cancel)
        signal.signal(signal.SIGTERM, self._caller.end)
        while not self._caller.ending:
            line = self._line()
            if line is None or line in (b"", b"\r"):
                break
            self._write(bounded(self._caller.answer(line)) if len(line) <= MAX_REQUEST_BYTES else TOO_LONG)
        return 0

    def _line(self) -> Optional[bytes]:
        """The next line without its end, at most a byte more than allowed of it; None: there is none."""
        searched = 0
        while True:
            end = self._buffer.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                return line
            searched = len(self._buffer)
            if searched > MAX_REQUEST_BYTES:
                return self._skip()
            data = os.read(self._in, CHUNK)
            if not data:
                line = bytes(self._buffer)
                self._buffer.clear()
                return line or None
            self._buffer += data

    def _skip(self) -> bytes:
        """The rest of a line that is too long is read and forgotten (T-CLI-17)."""
        while True:
            end = self._buffer.find(b"\n")
            if end >= 0:
                del self._buffer[: end + 1]
                break
            self._buffer.clear()
            data = os.read(self._in, CHUNK)
            if not data:
                break
            self._buffer += data
        return b" " * (MAX_REQUEST_BYTES + 1)

    def _tell(self, call: Call, event: Dict[str, Any]) -> None:
        """From any thread, but only as long as the call runs."""
        with self._writing:
            if _call.current is call:
                _write_all(self._out, _action.encode(event).encode("utf-8") + b"\n")

    def _write(self, line: bytes) -> None:
        with self._writing:
            _write_all(self._out, line)


TOO_LONG = b'{"ok":false,"error":"request exceeds 10MB limit"}\n'


def bounded(answer: Answer) -> bytes:
    """The line of an answer; of one that says how large it was, if it is too large."""
    line = _line(answer)
    if len(line) <= MAX_ANSWER_BYTES:
        return line
    output = len(answer.get("output_json", "").encode("utf-8"))
    what, size = ("tool output", output) if output > MAX_ANSWER_BYTES else ("response", len(line))
    smaller = failed("TOOL_ERROR", f"{what} too large: {size} bytes (limit {MAX_ANSWER_BYTES})", "too_large")
    if "request_id" in answer:
        smaller["request_id"] = answer["request_id"]
    return _line(smaller)


_text: Callable[[str], str] = json.encoder.encode_basestring


def _line(answer: Answer) -> bytes:
    """Most answers are of one form, and an encoder for any takes three times as long."""
    if answer["ok"] and answer["ds_state"] is NO_CHANGE and "request_id" in answer:
        output, request_id = _text(answer["output_json"]), _text(answer["request_id"])
        return f'{{"ok":true,"status":"OK","output_json":{output},{_REST}{request_id}}}\n'.encode("utf-8")
    return _action.encode(answer).encode("utf-8") + b"\n"


_REST = '"error":"","ds_state":{"delta":true,"slots":{},"removed_slots":[]},"request_id":'


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _own_descriptors() -> Tuple[int, int]:
    """Copies of 0 and 1 that no child inherits; then 0 is empty, and 1 is where 2 goes."""
    ours = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
    return ours


# ---- --run ---------------------------------------------------------------------------------------------


def _run(aid: str, words: Sequence[str]) -> int:
    if aid not in ACTIONS:  # without waiting for a request (T-CLI-32)
        sys.stdout.write(_action.encode({"ok": False, "error": _cut(f"tool not found: {aid}")}) + "\n")
        return EXIT_NOT_FOUND
    if words:
        data = _action.encode({"inputs": _arguments(words)}).encode("utf-8")
    else:
        data = sys.stdin.buffer.read(MAX_REQUEST_BYTES + 1)
    _, out = _own_descriptors()
    if len(data) > MAX_REQUEST_BYTES:
        _write_all(out, b'{"ok":false,"error":"stdin exceeds 10MB limit"}\n')
        return EXIT_REQUEST
    caller = Caller(lambda _, event: print(f"{event.get('percent', '?')}% {event['detail']}", file=sys.stderr))
    signal.signal(signal.SIGINT, caller.cancel)
    signal.signal(signal.SIGTERM, caller.end)
    answer = caller.answer(data, aid)
    _write_all(out, bounded(answer))
    if "status" not in answer:
        return EXIT_REQUEST
    return EXIT_STOPPED if answer["error"] == "cancelled" else 0


def _arguments(words: Sequence[str]) -> Dict[str, Any]:
    """--arg NAME=VALUE...: a value that is JSON counts as that, any other as text."""
    found: Dict[str, Any] = {}
    for flag, word in zip(words[::2], [*words[1::2], None]):
        name, equals, text = (word or "").partition("=")
        if flag != "--arg" or not name or not equals:
            raise SystemExit(f"{flag}: arguments are written --arg NAME=VALUE")
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found
