"""mangle repl on a terminal: prompts, editing, history, completion, Ctrl-C. Prints TAP; BUILD_DIR says
where the program is. A pseudo-terminal stands for the person: what is typed goes in, what is shown comes
out."""
import os
import pty
import re
import select
import signal
import stat
import sys
import tempfile
import time

MANGLE = os.path.join(os.environ["BUILD_DIR"], "bin", "mangle")
WAIT = 20
count = 0


class Session:
    def __init__(self, folder, *arguments):
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="xterm", XDG_STATE_HOME=os.path.join(folder, "state"), LC_ALL="C.UTF-8")
            os.execv(MANGLE, [MANGLE, "repl", *arguments])

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self, pattern, seconds=WAIT):
        """All that is shown up to the pattern, which is taken away; fails after some seconds."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.seen, re.S)
            if found:
                before, self.seen = self.seen[: found.end()], self.seen[found.end():]
                return before
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise AssertionError(f"waited for {pattern!r}, saw {self.seen!r}")
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                raise AssertionError(f"the session ended before {pattern!r}: {self.seen!r}")
            self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]", "", data.decode(errors="replace"))

    def line(self, text, pattern):
        self.type(text + "\r")
        return self.wait(pattern)

    def end(self, how="\x04"):
        """The exit status after end of input; what was shown then is in `seen`."""
        self.type(how)
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"the session does not end: {self.seen!r}")


def test(name, function):
    global count
    count += 1
    with tempfile.TemporaryDirectory() as folder:
        try:
            function(folder)
            print(f"ok {count} - {name}")
        except AssertionError as error:
            print(f"not ok {count} - {name}")
            print("\n".join("# " + line for line in str(error).splitlines()))
    sys.stdout.flush()


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def prompts(folder):
    s = Session(folder)
    s.wait("mg >")
    s.type("p(X) :-\r")
    s.wait(r"\.\. >")
    s.type("q(X).\r")
    s.wait("definition failed: .*mg >")  # q is not there
    s.type("q(1).\r")
    s.wait(r"defined \[q\(A0\)\]\.\r\nmg >")
    s.line("p(X) :-", r"\.\. >")
    s.line("q(X).", r"defined \[p\(A0\) q\(A0\)\]\.\r\nmg >")
    s.line("?p", r"p\(1\)\r\nFound 1 entries for p\(X0\)\.\r\nmg >")
    status = s.end()
    expect(status == 0, f"exit status {status}: {s.seen}")


def editing(folder):
    s = Session(folder)
    s.wait("mg >")
    s.type("b(1).\x01a\x05\r")  # to the beginning, a letter, to the end
    s.wait(r"defined \[ab\(A0\)\]\.\r\nmg >")
    s.end()


def history(folder):
    s = Session(folder)
    s.wait("mg >")
    s.line("first(1).", r"defined \[first\(A0\)\]\.\r\nmg >")
    s.line("?first", r"Found 1 entries.*mg >")
    s.line("other(1).", r"defined \[first\(A0\) other\(A0\)\]\.\r\nmg >")
    s.type("\x1b[A\x1b[A\r")  # up, up
    s.wait(r"Found 1 entries for first\(X0\)\.\r\nmg >")
    s.line("::quit", "quit")
    expect(s.end("") == 0, "::quit")
    path = os.path.join(folder, "state", "mangle", "history")
    mode = stat.S_IMODE(os.stat(path).st_mode)
    expect(mode == 0o600, f"the history has mode {mode:o}")
    s = Session(folder)
    s.wait("mg >")
    s.type("\x1b[A\x1b[A\r")  # ::quit, then ?first
    s.wait("error evaluating query: .*there is no predicate.*first.*mg >")
    expect(s.end() == 0, "end of input")


def completion(folder):
    with open(os.path.join(folder, "rules.mg"), "w", encoding="ascii") as f:
        f.write("lonely(1).\n")
    s = Session(folder)
    s.wait("mg >")
    s.line("person(/a). persist(/b).", r"defined .*mg >")
    s.type("?perso\t\r")
    s.wait(r"Found 1 entries for person\(X0\)")
    s.wait("mg >")
    s.type("?per\t\t")
    s.wait(r"\r\npersist\r\nperson\r\n.*\?pers$")
    s.type("\x15x(Y) :- Y = fn:string:conc\t(\"a\", \"b\").\r")
    s.wait(r"defined \[")
    s.wait("mg >")
    s.line("?x", r"x\(.ab.\)\r\n.*mg >")
    s.type("::lo\trul\t\r")
    s.wait(r"loaded rules\.mg\.\r\nmg >")
    s.type("::why\t")
    s.type("\t")
    s.wait(r"::why \r\n::whynot \r\n")
    s.type("\x15")
    s.end()


def interrupt_line(folder):
    s = Session(folder)
    s.wait("mg >")
    s.type("p(1), some")
    s.wait("some")
    s.type("\x03")
    s.wait("mg >")
    s.line("p(X) :-", r"\.\. >")
    s.type("\x03")
    s.wait("mg >")  # not the prompt that goes on
    s.line("q(2).", r"defined \[q\(A0\)\]\.\r\nmg >")
    expect(s.end() == 0, "end of input")


def interrupt_evaluation(folder):
    s = Session(folder, "--max-facts", "-1")
    s.wait("mg >")
    s.line("n(0).", "defined .*mg >")
    s.type("n(Y) :- n(X), Y = fn:plus(X, 1).\r")
    time.sleep(0.5)
    s.type("\x03")
    s.wait("definition failed: cancelled.*mg >")
    s.line("?n", r"n\(0\)\r\nFound 1 entries for n\(X0\)\.\r\nmg >")  # as before
    expect(s.end() == 0, "end of input")


def lost(folder):
    s = Session(folder)
    s.wait(r"::help lists the commands, ::quit ends\r\nmg >")
    s.line("help", r"commands begin with ::, for instance ::help and ::quit\r\nmg >")
    s.line("p(X) :-", r"\.\. >")
    s.line("::help", "definition failed: its end, .* is missing\r\n.*::quit .*mg >")
    s.line("purple(1).", "defined .*mg >")
    s.line("?purpel(X)", r'there is no predicate "purpel".*Did you mean "purple/1"\?\r\n.*No entries.*mg >')
    s.line("::quit", "")
    expect(s.end("") == 0, "::quit")


test("the prompts are mg > and .. >", prompts)  # M-IO-10, M-IO-17
test("lines can be edited", editing)
test("the history is kept from session to session, for its owner alone", history)
test("predicates, functions, commands and files are completed", completion)
test("Ctrl-C drops the line, and what was begun", interrupt_line)
test("Ctrl-C stops an evaluation, and nothing is lost", interrupt_evaluation)
test("who is lost finds ::help, and what was meant", lost)
print(f"1..{count}")
