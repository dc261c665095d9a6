"""Links carry messages to one server and back: a session (stdio, WebSocket) or HTTP.

A link opens itself, hands every manifest to `on_manifest`, and answers `request` with the terminal message of
that request. It never sends anything twice. When there is no answer it raises NoAnswer, which says
whether the request had left: up to then nothing can have happened, from then on it may have.

A session belongs to one connection: when that is lost, everything that waits on it gets NoAnswer, and the next
request begins with `open` again, a new manifest and new authentication (P-WS-7, P-WS-8)."""

from __future__ import annotations

import collections
import ssl
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple, Union

from . import _http, _json
from ._effects import (
    Address,
    Cancel,
    Close,
    NothingSent,
    Open,
    Program,
    Receive,
    Send,
    Signal,
    Sleep,
    Slots,
    Steps,
    Stream,
    Wait,
    Watch,
)
from ._framing import LineFraming, WebSocketFraming
from ._version import __version__
from ._wire import MANIFEST_PATH, WEBSOCKET_EXTENSION, Envelope, Url, read_envelope, websocket_url
from .errors import (
    Cancelled,
    ConnectFailed,
    ConnectionLost,
    Error,
    ProtocolError,
    TimedOut,
    UntrustedEndpoint,
)
from .options import Options

CANCEL_GRACE_S = 5.0  # that a server gets to confirm a cancel, or to say how it ended
PING_AFTER_S = 30.0  # of silence while waiting (P-WS-9)
MAX_CONNECTIONS = 8  # over HTTP, at once
MAX_IDLE_S = 20.0  # that a connection may lie idle before it is used again
MAX_REDIRECTS = 3
MAX_LOOKS = 64  # at what has come, before a request is sent all the same
MAX_PROGRESS = 256  # unread progress messages of one request
USER_AGENT = f"manglecp-python/{__version__}"


class NoAnswer(Exception):
    """There is no terminal message. `sent`: the request had begun to leave."""

    def __init__(self, cause: Error, sent: bool) -> None:
        self.cause = cause
        self.sent = sent


ProgressHandler = Callable[[Dict[str, Any]], Steps[None]]


OnManifest = Callable[[Envelope], None]


def guard_credentials(url: Url, manifest_origin: Tuple[str, str, int], options: Options) -> None:
    """Credentials go to the manifest's origin, and to others only if the caller named them; off this
    machine only encrypted."""
    trusted = [Url.parse(text, ("http", "https")).origin for text in options.trusted_origins]
    if url.origin != manifest_origin and url.origin not in trusted:
        raise UntrustedEndpoint(
            f"the manifest names {url}, another origin than its own; "
            "credentials go there only if it is in trusted_origins"
        )
    if not url.secure and not url.loopback and not options.insecure:
        raise UntrustedEndpoint(
            f"{url} is not encrypted; use https, or insecure=True to send credentials all the same"
        )


# ---- sessions ------------------------------------------------------------------------------


class _Waiting:
    """One open request. Its signal fires when something of it came, or nothing will: were all woken by everything,
    many requests at once would cost the square of their number."""

    def __init__(self) -> None:
        self.signal = Signal()
        self.answer: Optional[Envelope] = None
        self.progress: Deque[Dict[str, Any]] = collections.deque(maxlen=MAX_PROGRESS)


Framing = Union[LineFraming, WebSocketFraming]


class _Session:
    """One connection of a session transport: sorts what comes in to the requests that it answers."""

    def __init__(self, stream: Stream, framing: Framing, on_manifest: OnManifest, options: Options) -> None:
        self.stream = stream
        self.framing = framing
        self.signal = Signal()  # anything came; for whoever waits for a manifest
        self.heard = 0  # how often
        self.error: Optional[Error] = None
        self.greeted = False
        self.waiting: Dict[str, _Waiting] = {}
        self._on_manifest = on_manifest
        self._trace = options.trace

    def receive(self, data: bytes) -> None:
        self.heard += 1
        try:
            for raw in self.framing.receive(data):
                self._take(read_envelope(raw))
            reply = self.framing.outgoing()
            if reply:
                self.stream.queue(reply)
            if self.framing.closed:
                raise ConnectionLost("the server closed the WebSocket")
        except Error as error:
            self.fail(error)
        self.signal.fire()

    def ended(self, error: Optional[BaseException]) -> None:
        cause = error if isinstance(error, Error) else ConnectionLost("the server ended the connection")
        self.fail(cause)
        self.signal.fire()

    def fail(self, error: Error) -> None:
        """After this nothing more is read or sent: what the rest of a broken stream means is unknown."""
        if self.error is None:
            self.error = error
            self.stream.abort()
            for waiting in list(self.waiting.values()):
                waiting.signal.fire()

    def _take(self, message: Envelope) -> None:
        if self._trace:
            self._trace("in", message.as_json())
        if message.type == "manifest":
            self._on_manifest(message)  # the newest replaces all earlier ones (P-MAN-31)
            self.greeted = True
        elif not self.greeted:
            raise ProtocolError(f"the server began with {message.type!r} instead of its manifest")
        else:
            waiting = self._addressee(message)
            if waiting is None:
                return  # an id that nobody waits for: late, or made up (P-PROG-6)
            if message.type == "progress":
                waiting.progress.append(message.payload)
            elif waiting.answer is None:
                waiting.answer = message
            waiting.signal.fire()

    def _addressee(self, message: Envelope) -> Optional[_Waiting]:
        if message.id is not None:
            return self.waiting.get(message.id)
        if message.type == "error" and len(self.waiting) == 1:
            return next(iter(self.waiting.values()))  # a message that it could not read (P-ENV-6): ours
        return None

    def send(self, message: Envelope, deadline: float) -> Steps[None]:
        if self._trace:
            self._trace("out", _redacted(message))
        yield Send(self.stream, self.framing.frame(_json.encode(message.as_json())), deadline)


def _redacted(message: Envelope) -> Dict[str, Any]:
    """For the trace: without credentials."""
    hidden = {name: "..." for name in ("token", "confirmation_token") if name in message.payload}
    known = message.type in ("authenticate", "invoke_request")
    return {**message.as_json(), "payload": {**message.payload, **(hidden if known else {})}}


class SessionLink:
    """What stdio and WebSocket have in common."""

    session = True

    def __init__(self, options: Options, now: Callable[[], float], on_manifest: OnManifest) -> None:
        self._options = options
        self._now = now
        self._on_manifest = on_manifest
        self._session: Optional[_Session] = None

    @property
    def usable(self) -> bool:
        return self._session is not None and self._session.error is None

    def _connect(self, deadline: float) -> Steps[Tuple[Stream, Framing]]:
        raise NotImplementedError

    def check_credentials(self) -> None:
        pass

    def open(self) -> Steps[None]:
        """A connection, and its manifest; nothing is sent before that (P-WS-2)."""
        self._session = None
        stream, framing = yield from self._connect(self._now() + self._options.connect_timeout)
        session = _Session(stream, framing, self._on_manifest, self._options)
        try:
            yield Watch(stream, session)
            if isinstance(framing, WebSocketFraming):
                deadline = self._now() + self._options.connect_timeout
                yield Send(stream, framing.greeting(), deadline)
                opened = lambda: session.framing.opened  # noqa: E731
                yield from _until(session, opened, deadline, self._now, "open a WebSocket")
            deadline = self._now() + self._options.manifest_timeout
            yield from _until(session, lambda: session.greeted, deadline, self._now, "send its manifest")
        except BaseException:
            stream.abort()
            raise
        self._session = session

    def wait(self, deadline: float) -> Steps[None]:
        """Lets the connection speak; for whoever waits for a new manifest. Raises TimedOut."""
        if self._session is not None:
            yield Wait(self._session.signal, deadline, self._session.stream)

    def look(self) -> Steps[None]:
        """Takes in what has come meanwhile: a manifest that says draining counts before the next request."""
        for _ in range(MAX_LOOKS):
            try:
                if not self.usable:
                    return
                yield from self.wait(self._now())
            except TimedOut:
                return

    def request(
        self, message: Envelope, deadline: float, cancel: Cancel, progress: ProgressHandler
    ) -> Steps[Envelope]:
        session = self._session
        if session is None or session.error is not None or message.id is None:
            raise NoAnswer(ConnectionLost("there is no connection"), sent=False)
        waiting = session.waiting[message.id] = _Waiting()
        try:
            yield from self._write(session, message, deadline)
            return (yield from self._await(session, message.id, waiting, deadline, cancel, progress))
        except NoAnswer:
            raise
        except BaseException:  # the caller went away: tell the server, without waiting
            if session.error is None:
                session.stream.queue(session.framing.frame(_json.encode(_cancel_of(message.id).as_json())))
            raise
        finally:
            del session.waiting[message.id]

    def _write(self, session: _Session, message: Envelope, deadline: float) -> Steps[None]:
        try:
            yield from session.send(message, deadline)
        except Error as error:
            session.fail(error)  # part of a message may have left: nothing can follow it
            raise NoAnswer(error, sent=not isinstance(error, NothingSent)) from None

    def _await(
        self,
        session: _Session,
        id: str,
        waiting: _Waiting,
        deadline: float,
        cancel: Cancel,
        progress: ProgressHandler,
    ) -> Steps[Envelope]:
        patience = self._options.answer_timeout
        stopping: Optional[Error] = None  # why the server was asked to stop
        while True:
            while waiting.progress:
                yield from progress(waiting.progress.popleft())
            if waiting.answer is not None:
                return waiting.answer
            if session.error is not None:
                raise NoAnswer(session.error, sent=True)
            if cancel.requested and stopping is None:
                stopping = Cancelled(certain=False)
                deadline = yield from self._stop(session, id)
                continue
            if self._now() < deadline:  # looked at here, too: who talks without end lets no wait end
                yield from self._listen(session, waiting, deadline)
            elif stopping is not None:
                raise NoAnswer(stopping, sent=True)
            else:
                stopping = TimedOut(f"no answer within {patience:g} s")
                deadline = yield from self._stop(session, id)

    def _listen(self, session: _Session, waiting: _Waiting, deadline: float) -> Steps[None]:
        heard = session.heard
        try:
            yield Wait(waiting.signal, min(deadline, self._now() + PING_AFTER_S), session.stream)
        except TimedOut:
            silent = session.heard == heard and self._now() < deadline
            beat = session.framing.ping() if silent else b""
            if beat:
                session.heard += 1  # one ping is enough for all who wait
                session.stream.queue(beat)

    def _stop(self, session: _Session, id: str) -> Steps[float]:
        """Asks the server to stop the request; returns until when its last word is waited for."""
        deadline = self._now() + CANCEL_GRACE_S
        yield from self._write(session, _cancel_of(id), deadline)
        return deadline

    def close(self) -> Steps[None]:
        session, self._session = self._session, None
        if session is None:
            return
        deadline = self._now() + self._options.close_timeout
        if session.error is None:
            goodbye = session.framing.farewell()
            if goodbye:
                session.stream.queue(goodbye)
        yield Close(session.stream, deadline)


def _cancel_of(id: str) -> Envelope:
    return Envelope("cancel", None, {"request_id": id})


def _until(
    session: _Session, met: Callable[[], bool], deadline: float, now: Callable[[], float], what: str
) -> Steps[None]:
    late = False
    while not met():
        if session.error is not None:
            raise session.error
        if late:
            raise TimedOut(f"the server did not {what} in time")
        try:
            yield Wait(session.signal, deadline, session.stream)
            late = now() >= deadline
        except TimedOut:
            late = True


class StdioLink(SessionLink):
    """A child process (P-STDIO-1). When it has ended, the next request starts it anew."""

    def __init__(
        self, program: Program, options: Options, now: Callable[[], float], on_manifest: OnManifest
    ) -> None:
        super().__init__(options, now, on_manifest)
        self._program = program

    def _connect(self, deadline: float) -> Steps[Tuple[Stream, Framing]]:
        stream: Stream = yield Open(self._program, deadline)
        return stream, LineFraming(self._options.max_answer_bytes)


class WebSocketLink(SessionLink):
    """A WebSocket, at a given address or at the one that the manifest over HTTP announces."""

    def __init__(self, url: Url, options: Options, now: Callable[[], float], on_manifest: OnManifest) -> None:
        super().__init__(options, now, on_manifest)
        self._url = url
        self._target = url
        self._discovered: Optional[Envelope] = None
        self._addresses = _Addresses(options)
        discovers = url.scheme in ("http", "https")
        self._discovery = HttpLink(url, options, now, self._found) if discovers else None

    def _found(self, manifest: Envelope) -> None:
        self._discovered = manifest

    def _connect(self, deadline: float) -> Steps[Tuple[Stream, Framing]]:
        if self._discovery is not None:
            yield from self._discovery.open()
            yield from self._discovery.close()
            extensions = self._discovered.payload.get("extensions") if self._discovered else None
            announced = extensions.get(WEBSOCKET_EXTENSION) if isinstance(extensions, dict) else None
            self._target = websocket_url(self._discovery.manifest_url, announced)
        framing = WebSocketFraming(str(self._target), self._options.max_answer_bytes)
        stream: Stream = yield Open(self._addresses.of(self._target), deadline)
        return stream, framing

    def check_credentials(self) -> None:
        guard_credentials(self._target, self._url.origin, self._options)


class _Addresses:
    """Where to connect to; the certificates to trust are read once."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._tls: Optional[ssl.SSLContext] = None

    def of(self, url: Url) -> Address:
        if url.secure and self._tls is None:
            self._tls = self._options.tls()
        return Address(url.host, url.port, self._tls if url.secure else None)


# ---- HTTP ----------------------------------------------------------------------------------


class _Idle:
    def __init__(self, origin: Tuple[str, str, int], stream: Stream, since: float) -> None:
        self.origin, self.stream, self.since = origin, stream, since


class HttpLink:
    """One request and one response at a time on each of a few connections, which are kept (P-HTTP-*)."""

    session = False

    def __init__(self, url: Url, options: Options, now: Callable[[], float], on_manifest: OnManifest) -> None:
        if url.target not in ("/", MANIFEST_PATH):
            raise ValueError(f"{url} has a path; a server is known by its host, the rest is in its manifest")
        self._home = Url(url.scheme, url.host, url.port, MANIFEST_PATH)
        self.manifest_url = self._home
        self._options = options
        self._now = now
        self._on_manifest = on_manifest
        self._addresses = _Addresses(options)
        self._idle: List[_Idle] = []
        self._slots = Slots(MAX_CONNECTIONS)
        self._etag: Optional[str] = None
        self._fresh_until = 0.0
        self._endpoints: Dict[str, Url] = {}
        self.credentials: Dict[str, str] = {}  # headers; set by the role

    @property
    def usable(self) -> bool:
        return self._now() < self._fresh_until and bool(self._endpoints)

    def expire(self) -> None:
        """The next request reads the manifest again."""
        self._fresh_until = 0.0

    def check_credentials(self) -> None:
        for url in self._endpoints.values():
            guard_credentials(url, self.manifest_url.origin, self._options)

    def open(self) -> Steps[None]:
        """Reads the manifest, or learns that it is still the same (P-DISC-1, P-HTTP-22)."""
        url = self._home
        deadline = self._now() + self._options.manifest_timeout
        for _ in range(MAX_REDIRECTS + 1):
            headers = {"Accept": "application/json"}
            if self._etag is not None and url == self.manifest_url:
                headers["If-None-Match"] = self._etag
            try:
                response = yield from self._exchange("GET", url, headers, None, deadline, Cancel())
            except NoAnswer as failure:
                raise failure.cause from None
            if response.status not in (301, 302, 303, 307, 308):
                break
            url = self._redirected(url, response)
        else:
            raise ProtocolError(f"{self._home} redirects more than {MAX_REDIRECTS} times")
        self._take_manifest(url, response)

    def _redirected(self, url: Url, response: _http.ResponseReader) -> Url:
        try:
            target = url.join(response.headers.get("location", ""), ("http", "https"))
        except ValueError as error:
            raise ProtocolError(f"{url} redirects to nowhere: {error}") from None
        if target.origin != url.origin:
            raise UntrustedEndpoint(
                f"{url} redirects to {target}, another origin; connect there if you trust it"
            )
        return target

    def _take_manifest(self, url: Url, response: _http.ResponseReader) -> None:
        fresh_s = max(1.0, _http.max_age_s(response.headers, default=300.0))  # within a burst once is enough
        if response.status == 304 and self._etag is not None and self._endpoints:
            self._fresh_until = self._now() + fresh_s
            return
        if response.status == 404:
            raise ConnectFailed(
                f"{url.scheme}://{url.authority} does not speak MangleCP: it has no manifest"
            )  # P-DISC-4
        if response.status != 200:
            raise ConnectFailed(f"{url} answers with HTTP status {response.status}{_in_words(response)}")
        manifest = read_envelope(response.body)
        if manifest.type != "manifest":
            raise ProtocolError(f"{url} holds {manifest.type!r}, not a manifest")
        if self._options.trace:
            self._options.trace("in", manifest.as_json())
        self._endpoints = self._endpoints_of(url, manifest)
        self.manifest_url = url
        self._on_manifest(manifest)
        self._etag = response.headers.get("etag")
        self._fresh_until = self._now() + fresh_s

    def _endpoints_of(self, url: Url, manifest: Envelope) -> Dict[str, Url]:
        named = manifest.payload.get("endpoints")
        found = {}
        for kind, member in (("intent_request", "intent_eval"), ("invoke_request", "macro_invoke")):
            reference = named.get(member) if isinstance(named, dict) else None
            if not isinstance(reference, str):
                raise ProtocolError(f"the manifest names no endpoint {member}")  # P-MAN-13
            try:
                found[kind] = url.join(reference, ("http", "https"))
            except ValueError as error:
                raise ProtocolError(f"the endpoint {member} is wrong: {error}") from None
            if url.secure and not found[kind].secure:
                raise UntrustedEndpoint(
                    f"the manifest came by https and names {found[kind]}, which is not encrypted"
                )
        return found

    def request(
        self, message: Envelope, deadline: float, cancel: Cancel, progress: ProgressHandler
    ) -> Steps[Envelope]:
        url = self._endpoints[message.type]
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self.credentials}
        body = _json.encode(message.as_json())
        if self._options.trace:
            self._options.trace("out", _redacted(message))
        response = yield from self._exchange("POST", url, headers, body, deadline, cancel)
        try:
            answer = _answer_of(url, response, message)
        except Error as error:
            raise NoAnswer(error, sent=not _was_refused(response.status)) from None
        if self._options.trace:
            self._options.trace("in", answer.as_json())
        return answer

    def _exchange(
        self,
        method: str,
        url: Url,
        headers: Dict[str, str],
        body: Optional[bytes],
        deadline: float,
        cancel: Cancel,
    ) -> Steps[_http.ResponseReader]:
        """One request, sent once. Raises NoAnswer."""
        sent = False
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", **headers}
        data = _http.request(method, url.target, url.authority, headers, body)
        try:
            yield from self._slots.take(deadline)
            try:
                stream = yield from self._connection(url, deadline)
                try:
                    sent = True
                    try:
                        yield Send(stream, data, deadline)
                    except NothingSent:
                        sent = False
                        raise
                    response = yield from self._response(stream, deadline, cancel)
                except BaseException:
                    stream.abort()
                    raise
                self._keep(url, stream, response)
                return response
            finally:
                self._slots.give()
        except TimedOut:
            text = (
                f"no answer from {url.authority} in time"
                if sent
                else f"no connection to {url.authority} in time"
            )
            raise NoAnswer(TimedOut(text), sent) from None
        except Error as error:
            raise NoAnswer(error, sent) from None

    def _connection(self, url: Url, deadline: float) -> Steps[Stream]:
        """A kept connection that still stands, or a new one. What is stale is found before it is used, so
        that nothing is sent into a connection that the server has ended."""
        if self._idle:
            yield Sleep(self._now())  # no time, but a turn for what has come meanwhile, such as the end
        kept, self._idle = self._idle, []
        chosen: Optional[Stream] = None
        for idle in kept:
            if idle.stream.stale() or self._now() - idle.since > MAX_IDLE_S:
                idle.stream.abort()
            elif chosen is None and idle.origin == url.origin:
                chosen = idle.stream
            else:
                self._idle.append(idle)
        if chosen is not None:
            return chosen
        opened: Stream = yield Open(
            self._addresses.of(url), min(deadline, self._now() + self._options.connect_timeout)
        )
        return opened

    def _response(self, stream: Stream, deadline: float, cancel: Cancel) -> Steps[_http.ResponseReader]:
        reader = _http.ResponseReader(self._options.max_answer_bytes)
        while not reader.done:
            if cancel.requested:
                raise Cancelled(certain=False)  # dropping the connection is how HTTP cancels (P-CONC-9)
            data = yield Receive(stream, deadline)
            if data == b"":
                if not reader.end():
                    begun = "within its answer" if reader.begun else "without an answer"
                    raise ConnectionLost(f"the server ended the connection {begun}")
            elif data is not None:
                reader.feed(data)
        return reader

    def _keep(self, url: Url, stream: Stream, response: _http.ResponseReader) -> None:
        if response.reusable and len(self._idle) < MAX_CONNECTIONS:
            self._idle.append(_Idle(url.origin, stream, self._now()))
        else:
            stream.abort()

    def close(self) -> Steps[None]:
        kept, self._idle = self._idle, []
        self.expire()
        for idle in kept:
            yield Close(idle.stream, self._now() + self._options.close_timeout)


def _was_refused(status: int) -> bool:
    """Statuses that say that the request was not acted upon, whoever said so on the way. The others tell
    nothing: 408, 499 and 5xx may come after the server began."""
    return 300 <= status < 500 and status not in (408, 499)


def _answer_of(url: Url, response: _http.ResponseReader, message: Envelope) -> Envelope:
    coding = response.headers.get("content-encoding", "identity").lower()
    if coding != "identity":
        raise ProtocolError(f"{url} answers in the coding {coding!r}, which nobody asked for")
    kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
    redirected = 300 <= response.status < 400
    if redirected or kind not in ("application/json", "application/manglecp+json"):
        raise _plain_failure(url, response)
    answer = read_envelope(response.body)
    wait = _http.retry_after_s(response.headers.get("retry-after"))
    if answer.type == "error" and wait is not None and answer.payload.get("retry_after_ms") is None:
        answer.payload["retry_after_ms"] = int(wait * 1000)
    if answer.id != message.id and not (answer.type == "error" and answer.id is None):
        raise ProtocolError(f"{url} answers a request with another id")
    if (answer.type == "error") == (response.status == 200):
        raise ProtocolError(f"{url} answers {answer.type!r} with HTTP status {response.status}")  # P-HTTP-10
    return answer


def _in_words(response: _http.ResponseReader) -> str:
    """What a server says in a line of text, such as that it speaks TLS."""
    text = response.body.decode("utf-8", "replace").strip()
    plain = response.headers.get("content-type", "").startswith("text/plain")
    return f": {text}" if plain and len(text) <= 200 and text.isprintable() and text else ""


def _plain_failure(url: Url, response: _http.ResponseReader) -> Error:
    """What is no envelope comes from something between us and the server."""
    if 300 <= response.status < 400:
        return UntrustedEndpoint(f"{url} redirects; requests go where the manifest says and nowhere else")
    wait = _http.retry_after_s(response.headers.get("retry-after"))
    hint = f"; it asks to wait {wait:g} s" if wait is not None else ""
    return ProtocolError(f"{url} answers with HTTP status {response.status} and no message{hint}")
