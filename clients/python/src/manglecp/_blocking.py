"""Performs effects by blocking: sockets and pipes without a mode of waiting of their own, and one poll(2) that
waits for them, for a Cancel from another thread, and for the deadline. One thread at a time."""

from __future__ import annotations

import contextlib
import inspect
import ipaddress
import os
import selectors
import socket
import ssl
import subprocess
import threading
import time
from typing import Any, Dict, List, Optional, Tuple, TypeVar

from ._effects import (
    Address,
    Call,
    Cancel,
    Close,
    NothingSent,
    Open,
    Program,
    Receive,
    Send,
    Sink,
    Sleep,
    Steps,
    Wait,
    Watch,
    connect_failed,
)
from .errors import ConnectFailed, ConnectionLost, Error, TimedOut

T = TypeVar("T")
CHUNK = 65536
MAX_QUEUED = 1_048_576  # bytes that wait behind a peer that does not read
KILL_GRACE_S = 1.0

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
_Selector: Any = getattr(selectors, "PollSelector", selectors.SelectSelector)


class _Stream:
    """Bytes in and out without waiting. Subclasses move them."""

    def __init__(self) -> None:
        self.sink: Optional[Sink] = None
        self.out = bytearray()
        self.closed = False

    def descriptors(self) -> Tuple[int, int]:
        """To read from, to write to."""
        raise NotImplementedError

    def read(self) -> Optional[bytes]:
        """None: nothing now. b"": the end. Raises OSError."""
        raise NotImplementedError

    def write(self, data: memoryview) -> int:
        """How many bytes went; 0: none now. Raises OSError."""
        raise NotImplementedError

    def buffered(self) -> bool:
        """Is there something to read that poll does not see?"""
        return False

    def release(self) -> None:
        raise NotImplementedError

    def queue(self, data: bytes) -> None:
        if not self.closed and len(self.out) + len(data) <= MAX_QUEUED:
            self.out += data
            with contextlib.suppress(OSError):
                self.flush()

    def flush(self) -> None:
        while self.out:
            with memoryview(self.out) as view, view[: 1 << 20] as piece:
                count = self.write(piece)
            if count == 0:
                return
            del self.out[:count]

    def abort(self) -> None:
        if not self.closed:
            self.closed = True
            self.out.clear()
            self.release()

    def stale(self) -> bool:
        """Readable while nothing is asked: ended, or out of step."""
        if self.closed or self.buffered():
            return True
        with _Selector() as selector:
            selector.register(self.descriptors()[0], READ)
            return bool(selector.select(0))


class _Socket(_Stream):
    def __init__(self, sock: socket.socket) -> None:
        super().__init__()
        self.sock = sock

    def descriptors(self) -> Tuple[int, int]:
        return self.sock.fileno(), self.sock.fileno()

    def read(self) -> Optional[bytes]:
        try:
            return self.sock.recv(CHUNK)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return None
        except ssl.SSLZeroReturnError:
            return b""

    def write(self, data: memoryview) -> int:
        try:
            return self.sock.send(data)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0

    def buffered(self) -> bool:
        return isinstance(self.sock, ssl.SSLSocket) and self.sock.pending() > 0

    def release(self) -> None:
        self.sock.close()


class _Child(_Stream):
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        super().__init__()
        assert process.stdin and process.stdout
        self.process = process
        self.source, self.target = process.stdout, process.stdin
        for pipe in (self.source, self.target):
            os.set_blocking(pipe.fileno(), False)

    def descriptors(self) -> Tuple[int, int]:
        return self.source.fileno(), self.target.fileno()

    def read(self) -> Optional[bytes]:
        try:
            return os.read(self.source.fileno(), CHUNK)
        except BlockingIOError:
            return None

    def write(self, data: memoryview) -> int:
        try:
            return os.write(self.target.fileno(), data)
        except BlockingIOError:
            return 0

    def release(self) -> None:
        self.close_input()
        self.source.close()
        if self.process.poll() is None:
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(KILL_GRACE_S)

    def close_input(self) -> None:
        with contextlib.suppress(OSError):
            self.target.close()


class BlockingDriver:
    def __init__(self) -> None:
        self._woken, self._waker = socket.socketpair()
        self._woken.setblocking(False)
        self._waker.setblocking(False)

    def close(self) -> None:
        self._woken.close()
        self._waker.close()

    def run(self, steps: Steps[T], cancel: Optional[Cancel] = None) -> T:
        """Performs every effect of `steps`, and returns what it returns."""
        self._forget_wakes()  # of a Cancel whose call has ended
        stop = cancel._wake_with(self._wake) if cancel else None
        outcome: Any = None
        failure: Optional[BaseException] = None
        try:
            while True:
                effect = steps.throw(failure) if failure is not None else steps.send(outcome)
                outcome, failure = None, None
                try:
                    outcome = self._perform(effect)
                except BaseException as error:
                    failure = error
        except StopIteration as stop_iteration:
            result: T = stop_iteration.value
            return result
        finally:
            if stop:
                stop()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # full: a wake-up is on its way already; closed: nobody waits
            self._waker.send(b"!")

    def _forget_wakes(self) -> None:
        with contextlib.suppress(OSError):
            self._woken.recv(4096)

    def _perform(self, effect: Any) -> Any:
        if isinstance(effect, Wait):
            return self._wait(effect)
        if isinstance(effect, Receive):
            return self._receive(effect)
        if isinstance(effect, Send):
            return self._send(effect)
        if isinstance(effect, Open):
            return self._open(effect)
        if isinstance(effect, Watch):
            effect.stream.sink = effect.sink  # type: ignore[attr-defined]
            return None
        if isinstance(effect, Sleep):
            return self._sleep(effect.until)
        if isinstance(effect, Close):
            return self._close(effect)
        assert isinstance(effect, Call)
        result = effect.function(*effect.args)
        if inspect.isawaitable(result):
            if inspect.iscoroutine(result):
                result.close()
            raise TypeError("a coroutine function needs the asyncio client, manglecp.aio")
        return result

    # ---- waiting ---------------------------------------------------------------------------

    def _poll(self, interest: List[Tuple[int, int]], deadline: float) -> Tuple[int, bool]:
        """Until a descriptor is ready or another thread wakes us: what is ready, and whether we were woken.
        Raises TimedOut."""
        with _Selector() as selector:
            selector.register(self._woken, READ, "wake")
            wanted: Dict[int, int] = {}
            for descriptor, events in interest:
                wanted[descriptor] = wanted.get(descriptor, 0) | events
            for descriptor, events in wanted.items():
                selector.register(descriptor, events)
            found = selector.select(max(0.0, deadline - time.monotonic()))
        if not found:
            raise TimedOut("nothing happened in time")
        woken = any(key.data == "wake" for key, _ in found)
        if woken:
            self._forget_wakes()
        ready = 0
        for key, events in found:
            if key.data != "wake":
                ready |= events
        return ready, woken

    def _sleep(self, until: float) -> None:
        with contextlib.suppress(TimedOut):
            self._poll([], until)

    def _wait(self, effect: Wait) -> None:
        stream = effect.stream
        if stream is None:
            self._poll([], effect.deadline)
            return
        assert isinstance(stream, _Stream)
        if stream.closed:
            raise ConnectionLost("the connection is closed")
        if not stream.buffered():
            source, target = stream.descriptors()
            interest = [(source, READ)] + ([(target, WRITE)] if stream.out else [])
            self._poll(interest, effect.deadline)
        self._pump(stream)

    def _pump(self, stream: _Stream) -> None:
        """Moves what can be moved on a watched stream."""
        assert stream.sink is not None
        try:
            data = stream.read()
            if data:
                stream.sink.receive(data)
            elif data is not None:
                stream.sink.ended(None)
            if not stream.closed:
                stream.flush()
        except OSError as error:
            stream.sink.ended(ConnectionLost(f"the connection broke: {error}"))

    # ---- moving bytes ----------------------------------------------------------------------

    def _send(self, effect: Send) -> None:
        stream = effect.stream
        assert isinstance(stream, _Stream)
        if stream.closed:
            raise NothingSent("the connection is closed")
        stream.out += effect.data
        try:
            stream.flush()
            while stream.out:
                if time.monotonic() >= effect.deadline:  # a peer that talks and does not read lets no wait end
                    raise TimedOut("the server does not read")
                source, target = stream.descriptors()
                # a session's peer may only read on once we have read what it writes
                interest = [(target, WRITE)] + ([(source, READ)] if stream.sink else [])
                self._poll(interest, effect.deadline)
                if stream.sink:
                    self._pump(stream)
                    if stream.closed:
                        raise ConnectionLost("the connection ended while a request was being sent")
                else:
                    stream.flush()
        except OSError as error:
            lost = NothingSent if len(stream.out) >= len(effect.data) else ConnectionLost
            raise lost(f"the connection broke: {error}") from None

    def _receive(self, effect: Receive) -> Optional[bytes]:
        stream = effect.stream
        assert isinstance(stream, _Stream)
        while True:
            try:
                data = stream.read()
            except OSError as error:
                raise ConnectionLost(f"the connection broke: {error}") from None
            if data is not None:
                return data
            _, woken = self._poll([(stream.descriptors()[0], READ)], effect.deadline)
            if woken:
                return None

    # ---- beginnings and ends ---------------------------------------------------------------

    def _open(self, effect: Open) -> _Stream:
        if isinstance(effect.target, Program):
            return _start(effect.target)
        target, deadline = effect.target, effect.deadline
        problem: Optional[Exception] = None
        for family, address in _resolve(target.host, target.port, deadline):
            try:
                return self._connect(target, family, address, deadline)
            except (OSError, ValueError) as error:  # ValueError: a name that no certificate can bear
                problem = error
                if isinstance(error, TimedOut):
                    break
        if isinstance(problem, TimedOut):
            raise TimedOut(f"no connection to {target.host}:{target.port} in time")
        raise connect_failed(target, problem)

    def _connect(self, target: Address, family: int, address: Any, deadline: float) -> _Stream:
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.settimeout(_left(deadline))
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if target.tls is not None:
                sock.settimeout(_left(deadline))
                sock = target.tls.wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)
                sock.setblocking(False)
                self._handshake(sock, deadline)
            sock.setblocking(False)
            return _Socket(sock)
        except BaseException as error:
            sock.close()
            if isinstance(error, socket.timeout):
                raise _ConnectTimedOut() from None
            raise

    def _handshake(self, sock: ssl.SSLSocket, deadline: float) -> None:
        while True:
            try:
                return sock.do_handshake()
            except ssl.SSLWantReadError:
                self._poll_handshake(sock, READ, deadline)
            except ssl.SSLWantWriteError:
                self._poll_handshake(sock, WRITE, deadline)

    def _poll_handshake(self, sock: ssl.SSLSocket, events: int, deadline: float) -> None:
        try:
            self._poll([(sock.fileno(), events)], deadline)
        except TimedOut:
            raise _ConnectTimedOut() from None

    def _close(self, effect: Close) -> None:
        stream = effect.stream
        assert isinstance(stream, _Stream)
        if stream.closed:
            return
        with contextlib.suppress(Error, OSError):
            while stream.out:
                self._poll([(stream.descriptors()[1], WRITE)], effect.deadline)
                stream.flush()
            if isinstance(stream, _Child):
                self._let_end(stream, effect.deadline)
        stream.abort()

    def _let_end(self, child: _Child, deadline: float) -> None:
        """End of input makes a server end (P-STDIO-5); what it still says is read, so that it can."""
        child.close_input()
        while True:
            data = child.read()
            if data == b"":
                break
            if data is None:
                self._poll([(child.source.fileno(), READ)], deadline)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0.0, deadline - time.monotonic()))
            return
        child.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(KILL_GRACE_S)


class _ConnectTimedOut(TimedOut, OSError):
    """Inside this module: ends the attempts at all addresses."""


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise _ConnectTimedOut()
    return left


def _start(program: Program) -> _Stream:
    if os.name != "posix":
        raise ConnectFailed(
            "the blocking client starts programs on POSIX systems only; manglecp.aio does elsewhere too"
        )
    try:
        process = subprocess.Popen(
            program.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=program.stderr,
            env=program.env,
            cwd=program.cwd,
            bufsize=0,
        )
    except (OSError, ValueError) as error:
        raise ConnectFailed(f"{program.command[0]} could not be started: {error}") from None
    return _Child(process)


def _resolve(host: str, port: int, deadline: float) -> List[Tuple[int, Any]]:
    """The addresses of a host. The resolver knows no deadline, so a name is looked up beside us."""
    found: List[Any] = []

    def look_up() -> None:
        try:
            found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError as error:
            found.append(error)

    if _is_numeric(host):
        look_up()
    else:
        thread = threading.Thread(target=look_up, name="manglecp-resolver", daemon=True)
        thread.start()
        thread.join(max(0.0, deadline - time.monotonic()))
    if not found:
        raise TimedOut(f"the name {host} was not found in time")
    if isinstance(found[0], OSError):
        raise ConnectFailed(f"the name {host} is not known: {found[0]}")
    return [(family, address) for family, _, _, _, address in found[0]]


def _is_numeric(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
