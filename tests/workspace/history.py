"""A checkout with a history that is known: who did what when, a fault that one commit brought, a rename, branches
in every state; and one whose names and configuration are hostile."""

import os
import pathlib
import subprocess
import time

NOW = int(time.time())
HOUR = 3600
DAY = 24 * HOUR

# Runs in the checkout; $1 is the name of a test. The cache has to answer 4 for 2.
TESTS = """\
fail=0
check() { # NAME COMMAND
    [ -z "$only" ] || [ "$only" = "$1" ] || return 0
    if (eval "$2"); then echo "ok - $1"; else echo "not ok - $1"; fail=1; fi
}
only=${1-}
cache=src/store/cache.sh
[ -f "$cache" ] || cache=src/cache.sh
check square '[ "$(sh "$cache" 2)" = 4 ] || { echo "$cache:2: 2 squared is $(sh "$cache" 2)"; exit 1; }'
check manual '[ -s docs/manual.txt ]'
exit $fail
"""
CACHE = "# square N\necho $(($1 * $1))\n"
BROKEN = "# square N, quicker\necho $(($1 + $1 + 1))\n"


class Checkout:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.ids = {}

    def git(self, *words, author="Ann", at=NOW, check=True):
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }
        for who in ("AUTHOR", "COMMITTER"):
            env.update({f"GIT_{who}_NAME": author, f"GIT_{who}_EMAIL": f"{author.lower()}@example.org"})
            env[f"GIT_{who}_DATE"] = f"@{at} +0000"
        done = subprocess.run(["git", *words], cwd=self.folder, env=env, check=False, capture_output=True, text=True)
        if check and done.returncode:
            raise RuntimeError(f"git {' '.join(words)}: {done.stderr}")
        return done.stdout.rstrip("\n")

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def commit(self, name, author, age, subject, **files):
        """Files by path; __ is /, and . is spelled _dot_."""
        for path, text in files.items():
            self.write(path.replace("__", "/").replace("_dot_", "."), text)
        self.git("add", "--all")
        self.git("commit", "-q", "-m", subject, author=author, at=NOW - age)
        self.ids[name] = self.git("rev-parse", "HEAD")

    def state(self):
        """All that must not change behind a person's back: HEAD, names, index, what is changed, worktrees."""
        return (
            self.git("rev-parse", "--symbolic-full-name", "HEAD"),
            self.git("for-each-ref"),
            self.git("ls-files", "--stage"),
            self.git("status", "--porcelain", "--ignored"),
            self.git("worktree", "list", "--porcelain"),
            sorted(p.name for p in (self.folder / ".git").iterdir()),
        )


def make(folder):
    c = Checkout(folder)
    c.folder.mkdir()
    c.git("init", "-q", "-b", "main")
    c.git("config", "user.name", "Dora")
    c.git("config", "user.email", "dora@example.org")
    c.write(".gitignore", "/out/\n*.o\n")
    c.commit("begin", "Ann", 40 * DAY, "Begin", test_dot_sh=TESTS, src__cache_dot_sh=CACHE, docs__manual_dot_txt="How\n")
    c.commit("notes", "Ben", 20 * DAY, "Say how to use it", docs__manual_dot_txt="How to use it\n")
    c.git("branch", "old-idea", c.ids["notes"])
    (c.folder / "src/store").mkdir()
    c.git("mv", "src/cache.sh", "src/store/cache.sh")
    c.commit("move", "Ann", 10 * DAY, "Move the cache to the store")
    c.commit("book", "Ann", 3 * DAY, "Write a long manual", docs__manual_dot_txt="word\n" * 300)
    c.commit("fault", "Ben", 2 * DAY, "Make the cache quicker", src__store__cache_dot_sh=BROKEN)
    c.commit("more", "Cleo", 1 * DAY, "Add an index", docs__index_dot_txt="index\n" * 20)
    c.commit("last", "Ben", HOUR, "Correct the index", docs__index_dot_txt="index\n" * 21)
    # merged, merged, with commits of its own that are young, and old
    c.git("branch", "done-1", c.ids["book"])
    c.git("branch", "done-2", c.ids["more"])
    c.git("switch", "-q", "-c", "open", c.ids["more"])
    c.commit("open", "Cleo", 5 * HOUR, "Not done yet", docs__draft_dot_txt="draft\n")
    c.git("switch", "-q", "old-idea")
    c.commit("idea", "Ann", 60 * DAY, "An idea", docs__idea_dot_txt="idea\n")
    c.git("switch", "-q", "main")
    c.write("out/product.bin", "x" * 5000)
    c.write("src/store/cache.o", "x" * 100)
    return c


def make_long(folder, commits, files):
    """So many commits, an hour apart, each of which changes so many files."""
    c = make(folder)
    stream = []
    for i in range(commits):
        text = f"{i}\n"
        stream.append(f"commit refs/heads/main\ncommitter Ann <ann@example.org> {NOW - (commits - i) * HOUR} +0000\n"
                      f"data {len(str(i))}\n{i}\n" + ("from refs/heads/main^0\n" if i == 0 else ""))
        stream.extend(f"M 100644 inline part{k}/file.txt\ndata {len(text)}\n{text}" for k in range(files))
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=c.folder, input="".join(stream), text=True, check=True)
    c.git("reset", "-q", "--hard")
    return c


PROGRAM = "#!/bin/sh\ntouch {mark}; cat\n"
HOSTILE_NAMES = ("-rf", "--output=pwned", "a;touch pwned", "$(touch pwned)", "`touch pwned`", 'quo"te', "new\nline", "tab\t", "{path}")
HOSTILE_BRANCHES = ("$(touch${IFS}pwned)", "a;touch${IFS}pwned", "{item}", "`touch${IFS}pwned`", "-force")


def make_hostile(folder):
    """Whatever could be made to run says so by a file `pwned` beside the checkout, or in it."""
    c = make(folder)
    mark = c.folder.parent / "pwned"
    for name in HOSTILE_NAMES:
        c.write(name, "parse_me\n")
    c.write(".gitattributes", "* filter=evil diff=evil\n")
    c.git("add", "--all")
    c.git("commit", "-q", "-m", "Names\n\n$(touch pwned)", author="Eve", at=NOW - HOUR // 2)
    for name in HOSTILE_BRANCHES:
        c.git("update-ref", f"refs/heads/{name}", c.ids["book"])
    program = c.folder.parent / "evil"
    program.write_text(PROGRAM.format(mark=mark))
    program.chmod(0o755)
    for hook in ("pre-commit", "post-commit", "post-checkout", "reference-transaction", "post-index-change", "prepare-commit-msg"):
        target = c.folder / ".git/hooks" / hook
        target.parent.mkdir(exist_ok=True)
        target.write_text(PROGRAM.format(mark=mark))
        target.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external", "diff.evil.textconv",
                "diff.evil.command", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "gpg.program",
                "uploadpack.packObjectsHook", "credential.helper", "core.askPass"):
        c.git("config", key, str(program))
    c.git("config", "log.showSignature", "true")
    c.git("config", "commit.gpgSign", "true")
    return c, mark
