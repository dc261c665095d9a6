"""What the environment says (T-DISP-25). Read at each call, never at import (T-DISP-6)."""

from __future__ import annotations

import logging
import math
import os
import shutil
import threading
from dataclasses import dataclass
from typing import Dict, Mapping, Optional, Set, Tuple

log = logging.getLogger("machina_dispatch")

DEFAULT_TIMEOUT_S = 30.0
MAX_TIMEOUT_S = 86_400.0  # what a toolhost takes as a call's limit
DEFAULT_POOL_SIZE = 2
MAX_POOL_SIZE = 64
MODES = ("oneshot", "persistent")

_warned: Set[Tuple[str, str]] = set()
_warned_lock = threading.Lock()


@dataclass(frozen=True)
class Settings:
    """One reading of the environment.

    program   path of the toolhost; None if there is none that can be run
    wanted    its name as configured
    plugins   the files, absolute, in order; directories are resolved
    timeout_s of one call
    root      working directory of the processes; None: ours"""

    program: Optional[str]
    wanted: str
    plugins: Tuple[str, ...]
    timeout_s: float
    persistent: bool
    pool_size: int
    root: Optional[str]

    @property
    def host_limit_ms(self) -> int:
        """What the host gets: less than ours, so that it can stop the tool and say so first (T-DISP-9)."""
        return max(1, int((self.timeout_s - min(0.5, self.timeout_s / 10)) * 1000))


def read(environ: Optional[Mapping[str, str]] = None) -> Settings:
    env = os.environ if environ is None else environ
    root = env.get("MACHINA_ROOT") or None
    wanted = env.get("MACHINA_TOOLHOST_BIN") or "toolhost"
    found = shutil.which(wanted, path=env.get("PATH"))
    return Settings(
        program=os.path.abspath(found) if found else None,
        wanted=wanted,
        plugins=_plugins(env.get("MACHINA_TOOLHOST_PLUGINS", ""), root),
        timeout_s=_timeout(env.get("MACHINA_TOOLHOST_TIMEOUT")),
        persistent=_mode(env.get("MACHINA_TOOLHOST_MODE")) == "persistent",
        pool_size=_pool_size(env.get("MACHINA_TOOLHOST_POOL_SIZE")),
        root=root,
    )


def child_environment(host_limit_ms: int) -> Dict[str, str]:
    return {**os.environ, "MACHINA_TOOLHOST_TIMEOUT_MS": str(host_limit_ms)}


def leases_enforced() -> bool:
    return os.environ.get("MACHINA_LEASE_ENFORCE", "") in ("1", "true")


def warn_once(name: str, value: str, text: str) -> None:
    with _warned_lock:
        if (name, value) in _warned or len(_warned) > 1000:
            return
        _warned.add((name, value))
    log.warning("%s is %r: %s", name, value[:80], text)


def _timeout(text: Optional[str]) -> float:
    if not text:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if math.isfinite(seconds) and seconds > 0:
        return min(seconds, MAX_TIMEOUT_S)
    warn_once("MACHINA_TOOLHOST_TIMEOUT", text, "not a positive number of seconds, so 30 it is")
    return DEFAULT_TIMEOUT_S


def _mode(text: Optional[str]) -> str:
    if not text or text in MODES:
        return text or MODES[0]
    warn_once("MACHINA_TOOLHOST_MODE", text, "neither oneshot nor persistent, so oneshot it is")
    return MODES[0]


def _pool_size(text: Optional[str]) -> int:
    if not text:
        return DEFAULT_POOL_SIZE
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MAX_POOL_SIZE:
        return int(text)
    warn_once("MACHINA_TOOLHOST_POOL_SIZE", text, f"not a number from 1 to {MAX_POOL_SIZE}, so 2 it is")
    return DEFAULT_POOL_SIZE


def _plugins(text: str, root: Optional[str]) -> Tuple[str, ...]:
    files = []
    for entry in text.split(":"):
        if not entry:
            continue
        path = os.path.abspath(os.path.join(root or os.curdir, entry))
        if os.path.isdir(path):
            files += [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(".so")]
        else:
            files.append(path)
    return tuple(dict.fromkeys(files))
