"""Judge (b): the reference implementation, a Go module, behind the small program in reference/.

    available()                       whether it can be built here; why() says what is missing
    reference(programs) -> results    programs: (texts of the units, now_ns), possibly
                                      followed by repairs and by milliseconds (0: the usual time);
                                      results: ("facts", frozenset of lines) | ("error", text) |
                                      ("timeout",)
    choose(merged, checkout)          how it is asked, and which sources of it, before the first question

The program is built once into the build folder and again when its sources change. A worker that dies
of a program has answered ("error", "died: ...") for it, and another takes its place.
"""
import hashlib
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile

from rewriting import is_helper

SOURCES = pathlib.Path(__file__).resolve().parent / "reference"
BUILD = pathlib.Path(os.environ.get("BUILD_DIR") or SOURCES.parents[2] / "build")
NO_TEXT = "fn:no:text()"  # of NaN and infinities
ANSWER_S = 30  # the program gives up by itself before

MODULE = "codeberg.org/TauCeti/mangle-go"

_chosen = {"merged": True, "checkout": None}  # see choose()
_built = []  # the path of the program, or None and why


def go_command():
    found = shutil.which("go")
    usual = pathlib.Path("/usr/local/go/bin/go")
    return found or (str(usual) if usual.exists() else None)


def choose(merged=True, checkout=None):
    """Before anything is asked. merged: facts are read as the users of its interpreter do, through one
    store over plain and temporal ones; else as the library is used by hand. checkout: a folder with other
    sources of the reference than go.mod names."""
    if (merged, checkout) != (_chosen["merged"], _chosen["checkout"]):
        _worker.stop()
        _built.clear()
    _chosen.update(merged=merged, checkout=checkout)


def sources_with(go, checkout):
    """A copy of our sources that takes the reference from the folder."""
    checkout = pathlib.Path(checkout).resolve()
    copy = BUILD / ("differential-reference-" + hashlib.sha256(str(checkout).encode()).hexdigest()[:12])
    copy.mkdir(parents=True, exist_ok=True)
    for path in SOURCES.iterdir():
        shutil.copy2(path, copy)
    for command in (["mod", "edit", "-replace=%s=%s" % (MODULE, checkout)], ["mod", "tidy"]):
        subprocess.run([go, *command], cwd=copy, text=True, capture_output=True, timeout=600, check=True)
    return copy


def build():
    """(path of the program or None, what is wrong)"""
    go = go_command()
    if not go:
        return None, "no go command"
    if _chosen["checkout"]:
        folder = sources_with(go, _chosen["checkout"])
        program = folder / "reference"
        program.unlink(missing_ok=True)
    else:
        folder, program = SOURCES, BUILD / "differential-reference"
    newest = max(p.stat().st_mtime for p in SOURCES.iterdir())
    if not program.exists() or program.stat().st_mtime < newest:
        BUILD.mkdir(parents=True, exist_ok=True)
        new = program.with_name("%s.%d" % (program.name, os.getpid()))  # another test may run the old one
        done = subprocess.run([go, "build", "-o", str(new), "."], cwd=folder, text=True,
                              capture_output=True, timeout=600, check=False)
        if done.returncode:
            return None, "go build: " + done.stderr.strip()
        os.utime(new)
        os.replace(new, program)
    return str(program), ""


def built():
    if not _built:
        try:
            _built.extend(build())
        except (OSError, subprocess.SubprocessError) as e:
            _built.extend((None, str(e)))
    return _built


def available():
    return built()[0] is not None


def why():
    return built()[1]


class Worker:
    """One process; ask() never raises because of what a program does to it."""

    def __init__(self):
        self.process = None

    def start(self):
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen([built()[0]] + ["-merged"] * _chosen["merged"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.stderr, bufsize=0)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.stderr.close()
            self.process = None

    def line(self):
        data = b""
        while not data.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], ANSWER_S)
            if not ready:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                return b""
            data += piece
        return data

    def ask(self, texts, now_ns, repairs=(), timeout_ms=0):
        if not self.process:
            self.start()
        request = {"id": 0, "units": list(texts), "now_ns": now_ns, "repairs": sorted(repairs),
                   "timeout_ms": timeout_ms}
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            answer = self.line()
        except BrokenPipeError:
            answer = b""
        if not answer:
            self.stderr.seek(0)
            words = self.stderr.read().decode(errors="replace").strip().split("\n")[0]
            self.stop()
            return ("timeout",) if answer is None else ("error", "died: " + words)
        answer = json.loads(answer)
        error = answer.get("error", "")
        if error.startswith("timeout"):
            self.stop()
            return ("timeout",)
        facts = frozenset(answer.get("facts", ()))
        if any(NO_TEXT in f and not is_helper(f) for f in facts):
            error = "a fact has no file text"
        return ("error", error) if error else ("facts", facts)


_worker = Worker()  # one for each process that asks


def reference(programs):
    return [_worker.ask(*program) for program in programs]
