"""What a caller may set."""

from __future__ import annotations

import base64
import binascii
import ssl
import time
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Dict, Optional, Sequence, Union

from .types import Question

Trace = Callable[[str, Dict[str, Any]], None]


@dataclass(frozen=True)
class Options:
    """Settings of a client; all of them optional.

    token            bearer token, or a function that returns one and is called again when the server calls
                     the old one invalid
    api_key          sent where the server takes API keys, instead of a token
    consent          asked before a tool that needs the user's agreement: Question -> bool. Without it such
                     tools are refused here
    confirm_key      the host program's key that signs what the user agreed to (bytes, or base64url text)
    approve          for servers where a person approves out of band: called with the challenge and the details,
                     returns True once that is done
    connect_timeout  seconds until a connection stands; also for a child process to start
    manifest_timeout seconds until the manifest is there
    ready_timeout    seconds to wait for a server that boots
    answer_timeout   seconds until a request is answered
    retry_timeout    seconds that the repetitions of one request may take together
    close_timeout    seconds that a child gets to end well
    max_answer_bytes larger messages of the server are refused
    ssl_context      for https and wss; a certificate in it can be who the client is. Or
    ca_file          certificates to trust instead of the system's
    trusted_origins  other origins (https://host:port) that credentials may go to if the manifest names them
    insecure         allow credentials to leave this machine unencrypted
    clock            the wall clock in nanoseconds since 1970 UTC: what `now` means to the rules
    trace            called with "out" or "in" and each message; credentials are left out

    In the asyncio client `token`, `consent` and `approve` may be coroutine functions."""

    token: Union[None, str, Callable[[], Union[str, Awaitable[str]]]] = field(default=None, repr=False)
    api_key: Optional[str] = field(default=None, repr=False)
    consent: Optional[Callable[[Question], Union[bool, Awaitable[bool]]]] = None
    confirm_key: Union[None, bytes, str] = field(default=None, repr=False)
    approve: Optional[Callable[[str, Dict[str, Any]], Union[bool, Awaitable[bool]]]] = None
    connect_timeout: float = 10.0
    manifest_timeout: float = 10.0
    ready_timeout: float = 60.0
    answer_timeout: float = 60.0
    retry_timeout: float = 60.0
    close_timeout: float = 5.0
    max_answer_bytes: int = 16_777_216
    ssl_context: Optional[ssl.SSLContext] = None
    ca_file: Optional[str] = None
    trusted_origins: Sequence[str] = ()
    insecure: bool = False
    clock: Callable[[], int] = time.time_ns
    trace: Optional[Trace] = None

    def tls(self) -> ssl.SSLContext:
        if self.ssl_context is not None:
            return self.ssl_context
        context = ssl.create_default_context(cafile=self.ca_file)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def key_bytes(self) -> Optional[bytes]:
        """The confirmation key. Raises ValueError."""
        if self.confirm_key is None or isinstance(self.confirm_key, bytes):
            return self.confirm_key
        text = self.confirm_key.rstrip("=")
        try:
            return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("confirm_key is neither bytes nor base64url text") from None
