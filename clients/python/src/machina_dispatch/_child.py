"""A toolhost process: its three pipes, read and written at once, and its end.

It has a session and a process group of its own. The group is killed while its leader is not yet waited for, so that
the number cannot be anybody else's by then. One thread at a time uses a Child."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from typing import Dict, Optional, Sequence

from ._answers import MAX_ERROR_OUTPUT_BYTES

CHUNK = 65_536
LOOK_S = 0.02  # how often the end of a process is looked for where the kernel does not tell it

ANSWERED = "answered"  # a line, or all of the output of a process that ended
ENDED = "ended"  # the process is gone, or closed its output, before that
FLOOD = "flood"
TIMEOUT = "timeout"


class Child:
    def __init__(
        self, argv: Sequence[str], env: Dict[str, str], cwd: Optional[str], pass_fds: Sequence[int] = ()
    ):
        """Raises OSError if it cannot be started."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            argv,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=env,
            cwd=cwd,
            pass_fds=pass_fds,
            start_new_session=True,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out, self._err = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._poll = select.poll()
        self._reading = 0
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        self._watch(self._out)
        self._watch(self._err)
        self._pidfd = self._open_pidfd()
        self.output = bytearray()
        self.errors = bytearray()
        self.written = 0
        self._out_open = True
        self.status: Optional[int] = None  # once it was waited for

    def _open_pidfd(self) -> int:
        try:
            fd = os.pidfd_open(self._process.pid)
        except (AttributeError, OSError):
            return -1
        self._poll.register(fd, select.POLLIN)
        return fd

    def _watch(self, fd: int) -> None:
        self._poll.register(fd, select.POLLIN)

    # ---- talking ---------------------------------------------------------------------------

    def exchange(self, data: bytes, deadline: float, limit: int, whole: bool) -> str:
        """Write `data` and read: up to a line break, or with `whole`, after which the input is closed, until the
        process has ended. What was read is in `output`, at most `limit` bytes; `written` counts what was taken.
        """
        self.output.clear()
        self.errors.clear()
        self.written = 0
        rest = memoryview(data)
        rest = self._write(rest, whole)
        while True:
            if not whole and b"\n" in self.output:
                return ANSWERED
            patience = deadline - time.monotonic()
            if patience <= 0:
                return TIMEOUT
            for fd, event in self._poll.poll(self._slice(patience)):
                if fd == self._in:
                    rest = self._write(rest, whole, hung_up=bool(event & (select.POLLERR | select.POLLHUP)))
                elif fd == self._out:
                    self._read_output(limit)
                elif fd == self._err:
                    self._read_errors()
            if len(self.output) > limit:
                return FLOOD
            if self.has_ended():  # whatever it wrote is in the pipes now
                self._read_output(limit)
                self._read_errors()
                if len(self.output) > limit:
                    return FLOOD
                return ANSWERED if whole or b"\n" in self.output else ENDED
            if not whole and not self._out_open and b"\n" not in self.output:
                return ENDED

    def is_silent(self) -> bool:
        """Alive, and it has said nothing that nobody asked for."""
        return not self.has_ended() and not select.select([self._out], [], [], 0)[0]

    def _slice(self, patience: float) -> float:
        return 1000 * (min(patience, LOOK_S) if self._pidfd < 0 else patience) + 0.5

    def _write(self, rest: memoryview, close: bool, hung_up: bool = False) -> memoryview:
        """What is left to write. A reader that is gone takes no more, which is no error here: its end will tell."""
        if hung_up:
            rest = rest[len(rest) :]
        while rest:
            try:
                count = os.write(self._in, rest[:CHUNK])
            except BlockingIOError:
                self._poll.register(self._in, select.POLLOUT)
                return rest
            except BrokenPipeError:
                rest = rest[len(rest) :]
                break
            self.written += count
            rest = rest[count:]
        self._forget(self._in)
        if close and self._process.stdin:
            self._process.stdin.close()
        return rest

    def _forget(self, fd: int) -> None:
        try:
            self._poll.unregister(fd)
        except KeyError:
            pass

    def _read_output(self, limit: int) -> None:
        while self._out_open and len(self.output) <= limit:
            try:
                data = os.read(self._out, CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._out_open = False
                self._forget(self._out)
            self.output += data
            if data.endswith(b"\n") and len(data) < CHUNK:
                return  # most likely all there is, and the poll will tell if not

    def _read_errors(self) -> None:
        for _ in range(64):  # a process that never stops must not keep us here
            try:
                data = os.read(self._err, CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._forget(self._err)
                return
            self.errors += data[: max(0, MAX_ERROR_OUTPUT_BYTES - len(self.errors))]

    # ---- ending ----------------------------------------------------------------------------

    def has_ended(self) -> bool:
        if self.status is not None:
            return True
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody else waited for it
            return True
        except AttributeError:  # no waitid here
            return self._process.poll() is not None

    def close_input(self, last: bytes = b"") -> None:
        if self._process.stdin and not self._process.stdin.closed:
            self._write(memoryview(last), close=True)
            self._process.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended by then. Its output is read meanwhile and thrown away."""
        deadline = time.monotonic() + seconds
        while not self.has_ended():
            patience = deadline - time.monotonic()
            if patience <= 0:
                return False
            self.output.clear()
            for fd, _ in self._poll.poll(self._slice(patience)):
                if fd == self._out:
                    self._read_output(CHUNK)
                elif fd == self._err:
                    self._read_errors()
        return True

    def ask_to_end(self) -> None:
        """SIGTERM to the host alone, which then stops its tool and sweeps up."""
        if not self.has_ended():
            self._process.terminate()

    def finish(self) -> int:
        """Kill what is left of the group, wait, close. The exit status; a signal's number negative."""
        if self.status is None:
            if self._process.returncode is None:
                try:
                    os.killpg(self._process.pid, signal.SIGKILL)
                except (ProcessLookupError, PermissionError):
                    pass
            try:
                self.status = self._process.wait(timeout=2)
            except subprocess.TimeoutExpired:  # stuck in the kernel; init will have it one day
                self.status = -signal.SIGKILL
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    stream.close()
            if self._pidfd >= 0:
                os.close(self._pidfd)
                self._pidfd = -1
        return self.status

    def abandon(self) -> None:
        """In a child of fork(): the process is not ours, and neither are these copies of its pipes."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        self.status = self._process.returncode = 0
