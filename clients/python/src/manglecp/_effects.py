"""What the client's role asks of the world.

The role (`_role.py`) and its links (`_links.py`) are generators: they yield an effect and are sent its
outcome, or have an exception thrown into them. They do no I/O, read no clock and know no threads, so
that the rules of the client exist once; `_blocking.py` and `_asyncio.py` perform the effects, each in its
world. Deadlines are readings of the monotonic clock, in seconds.

Invariants: an effect that fails raises an exception of `errors`, or what the caller's callback raised;
a generator that gets any exception leaves no stream half used (it aborts it, which needs no effect)."""

from __future__ import annotations

import collections
import ssl
from dataclasses import dataclass, field
from typing import Any, Callable, Deque, Dict, Generator, List, Optional, Protocol, Sequence, Tuple, TypeVar, Union

from .errors import ConnectFailed, ConnectionLost

T = TypeVar("T")


class Stream(Protocol):
    """An open connection. Made by Open, owned by whoever asked for it."""

    def abort(self) -> None:
        """Ends it at once, from anywhere, without waiting."""

    def stale(self) -> bool:
        """Has the other side ended it, or sent what nobody asked for, while it lay idle?"""

    def queue(self, data: bytes) -> None:
        """Sends soon, without waiting. For a few bytes: pongs, a cancel on the way out."""


class Sink(Protocol):
    """Takes what a session's connection brings."""

    def receive(self, data: bytes) -> None: ...

    def ended(self, error: Optional[BaseException]) -> None: ...


class Signal:
    """Something changed: whoever waits looks again."""

    def __init__(self) -> None:
        self._listeners: List[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def fire(self) -> None:
        for listener in list(self._listeners):
            listener()


@dataclass(frozen=True)
class Address:
    """Where to connect to over TCP; with `tls`, `host` is the name that the certificate must bear."""

    host: str
    port: int
    tls: Optional[ssl.SSLContext] = None


# What OpenSSL says of a server whom nobody vouches for: signed by itself, or by somebody unknown.
_NOT_VOUCHED_FOR = (18, 19, 20, 21)


def connect_failed(target: Address, problem: Optional[BaseException]) -> ConnectFailed:
    hint = ""
    if isinstance(problem, ssl.SSLCertVerificationError) and problem.verify_code in _NOT_VOUCHED_FOR:
        hint = " (the option ca_file says who vouches for a server)"
    return ConnectFailed(f"no connection to {target.host}:{target.port}: {problem}{hint}")


@dataclass(frozen=True)
class Program:
    """A child process to talk to over its standard input and output."""

    command: Tuple[str, ...]
    env: Optional[Dict[str, str]] = None
    cwd: Optional[str] = None
    stderr: Any = None


@dataclass(frozen=True)
class Open:
    """-> Stream. Raises ConnectFailed, TimedOut."""

    target: Union[Address, Program]
    deadline: float


class NothingSent(ConnectionLost):
    """The connection had ended before the first byte left."""


@dataclass(frozen=True)
class Send:
    """Writes all of it. Raises NothingSent; or ConnectionLost, TimedOut: some of it may have left then."""

    stream: Stream
    data: bytes = field(repr=False)
    deadline: float


@dataclass(frozen=True)
class Receive:
    """-> bytes, b"" at the end, None if woken by a Cancel. Raises ConnectionLost, TimedOut. Not for a
    stream that is watched."""

    stream: Stream
    deadline: float


@dataclass(frozen=True)
class Watch:
    """From now on what the stream brings goes to `sink`."""

    stream: Stream
    sink: Sink


@dataclass(frozen=True)
class Wait:
    """Until the signal fires or a Cancel wakes; may come back for nothing. Raises TimedOut. `stream` is the
    watched stream that can make it fire."""

    signal: Signal
    deadline: float
    stream: Optional[Stream] = None


@dataclass(frozen=True)
class Sleep:
    """Until then, or until a Cancel wakes."""

    until: float


@dataclass(frozen=True)
class Close:
    """In good order, but no longer than until the deadline. Never raises."""

    stream: Stream
    deadline: float


@dataclass(frozen=True)
class Call:
    """-> what the caller's callback returns."""

    function: Callable[..., Any]
    args: Sequence[Any]


Effect = Union[Open, Send, Receive, Watch, Wait, Sleep, Close, Call]
Steps = Generator[Effect, Any, T]


class Cancel:
    """Cancels one call: give it as `cancel=` and call `cancel()`, from a callback or another thread.

    On stdio and WebSocket the server is asked to stop, and its answer decides: Cancelled with
    `certain=True`, or the normal result if it came first. Over HTTP the connection is dropped."""

    def __init__(self) -> None:
        self.requested = False
        self._wakers: List[Callable[[], None]] = []

    def cancel(self) -> None:
        self.requested = True
        for wake in list(self._wakers):
            wake()

    def _wake_with(self, wake: Callable[[], None]) -> Callable[[], None]:
        self._wakers.append(wake)
        if self.requested:
            wake()
        return lambda: self._wakers.remove(wake)


class _Turn:
    def __init__(self) -> None:
        self.signal = Signal()
        self.come = False


class Slots:
    """At most `count` at a time; the others wait in line. What is given goes to the first of them, and wakes
    nobody else."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._line: Deque[_Turn] = collections.deque()

    def take(self, deadline: float) -> Steps[None]:
        if self._free > 0:
            self._free -= 1
            return
        turn = _Turn()
        self._line.append(turn)
        try:
            while not turn.come:
                yield Wait(turn.signal, deadline)
        except BaseException:
            if turn.come:
                self.give()
            else:
                self._line.remove(turn)
            raise

    def give(self) -> None:
        if self._line:
            turn = self._line.popleft()
            turn.come = True
            turn.signal.fire()
        else:
            self._free += 1
