#!/usr/bin/env python3
"""Codes and their pages: every code that the programs can emit has docs/errors/CODE.md, every page a code;
the programs tell what the page tells; the examples on the pages give the code and the repairs do not.

  tests/docs/errors.py BUILD_DIR [CODE...]

What a fenced block on a page says behind its language:

  ```mangle gives             a program: `mangle check` finds the code
  ```mangle good              a program without any finding
  ```LANG file=PATH           is written into what `manglecp new` makes, or beside it for .mg and .sc alone
  ```LANG append=PATH         is put behind what stands there
  ... replace=KEY             takes the place of the line that begins with KEY (and what is indented below it)
  ... gives                   then `manglecp check` or `manglecp test` finds the code
  ```sh gives                 is run, beside the folder `example`; the code is in what it prints
  ```sh run                   is run, and succeeds; run=N: its exit status is N
  ```json sends               is sent to a server of the folder, which answers with the code
TAP; what is wrong stands behind each line."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "errors"
ROOMS = ("mangle", "domain", "actions", "scenario", "service", "cli")
FENCE = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```$", re.M | re.S)
LITERAL = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"')
# Words in capitals that are no codes: what --help calls values, what the environment calls variables, and so on.
NO_CODES = set("""A ACTION AID ATOM B BEGAN BEGIN BLENDED CHALLENGE CLAUDE_CONFIG_DIR CLIENTS CODEX_HOME COMMAND CONFIG DELETE
    DIR DOMAIN END ERROR FACTS FAIL FALLBACK_ONLY FALSE FILE FOLDER FORM FORMAT GET HEAD HOME ID INVOCATION
    KEY KIND LANG LC_ALL LC_CTYPE LEVEL LIMIT LIST LISTEN_FDNAMES LISTEN_FDS LISTEN_PID
    MACHINA_DETERMINISTIC_RUN_ID MACHINA_POLICY_ALLOWED_EXE MACHINA_POLICY_ALLOWED_SCRIPT_ROOT
    MACHINA_POLICY_ALLOW_UNSAFE MACHINA_POLICY_COOLDOWN_MS MACHINA_POLICY_FAIL_THRESHOLD
    MACHINA_POLICY_RLIMIT_AS_MB MACHINA_POLICY_RLIMIT_CPU_SEC MACHINA_POLICY_RLIMIT_FSIZE_MB
    MACHINA_POLICY_RLIMIT_NOFILE MACHINA_POLICY_RLIMIT_NPROC MACHINA_POLICY_STDOUT_MAX
    MACHINA_POLICY_TIMEOUT_MS MACHINA_PROFILE MACHINA_TOOLHOST_PASS_ENV MACHINA_TOOLHOST_TIMEOUT
    MANGLECP_CONFIRM_KEY MANGLECP_SERVE_CONFIG MANGLECP_SERVE_LOG MANGLECP_TOKEN MODE MS N NAME
    NOTIFY_SOCKET NO_COLOR NULL OK OPTIONS ORIGIN OUTCOME PATCH PATH PERCENT PICK PID POLICY_ONLY POST
    PREDICATE PREDS PROGRAM PUT PYTHON PYTHONPATH REVISION SECONDS SERVER SHADOW_POLICY SIZE START STEP STEPS TAG
    TE TEMPLATE TEXT TIER TIME TMPDIR TOKEN TOKENS TOOL TOOLS TRUE TZ URL UTC WATCHDOG_PID WATCHDOG_USEC
    WHICH X XDG_CACHE_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR XDG_STATE_HOME""".split())
PATIENCE_S = 60


def codes_of_source():
    """code -> where it is emitted"""
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / "src" / room).rglob("*.c")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for code in LITERAL.findall(line):
                    if code not in NO_CODES:
                        found.setdefault(code, f"{path.relative_to(ROOT)}:{number}")
    wire = (ROOT / "src/protocol/error.h").read_text()
    for code in re.findall(r'X\(WIRE_\w+, "([a-z_-]+)"', wire):
        found.setdefault(code, "src/protocol/error.h")
    for header, prefix in (("manglecp.h", "MANGLECP_ERR_"), ("mangle.h", "MANGLE_ERR_")):
        text = (ROOT / "include" / header).read_text()
        for code in re.findall(r"\b" + prefix + r"[A-Z_]+\b", text):
            found.setdefault(code, f"include/{header}")
    return found


class Place:
    """A folder for one page, with programs and, if asked for, a new domain in it."""

    def __init__(self, build):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="errors."))
        self.env = dict(os.environ, PATH=f"{build}/bin:{os.environ['PATH']}", NO_COLOR="1")
        self.env.pop("MANGLECP_TOKEN", None)

    def make_domain(self):
        if not (self.home / "example").exists():
            status, text = self.run("manglecp new example")
            assert status == 0, text

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.home, env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S, check=False)
        return done.returncode, done.stdout

    def write(self, words, body):
        path = words.get("file") or words["append"]
        alone = path.endswith((".mg", ".sc")) and "/" not in path
        if not alone:
            self.make_domain()
        target = self.home / path if alone else self.home / "example" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        before = target.read_text() if "append" in words else ""
        if "replace" in words:
            lines = before.splitlines()
            at = next(i for i, line in enumerate(lines) if line.strip().startswith(words["replace"]))
            end = at + 1
            while not lines[at].startswith(" ") and end < len(lines) and lines[end].startswith((" ", "-")):
                end += 1
            lines[at:end] = body.splitlines()
            target.write_text("\n".join(lines) + "\n")
        else:
            target.write_text(before + body)

    def leave(self):
        shutil.rmtree(self.home, ignore_errors=True)


def found_by(place, command):
    """codes of a command that prints findings as JSON"""
    status, text = place.run(f"{command} 2>/dev/null")
    try:
        return {one["code"] for one in json.loads(text)}, text
    except (ValueError, KeyError, TypeError):
        return set(), f"status {status}: {text}"


def of_program(place, code, words, body):
    (place.home / "program.mg").write_text(body)
    codes, text = found_by(place, "mangle check --format json --check-bounds program.mg")
    if "good" in words:
        return None if codes == set() and text.strip() == "[]" else f"the repair has findings: {text}"
    return None if code in codes else f"the example gives {sorted(codes)}: {text}"


def of_folder(place, code):
    codes, text = found_by(place, "manglecp check --format json example")
    if code in codes:
        return None
    _, tested = place.run("manglecp test example")
    return None if f"[{code}]" in tested else f"the example gives {sorted(codes)}: {text}{tested}"


def of_message(place, code, body):
    server = subprocess.Popen(["manglecp", "serve", "example", "--stdio"], cwd=place.home, env=place.env, text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    got, until = None, time.monotonic() + PATIENCE_S
    while got in (None, "server_not_ready") and time.monotonic() < until:  # it is loading
        server.stdin.write(body)
        server.stdin.flush()
        while (answer := json.loads(server.stdout.readline()))["type"] == "manifest":
            pass
        got = answer["payload"].get("code")
        time.sleep(0.05 if got == "server_not_ready" else 0)
    server.communicate()
    return None if got == code else f"the server answers {answer}"


def of_shell(place, code, words, body):
    status, text = place.run(body)
    if "gives" in words:
        return None if f"[{code}]" in text else f"it prints {text}"
    want = int(words.get("run") or words.get("fails") or 0)
    return None if status == want else f"status {status}: {text}"


def examples(build, code, text):
    """(how many were tried, what is wrong)"""
    blocks = [(lang, dict((w.split("=", 1) + [""])[:2] for w in rest.split()), body)
              for lang, rest, body in FENCE.findall(text)]
    if not blocks:
        return 0, []
    place, wrong, tried, folder = Place(build), [], 0, False
    try:
        for lang, words, body in blocks:
            if "file" in words or "append" in words:
                place.write(words, body)
                folder |= "gives" in words
        for lang, words, body in blocks:
            if "file" in words or "append" in words:
                continue
            tried += 1
            if lang == "mangle":
                wrong.append(of_program(place, code, words, body))
            elif lang == "json":
                place.make_domain()
                wrong.append(of_message(place, code, body))
            elif lang == "sh":
                if "example" in body:
                    place.make_domain()
                wrong.append(of_shell(place, code, words, body))
            else:
                wrong.append(f"what is to be done with a block in {lang}?")
        if folder:
            tried += 1
            wrong.append(of_folder(place, code))
    finally:
        place.leave()
    return tried, [w for w in wrong if w]


def shape_of(code, text):
    """what is wrong with a page"""
    if re.match(rf"# {re.escape(code)}\n\n[^\n#]", text):
        return None
    return "a page begins with its code and a paragraph that says what it means"


def told(build, program, pages):
    """what is wrong with what a program tells of them"""
    command = [build / "bin" / program, "explain-error"]
    text = subprocess.run([*command, *(code.lower() for code in pages)], capture_output=True, text=True,
                          check=False).stdout
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    wrong = [] if text == "".join(pages.values()) else [f"{program} explain-error tells something else"]
    missing = set(pages) - {line.split()[0] for line in listed.splitlines()}
    return wrong + [f"{program} explain-error does not list {code}" for code in sorted(missing)]


def main():
    build, only = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    emitted = codes_of_source()
    pages = {p.stem: p.read_text() for p in sorted(PAGES.glob("*.md")) if p.stem != "README"}
    cases = [] if only else [
        ("every code has a page", [f"{c} ({at}): write docs/errors/{c}.md" for c, at in sorted(emitted.items())
                                   if c not in pages]),
        ("every page has a code", [f"nothing emits {c}" for c in pages if c not in emitted]),
        ("both programs tell what the pages tell", told(build, "mangle", pages) + told(build, "manglecp", pages)),
    ]
    untried = 0
    for code, text in pages.items():
        if only and code not in only:
            continue
        tried, wrong = examples(build, code, text)
        untried += tried == 0
        shape = shape_of(code, text)
        cases.append((f"{code}: its page is right", wrong + ([shape] if shape else [])))
    print(f"1..{len(cases)}")
    for number, (name, wrong) in enumerate(cases, 1):
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}")
        for line in "\n".join(wrong).splitlines():
            print(f"#   {line}")
    print(f"# {len(pages)} pages, {untried} of them without an example that is tried")
    return any(wrong for _, wrong in cases)


if __name__ == "__main__":
    sys.exit(main())
