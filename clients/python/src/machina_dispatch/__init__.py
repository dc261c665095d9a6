"""Calls tools of toolhost plugins: one process per call, or a pool of sessions.

    run_machina_toolhost(aid, inputs)   the tool's output as JSON text, or a structured error
    call_toolhost(request)              the answer object unchanged, or a structured error
    open_session(plugin)                a session of one's own: (caller, issuer)

None of the first two ever raises; both may be called from any thread. What they use is said by the environment,
which is read at each call: MACHINA_TOOLHOST_BIN, MACHINA_TOOLHOST_PLUGINS, MACHINA_TOOLHOST_TIMEOUT,
MACHINA_TOOLHOST_MODE, MACHINA_TOOLHOST_POOL_SIZE, MACHINA_ROOT.

A structured error is {"error": true, "aid": ..., "type": ..., "detail": ...}, with the type `timeout`, `crash`,
`parse_error`, `not_found`, `exception` or `tool_error`; the last one also has `status`, and `code` if the answer
had one. In answers of a toolhost `error` is a text, so the two can always be told apart (T-DISP-23)."""

from ._call import call_toolhost, run_machina_toolhost, shut_down
from ._digest import input_sha256
from ._held import Caller, open_session
from ._issuer import Issuer

__all__ = [
    "Caller",
    "Issuer",
    "call_toolhost",
    "input_sha256",
    "open_session",
    "run_machina_toolhost",
    "shut_down",
]
