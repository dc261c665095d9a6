"""The asyncio client: as `manglecp.client`, with `await`.

    async with await manglecp.aio.connect("https://tools.example") as client:
        evaluation = await client.evaluate("stabilise_zone", {"zone": "zone-b"})

Calls may run at the same time; on stdio and WebSocket they share the connection, over HTTP a few connections.
A client belongs to the event loop that made it. When a task is cancelled, the server is told."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Dict, Iterable, Optional, Sequence, Type, TypeVar

from ._asyncio import AsyncDriver
from ._effects import Cancel, Steps
from ._invocation import OnProgress
from ._role import Asks, MakeLink, Role
from ._time import Instant
from .client import Unfinished, link_to, link_to_program, unfinished
from .facts import Applied, FactObject, WorkingFacts
from .options import Options
from .types import Evaluation, Identity, Manifest, Result, Suggestion, Tool

T = TypeVar("T")


async def connect(address: str, options: Optional[Options] = None, *, transport: str = "auto") -> AsyncClient:
    """As `manglecp.connect`."""
    settings = options or Options()
    return await AsyncClient(link_to(address, transport, settings, time.monotonic), settings)._opened()


async def spawn(
    command: Sequence[str],
    options: Optional[Options] = None,
    *,
    env: Optional[Dict[str, str]] = None,
    cwd: Optional[str] = None,
    stderr: Any = None,
) -> AsyncClient:
    """As `manglecp.spawn`."""
    settings = options or Options()
    return await AsyncClient(
        link_to_program(command, env, cwd, stderr, settings, time.monotonic), settings
    )._opened()


class AsyncClient:
    """As `manglecp.Client`; each method is described there."""

    def __init__(self, link: MakeLink, options: Options) -> None:
        self._role = Role(link, options, time.monotonic)
        self._driver = AsyncDriver()
        self._closed = False

    async def _run(self, steps: Steps[T], cancel: Optional[Cancel] = None) -> T:
        if self._closed:
            raise RuntimeError("this client is closed")
        return await self._driver.run(steps, cancel)

    async def _opened(self) -> AsyncClient:
        try:
            await self._run(self._role.connect())
        except BaseException:
            await self.close()
            raise
        return self

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._driver.run(self._role.close())
        await self._driver.finish()

    @property
    def facts(self) -> WorkingFacts:
        return self._role.facts

    @property
    def manifest(self) -> Manifest:
        assert self._role.manifest is not None
        return self._role.manifest

    @property
    def identity(self) -> Optional[Identity]:
        return self._role.identity

    async def refresh(self) -> Manifest:
        return await self._run(self._role.refresh())

    async def evaluate(
        self,
        intent: str,
        params: Optional[Dict[str, Any]] = None,
        *,
        facts: Iterable[FactObject] = (),
        eval_time: Optional[Instant] = None,
        constraints: Optional[Dict[str, Any]] = None,
        options: Optional[Dict[str, Any]] = None,
        unlisted: bool = False,
        proofs: bool = False,
        why_not: Sequence[str] = (),
        extensions: Optional[Dict[str, Any]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Evaluation:
        steps = self._role.evaluate(
            intent,
            params,
            facts,
            eval_time,
            constraints,
            options,
            unlisted,
            Asks(proofs, why_not),
            extensions,
            cancel,
        )
        return await self._run(steps, cancel)

    async def follow(
        self,
        suggestion: Suggestion,
        *,
        facts: Iterable[FactObject] = (),
        proofs: bool = False,
        why_not: Sequence[str] = (),
        extensions: Optional[Dict[str, Any]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Evaluation:
        steps = self._role.follow(suggestion, facts, Asks(proofs, why_not), extensions, cancel)
        return await self._run(steps, cancel)

    async def disclose(self, tool: Tool, *, cancel: Optional[Cancel] = None) -> Tool:
        return await self._run(self._role.disclose(tool, cancel), cancel)

    async def invoke(
        self,
        tool: Tool,
        args: Optional[Dict[str, Any]] = None,
        *,
        key: Optional[str] = None,
        eval_time: Optional[Instant] = None,
        approved: Optional[str] = None,
        resume: bool = False,
        dry_run: bool = False,
        on_progress: Optional[OnProgress] = None,
        extensions: Optional[Dict[str, Any]] = None,
        cancel: Optional[Cancel] = None,
    ) -> Result:
        steps = self._role.invoke(
            tool, args, key, eval_time, approved, resume, dry_run, on_progress, extensions, cancel
        )
        return await self._run(steps, cancel)

    async def resume(
        self, call: Unfinished, *, on_progress: Optional[OnProgress] = None, cancel: Optional[Cancel] = None
    ) -> Result:
        return await self._run(self._role.resume(unfinished(call), on_progress, cancel), cancel)

    def apply(self, result: Result) -> Applied:
        return self._role.apply(result)
