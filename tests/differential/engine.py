"""The engine as a process: `mangle run`."""
import os
import re
import subprocess

from values import time_text

REJECTED = re.compile(r"^[^\n]*\.mg:\d+:\d+: error: ", re.MULTILINE)
MAX_FACTS = 20000


def why_rejected(text):
    """The first message, without names and places."""
    found = re.search(r"error: (.*)", text)
    return re.sub('"[^"]*"', "", found.group(1)) if found else ""


def run(mangle, texts, now, folder, dangerous=True):
    """("facts", lines) | ("error", text) | ("rejected", text) | ("timeout",) | ("crash", text)"""
    paths = []
    for at, text in enumerate(texts):
        paths.append(os.path.join(folder, "u%d.mg" % at))
        with open(paths[-1], "w", encoding="utf-8", newline="") as f:
            f.write(text)
    command = [mangle, "run", *paths, "--eval-time", time_text(now), "--max-facts",
               str(MAX_FACTS)] + ["--allow-dangerous"] * dangerous
    try:
        done = subprocess.run(command, capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return ("timeout",)
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode == 0:
        return ("facts", frozenset(done.stdout.decode("utf-8", "replace").split("\n")[:-1]))
    if done.returncode == 3:
        return ("timeout",)
    if done.returncode not in (1, 2) or "Sanitizer" in errors:
        return ("crash", "status %d\n%s" % (done.returncode, errors))
    return ("rejected" if REJECTED.search(errors) else "error", errors)
