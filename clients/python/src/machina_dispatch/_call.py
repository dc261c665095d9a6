"""The main line of a call, in the order of T-DISP-5: what is missing, what is wrong with the call, the call itself."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any, Dict, List, Mapping, Tuple, Union

from . import _answers, _oneshot, _plugins, _settings
from ._answers import Answer
from ._pool import Pool
from ._settings import Settings

_pools: Dict[str, Pool] = {}
_lock = threading.Lock()
_OURS = ("MACHINA_TOOLHOST_TIMEOUT", "MACHINA_TOOLHOST_MODE", "MACHINA_TOOLHOST_PLUGINS")


def run_machina_toolhost(aid: str, inputs: Mapping[str, Any]) -> Union[str, Answer]:
    """Run one tool. Returns its output as JSON text, or a structured error; never raises (T-DISP-1, T-DISP-2).

    aid     the tool, e.g. "AID.TEXT.WORD_COUNT.v1"
    inputs  a dictionary that JSON can express

    Nothing of an earlier call is visible to the tool, in either mode (T-DISP-24)."""
    try:
        if not isinstance(inputs, Mapping):
            wrong = TypeError(f"inputs must be a dictionary, not {type(inputs).__name__}")
        else:
            wrong = None
        request = {"aid": aid, "inputs": dict(inputs) if isinstance(inputs, Mapping) else inputs}
        answer, status = _dispatch(aid, request, wrong)
        if _answers.is_error(answer):
            return answer
        return _answers.outcome(aid, answer, status)
    except Exception as raised:
        return _answers.exception(aid, raised)


def call_toolhost(request: Mapping[str, Any]) -> Answer:
    """Send one request object (toolhost.md 3.2). Returns the answer object as it came, or a structured error; never
    raises (T-DISP-22).

    In persistent mode a request without `ds_state` begins with an empty state, and a delta is applied to one, as in
    one-shot mode; a run with a state of its own uses open_session()."""
    aid: Any = None
    try:
        if not isinstance(request, Mapping):
            raise TypeError(f"the request must be a dictionary, not {type(request).__name__}")
        aid = request.get("aid")
        return _dispatch(aid, dict(request), None)[0]
    except Exception as raised:
        return _answers.exception(aid, raised)


def shut_down() -> None:
    """End all pooled sessions, in order. Calls that come later start new ones. Also done at exit."""
    with _lock:
        pools = list(_pools.values())
        _pools.clear()
    _close(pools)


def _dispatch(aid: Any, request: Dict[str, Any], wrong: Any) -> Tuple[Answer, int]:
    settings = _settings.read()
    if not settings.program:
        return _answers.error(aid, "not_found", f"toolhost not found: {settings.wanted}"), 0
    if not isinstance(aid, str):
        raise TypeError(f"the aid must be a string, not {type(aid).__name__}")
    plugin = _plugins.plugin_for(aid, settings)
    if plugin is None:
        why = "" if settings.plugins else ": MACHINA_TOOLHOST_PLUGINS names none"
        return _answers.error(aid, "not_found", f"no plugin offers {aid}{why}"), 0
    if wrong:
        raise wrong
    if not settings.persistent:
        return _oneshot.call(aid, plugin, request, settings)
    return _pool(plugin, settings).call(aid, _without_a_past(request), settings)


def _without_a_past(request: Dict[str, Any]) -> Dict[str, Any]:
    """Whatever the session did before belongs to somebody else (T-STATE-14, T-DISP-24)."""
    state = request.get("ds_state")
    if state is None:
        state = {"slots": {}}
    elif isinstance(state, dict) and state.get("delta") is True and "base" not in state:
        state = {"slots": state.get("slots", {})}
    return {**request, "ds_state": state}


def _pool(plugin: str, settings: Settings) -> Pool:
    """The pool that was made for these settings; one made for others ends in the background."""
    variables = [(k, v) for k, v in os.environ.items() if k.startswith("MACHINA_") and k not in _OURS]
    signature = settings.program, settings.root, _plugins.identity_of(plugin), sorted(variables)
    with _lock:
        pool = _pools.get(plugin)
        if pool and pool.signature == signature:
            return pool
        fresh = _pools[plugin] = Pool(plugin, signature, settings)
    if pool:
        threading.Thread(target=_close, args=([pool],), daemon=True).start()
    return fresh


def _close(pools: List[Pool]) -> None:
    threads = [threading.Thread(target=pool.close, daemon=True) for pool in pools[1:]]
    for thread in threads:
        thread.start()
    for pool in pools[:1]:
        pool.close()
    for thread in threads:
        thread.join()


def _in_child() -> None:
    """After fork(): sessions belong to the parent. A lock may be held by a thread that is not here."""
    global _lock
    _lock = threading.Lock()
    for pool in _pools.values():
        pool.abandon()
    _pools.clear()


atexit.register(shut_down)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
