#!/usr/bin/env python3
"""Run what a document tells its reader to do, and compare what it says comes out.

  tests/docs/blocks.py BUILD_DIR DOCUMENT...

The documents are played in one shell, one after the other, from top to bottom, in a temporary directory
that looks like the repository's root after `make`. A fenced block says what it is behind its language:

  ```yaml file=a/b.yaml    is written to that file
  ```sh run                is run; must succeed
  ```sh run=name           the same, and its output is known by that name
  ```text of=name          must be that output; "..." stands for anything, a line "..." for any lines
  ```sh skip               is not run, and counts as skipped: it takes minutes or changes the machine

<!-- run=name: COMMAND --> runs something that the reader did in another way. <!-- needs=node:20 --> says that what
follows needs that version of a program; where it is missing, blocks count as skipped, up to <!-- needs= -->. Any block in sh, text, c,
yaml, mangle or markdown without such a word is a failure: nothing is left unchecked by accident. TAP."""
import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\S*)[ \t]*(.*)$")
HIDDEN = re.compile(r"^<!-- run=(\S+): (.*) -->$")
NEEDS = re.compile(r"^<!-- needs=(?:(\w+):([\d.]+))? -->$")
CHECKED = {"sh", "text", "c", "yaml", "mangle", "markdown", "json"}
PORT = "8765"  # in the documents; here a free one
PATIENCE_S = 60  # for one block


def lacks(program, version):
    """What of a program is missing, or None."""
    if not program:
        return None
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return f"{program} is not installed"
    found = re.search(r"\d+(?:\.\d+)*", said)
    numbers = [[int(n) for n in text.split(".")] for text in (found.group() if found else "0", version)]
    return None if numbers[0] >= numbers[1] else f"{program} is older than {version}"


def blocks_of(text):
    """(line, language, words, body) of every fenced block and hidden command; words["lacks"]: what it has to do without"""
    lines = text.splitlines()
    at = 0
    missing = None
    while at < len(lines):
        fence, hidden, needs = FENCE.match(lines[at]), HIDDEN.match(lines[at]), NEEDS.match(lines[at])
        if needs:
            missing = lacks(*needs.groups())
        elif hidden:
            words = {"run": hidden.group(1)}
            yield at + 1, "sh", words | ({"lacks": missing} if missing else {}), hidden.group(2) + "\n"
        elif fence:
            begin = at
            at += 1
            while lines[at] != "```":
                at += 1
            words = dict((w.split("=", 1) + [""])[:2] for w in fence.group(2).split())
            if missing:
                words["lacks"] = missing
            yield begin + 1, fence.group(1), words, "\n".join(lines[begin + 1:at]) + "\n"
        at += 1


def matches(want, got):
    def part(line):
        if line.strip() == "...":
            return r"(?:.*\n)*?"
        return ".*".join(re.escape(p) for p in line.split("...")) + "\n"
    return re.fullmatch("".join(part(line) for line in want.splitlines()), got) is not None


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


class Reader:
    """A person at a shell, in a directory that looks like the repository's root."""

    def __init__(self, build):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="docs."))
        self.count = 0
        for name in ("include", "src", "domains", "scripts", "plugins", "docs", "clients"):
            (self.home / name).symlink_to(ROOT / name)
        (self.home / "build").symlink_to(build)
        (self.home / ".tools").mkdir()
        self.compiler(build)
        env = dict(os.environ, PATH=f"{self.home}/.tools:{os.environ['PATH']}", NO_COLOR="1",
                   HOME=str(self.home))
        env.pop("MANGLECP_TOKEN", None)
        self.port = free_port()
        self.shell = subprocess.Popen(["bash"], cwd=self.home, env=env, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      start_new_session=True)

    def compiler(self, build):
        """cc links what the build's sanitizers need."""
        cache = (build / "CMakeCache.txt").read_text()
        found = re.search(r"^MGI_SANITIZE:\w+=(\S+)$", cache, re.MULTILINE)
        real = re.search(r"^CMAKE_C_COMPILER:\w+=(\S+)$", cache, re.MULTILINE)
        real = real.group(1) if real else shutil.which("cc")
        flags = f"-fsanitize={found.group(1)}" if found else ""
        tool = self.home / ".tools" / "cc"
        tool.write_text(f'#!/bin/sh\nexec {real} {flags} "$@"\n')
        tool.chmod(0o755)

    def write(self, path, body):
        target = self.home / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(body)

    def run(self, body):
        """status and output of a block; the shell goes on"""
        self.count += 1
        script = self.home / ".tools" / f"block-{self.count}.sh"
        output = self.home / ".tools" / f"block-{self.count}.out"
        script.write_text(body.replace(PORT, self.port))
        if self.shell.poll() is not None:
            return 1, "the shell has ended\n"
        self.shell.stdin.write(f". {script} >{output} 2>&1 </dev/null; echo $?\n")
        self.shell.stdin.flush()
        if not select.select([self.shell.stdout], [], [], PATIENCE_S)[0]:
            os.killpg(self.shell.pid, signal.SIGKILL)
            return 1, f"no end after {PATIENCE_S} s\n" + output.read_text(errors="replace")
        status = self.shell.stdout.readline().strip()
        text = output.read_text(errors="replace").replace(self.port, PORT)
        # what only a test that runs as root sees
        text = re.sub(r"^.*toolhost: (warn: )?running as user id 0:.*\n", "", text, flags=re.MULTILINE)
        return (int(status) if status else 1), text

    def leave(self):
        try:
            self.shell.communicate("kill $(jobs -p) 2>/dev/null\n", 10)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGKILL)  # whoever it left behind
        shutil.rmtree(self.home, ignore_errors=True)


def check(reader, outputs, language, words, body):
    """None, or what is wrong"""
    if "file" in words:
        reader.write(words["file"], body)
        return None
    if "run" in words:
        status, text = reader.run(body)
        outputs[words["run"]] = text
        return None if status == 0 else f"status {status}:\n{text}"
    if "of" in words:
        got = outputs.get(words["of"])
        if got is None:
            return f"nothing was run under the name {words['of']}"
        got = "\n".join(line.rstrip() for line in got.strip("\n").splitlines()) + "\n"
        return None if matches(body, got) else f"this came out instead:\n{got}"
    return f"a block in {language} that says nothing of how to check it" \
        if language in CHECKED else None


def main():
    reader, outputs = Reader(pathlib.Path(sys.argv[1]).resolve()), {}
    number = failed = 0
    try:
        for name in sys.argv[2:]:
            for line, language, words, body in blocks_of((ROOT / name).read_text()):
                if not words and language not in CHECKED:
                    continue  # nobody says how to check it, and nobody has to
                number += 1
                missing = words.pop("lacks", None) or ("it takes minutes or changes the machine" if "skip" in words else None)
                what = " ".join(f"{k}={v}".rstrip("=") for k, v in words.items())
                if missing:
                    print(f"ok {number} - {name}:{line} {what} # SKIP {missing}")
                    continue
                wrong = check(reader, outputs, language, words, body)
                failed += wrong is not None
                print(f"{'not ' if wrong else ''}ok {number} - {name}:{line} {what}")
                for part in (wrong or "").splitlines():
                    print(f"#   {part}")
    finally:
        reader.leave()
    print(f"1..{number}")
    return 1 if failed else 0


sys.exit(main())
