"""Which plugin offers an AID (T-DISP-7), and what it says of its tools.

A list is kept as long as the plugin's file has the same size and time; one that could not be made is tried again after
half a minute."""

from __future__ import annotations

import os
import threading
import time
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _answers, _oneshot
from ._settings import Settings, log

RETRY_S = 30.0
KEPT = 256  # lists; more plugins than anybody configures

Identity = Tuple[int, int]
Tools = Dict[str, Dict[str, Any]]


class _List(NamedTuple):
    identity: Optional[Identity]
    made_at: float
    tools: Optional[Tools]


_lists: Dict[Tuple[Optional[str], str], _List] = {}
_lock = threading.Lock()


def identity_of(plugin: str) -> Optional[Identity]:
    try:
        found = os.stat(plugin)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def plugin_for(aid: str, settings: Settings) -> Optional[str]:
    """The first plugin that offers it; a single one is not asked."""
    if len(settings.plugins) == 1:
        return settings.plugins[0]
    return next((plugin for plugin in settings.plugins if aid in tools_of(plugin, settings)), None)


def tools_of(plugin: str, settings: Settings) -> Tools:
    """Its entries by AID; none if it cannot be listed, which is logged."""
    key = settings.program, plugin
    with _lock:
        kept = _lists.get(key)
    identity = identity_of(plugin)
    if (
        kept
        and kept.identity == identity
        and (kept.tools is not None or time.monotonic() < kept.made_at + RETRY_S)
    ):
        return kept.tools or {}
    tools = _list(plugin, settings)
    with _lock:
        while len(_lists) >= KEPT:
            del _lists[next(iter(_lists))]
        _lists[key] = _List(identity, time.monotonic(), tools)
    return tools or {}


def may_repeat(aid: str, plugin: str, settings: Settings) -> bool:
    """Declared idempotent and of tier 0, by its own list (T-DISP-18)."""
    tool = tools_of(plugin, settings).get(aid, {})
    return tool.get("idempotent") is True and tool.get("tier") == 0


def _list(plugin: str, settings: Settings) -> Optional[Tools]:
    try:
        answer, status = _oneshot.run(["--list", plugin], None, b"", _answers.MAX_OUTPUT_BYTES, settings)
    except OSError as wrong:
        answer, status = _answers.exception(None, wrong), 0
    entries = answer.get("tools")
    if status != 0 or _answers.is_error(answer) or not answer["ok"] or not isinstance(entries, list):
        why = answer.get("detail") or answer.get("error") or "not a list of tools"
        log.warning("%s is skipped, because it cannot be listed: %s", plugin, why)
        return None
    return {
        entry["aid"]: entry
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("aid"), str)
    }
