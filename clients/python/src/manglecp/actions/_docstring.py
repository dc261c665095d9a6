"""What a docstring says: its first paragraph, and the texts of the arguments.

    path: where the file is            a line of its own, as it stands or below "Args:"
    :param path: where the file is
    path  where the file is            two blanks

A text goes on in lines that are indented further."""

from __future__ import annotations

import inspect
import re
from typing import Collection, Dict, Optional, Tuple

_ENTRY = re.compile(
    r"^(?P<indent>[ \t]*)(?::param\s+(?:[^:]*\s)?(?P<param>\w+):|(?P<colon>\w+)(?:\s*\([^)]*\))?:|(?P<blanks>\w+)  )\s*(?P<text>.*)$"
)


def read(text: str, names: Collection[str]) -> Tuple[str, Dict[str, str]]:
    """The summary in one line, and the texts of those of `names` that it speaks of."""
    lines = inspect.cleandoc(text or "").splitlines()
    summary = []
    for line in lines:
        if not line.strip() or _entry(line, names):
            break
        summary.append(line.strip())
    texts: Dict[str, str] = {}
    name, indent = "", 0
    for line in lines[len(summary) :]:
        found = _entry(line, names)
        if found:
            name, indent = found[0], found[1]
            texts[name] = found[2]
        elif name and line.strip() and len(line) - len(line.lstrip()) > indent:
            texts[name] = f"{texts[name]} {line.strip()}".strip()
        else:
            name = ""
    return " ".join(summary), {name: text for name, text in texts.items() if text}


def _entry(line: str, names: Collection[str]) -> Optional[Tuple[str, int, str]]:
    found = _ENTRY.match(line)
    if not found:
        return None
    name = found["param"] or found["colon"] or found["blanks"]
    return (name, len(found["indent"]), found["text"].strip()) if name in names else None
