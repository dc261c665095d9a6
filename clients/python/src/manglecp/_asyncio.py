"""Performs effects on an asyncio event loop. Many calls may be under way at once; what a session's connection
brings is handed to its sink as it comes, whoever waits."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import time
from typing import Any, Coroutine, Dict, List, Optional, Sequence, TypeVar, cast

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
    Signal,
    Sink,
    Sleep,
    Steps,
    Wait,
    Watch,
    connect_failed,
)
from .errors import ConnectFailed, ConnectionLost, TimedOut

T = TypeVar("T")
MAX_UNREAD = 1_048_576
KILL_GRACE_S = 1.0
TURNS = 5  # of the event loop until asyncio has told of something that is there, such as a child's last word


class _Stream:
    """One connection, whatever it runs over: keeps what nobody took yet, and tells when something changed."""

    def __init__(self) -> None:
        self.signal = Signal()
        self.sink: Optional[Sink] = None
        self.unread = bytearray()
        self.ended = False
        self.closed = False  # nothing more will happen on it
        self.error: Optional[Exception] = None
        self.blocked = False  # the other side does not read
        self.reading: Optional[asyncio.ReadTransport] = None
        self.writing: Optional[asyncio.WriteTransport] = None
        self._paused = False

    # What asyncio tells

    def arrived(self, data: bytes) -> None:
        if self.sink is not None:
            self.sink.receive(data)
        else:
            self.unread += data
            if len(self.unread) > MAX_UNREAD and self.reading is not None and not self._paused:
                self._paused = True
                self.reading.pause_reading()
        self.signal.fire()

    def finished(self, error: Optional[BaseException]) -> None:
        if not self.ended:
            self.ended = True
            if error is not None:
                self.error = ConnectionLost(f"the connection broke: {error}")
            if self.sink is not None:
                self.sink.ended(self.error)
        self.signal.fire()

    def block(self, blocked: bool) -> None:
        self.blocked = blocked
        self.signal.fire()

    # What the driver does

    def watch(self, sink: Sink) -> None:
        self.sink = sink
        if self.unread:
            data = bytes(self.unread)
            self.unread.clear()
            sink.receive(data)
        if self.ended:
            sink.ended(self.error)

    def take(self) -> bytes:
        data = bytes(self.unread)
        self.unread.clear()
        if self._paused and self.reading is not None:
            self._paused = False
            self.reading.resume_reading()
        return data

    def write(self, data: bytes) -> None:
        if self.writing is None or self.writing.is_closing() or self.ended:
            raise NothingSent("the connection is closed")
        self.writing.write(data)

    # What the role does

    def queue(self, data: bytes) -> None:
        if self.writing is not None and self.writing.get_write_buffer_size() + len(data) <= MAX_UNREAD:
            with contextlib.suppress(ConnectionLost):
                self.write(data)

    def stale(self) -> bool:
        return self.ended or bool(self.unread) or self.writing is None or self.writing.is_closing()

    def abort(self) -> None:
        if self.writing is not None:
            self.writing.abort()


class _Tcp(asyncio.Protocol):
    def __init__(self, stream: _Stream) -> None:
        self.stream = stream

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.stream.reading = self.stream.writing = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.stream.arrived(data)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self.stream.closed = True
        self.stream.reading = self.stream.writing = None
        self.stream.finished(exc)

    def pause_writing(self) -> None:
        self.stream.block(True)

    def resume_writing(self) -> None:
        self.stream.block(False)


class _ChildStream(_Stream):
    process: Optional[asyncio.SubprocessTransport] = None

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()

    def abort(self) -> None:
        """A child whose output has ended is ending by itself; killing it then would take its status away from
        asyncio, which complains. So it gets a moment."""
        if self.closed or self.process is None:
            return
        if self.ended and not self._loop.is_closed():
            self._loop.call_later(KILL_GRACE_S, self.kill)
        else:
            self.kill()

    def kill(self) -> None:
        if not self.closed and self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    def exited(self) -> None:
        self.closed = True
        if self.process is not None:
            self.process.close()
        self.signal.fire()


class _ChildProtocol(asyncio.SubprocessProtocol):
    def __init__(self, stream: _ChildStream) -> None:
        self.stream = stream

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        process = cast(asyncio.SubprocessTransport, transport)
        self.stream.process = process
        self.stream.writing = cast(asyncio.WriteTransport, process.get_pipe_transport(0))
        self.stream.reading = cast(asyncio.ReadTransport, process.get_pipe_transport(1))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.stream.arrived(data)

    def pipe_connection_lost(self, fd: int, exc: Optional[Exception]) -> None:
        if fd == 0:
            self.stream.writing = None
            self.stream.block(False)
        elif fd == 1:
            self.stream.reading = None
            self.stream.finished(exc)

    def process_exited(self) -> None:
        self.stream.exited()

    def pause_writing(self) -> None:
        self.stream.block(True)

    def resume_writing(self) -> None:
        self.stream.block(False)


class _Wake:
    """A Cancel, possibly from another thread, for one running call."""

    def __init__(self) -> None:
        self.signal = Signal()
        self.called = False
        self._loop = asyncio.get_running_loop()

    def call(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and with it whoever waited
            self._loop.call_soon_threadsafe(self._fire)

    def _fire(self) -> None:
        self.called = True
        self.signal.fire()

    def taken(self) -> bool:
        called, self.called = self.called, False
        return called


class AsyncDriver:
    def __init__(self) -> None:
        self._children: List[_ChildStream] = []

    async def finish(self) -> None:
        """Waits for children that were ended, so that none is left for the event loop to miss."""
        for child in self._children:
            with contextlib.suppress(TimedOut):
                until = time.monotonic() + 2 * KILL_GRACE_S
                while child.process is not None and not child.closed:
                    await _pause([child.signal], until)
        self._children.clear()

    async def run(self, steps: Steps[T], cancel: Optional[Cancel] = None) -> T:
        """Performs every effect of `steps`, and returns what it returns."""
        wake = _Wake()
        stop = cancel._wake_with(wake.call) if cancel else None
        outcome: Any = None
        failure: Optional[BaseException] = None
        try:
            while True:
                effect = steps.throw(failure) if failure is not None else steps.send(outcome)
                outcome, failure = None, None
                try:
                    outcome = await self._perform(effect, wake)
                except BaseException as error:
                    failure = error
        except StopIteration as stop_iteration:
            result: T = stop_iteration.value
            return result
        finally:
            if stop:
                stop()

    async def _perform(self, effect: Any, wake: _Wake) -> Any:
        if isinstance(effect, Wait):
            return await _pause([effect.signal, wake.signal], effect.deadline, turns=TURNS)
        if isinstance(effect, Receive):
            return await self._receive(effect, wake)
        if isinstance(effect, Send):
            return await self._send(effect)
        if isinstance(effect, Open):
            return await self._open(effect)
        if isinstance(effect, Watch):
            cast(_Stream, effect.stream).watch(effect.sink)
            return None
        if isinstance(effect, Sleep):
            with contextlib.suppress(TimedOut):
                await _pause([wake.signal], effect.until, turns=TURNS)
            return None
        if isinstance(effect, Close):
            return await self._close(effect)
        assert isinstance(effect, Call)
        result = effect.function(*effect.args)
        return await result if inspect.isawaitable(result) else result

    async def _send(self, effect: Send) -> None:
        stream = cast(_Stream, effect.stream)
        stream.write(effect.data)
        while stream.blocked and not stream.ended:
            await _pause([stream.signal], effect.deadline)
        if stream.ended and stream.error is not None:
            raise stream.error

    async def _receive(self, effect: Receive, wake: _Wake) -> Optional[bytes]:
        stream = cast(_Stream, effect.stream)
        while True:
            if stream.unread:
                return stream.take()
            if stream.ended:
                if stream.error is not None:
                    raise stream.error
                return b""
            if wake.taken():
                return None
            await _pause([stream.signal, wake.signal], effect.deadline)

    async def _open(self, effect: Open) -> _Stream:
        timeout = max(0.0, effect.deadline - time.monotonic())
        if isinstance(effect.target, Program):
            return await self._start(effect.target, timeout)
        address = effect.target
        stream = _Stream()
        try:
            await _within(timeout, self._connect(stream, address))
        except asyncio.CancelledError:
            stream.abort()
            raise
        except asyncio.TimeoutError:
            stream.abort()
            raise TimedOut(f"no connection to {address.host}:{address.port} in time") from None
        except (OSError, ValueError) as error:  # ValueError: a name that no certificate can bear
            raise connect_failed(address, error) from None
        return stream

    async def _connect(self, stream: _Stream, address: Address) -> None:
        settings: Dict[str, Any] = {}
        if address.tls is not None:
            settings = {"ssl": address.tls, "server_hostname": address.host}
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: _Tcp(stream), address.host, address.port, **settings)

    async def _start(self, program: Program, timeout: float) -> _Stream:
        stream = _ChildStream()
        self._children = [child for child in self._children if not child.closed] + [stream]
        loop = asyncio.get_running_loop()
        starting = loop.subprocess_exec(
            lambda: _ChildProtocol(stream),
            *program.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=program.stderr,
            env=program.env,
            cwd=program.cwd,
        )
        try:
            await _within(timeout, starting)
        except asyncio.CancelledError:
            stream.abort()
            raise
        except asyncio.TimeoutError:
            stream.abort()
            raise TimedOut(f"{program.command[0]} did not start in time") from None
        except (OSError, ValueError) as error:
            raise ConnectFailed(f"{program.command[0]} could not be started: {error}") from None
        return stream

    async def _close(self, effect: Close) -> None:
        stream = cast(_Stream, effect.stream)
        try:
            with contextlib.suppress(TimedOut):
                if stream.writing is not None:
                    stream.writing.close()  # after what is still to be written; ends a child's input (P-STDIO-5)
                while not stream.closed:
                    await _pause([stream.signal], effect.deadline)
            if isinstance(stream, _ChildStream) and not stream.closed and stream.process is not None:
                stream.process.terminate()
                with contextlib.suppress(TimedOut):
                    while not stream.closed:
                        await _pause([stream.signal], time.monotonic() + KILL_GRACE_S)
        finally:
            stream.abort()


async def _within(timeout: float, work: Coroutine[Any, Any, Any]) -> None:
    """Does the work. Raises TimeoutError when it was not done in time; then, and when the caller is cancelled,
    it has ended. (wait_for swallows a cancellation that comes in the same turn as the result, up to Python 3.11.)"""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait([task], timeout=timeout)
        if not task.done():
            raise asyncio.TimeoutError
    except BaseException:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # nobody else asks for it
        raise
    task.result()


async def _pause(signals: Sequence[Signal], deadline: float, turns: int = 1) -> None:
    """Until one of them fires. Raises TimedOut at the deadline, and not before the event loop had some
    turns for what has already come."""
    loop = asyncio.get_running_loop()
    future: "asyncio.Future[bool]" = loop.create_future()

    def fire() -> None:
        if not future.done():
            future.set_result(True)

    def expire() -> None:
        if not future.done():
            future.set_result(False)

    stops = [signal.listen(fire) for signal in signals]
    left = deadline - time.monotonic()
    timer = loop.call_later(max(0.0, left), expire) if left > 0 else None
    try:
        for _ in range(turns if timer is None else 0):
            await asyncio.sleep(0)
        if timer is None:
            expire()
        if not await future:
            raise TimedOut("nothing happened in time")
    finally:
        if timer is not None:
            timer.cancel()
        for stop in stops:
            stop()
