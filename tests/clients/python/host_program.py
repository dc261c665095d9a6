"""Actions for the tests of hosts: everything that an annotation can say, and everything that can go wrong."""

import asyncio
import contextvars
import dataclasses
import enum
import os
import subprocess
import sys
import threading
import time
from typing import Any, Dict, List, Literal, Optional, Union

if sys.version_info >= (3, 11):
    from typing import Annotated, NotRequired, TypedDict
else:
    from typing import Annotated, TypedDict

from manglecp import fact
from manglecp.actions import *


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


class Order(TypedDict, total=False):
    id: int
    lines: List[Point]


@action(side_effects="none", deterministic=True, idempotent=True, tags=["test"])
def everything(
    text: str,
    count: Annotated[int, "how many", {"minimum": 0, "maximum": 9}],
    ratio: float = 0.5,
    flag: bool = False,
    names: Optional[List[str]] = None,
    table: Optional[Dict[str, int]] = None,
    mode: Literal["fast", "slow", 3] = "fast",
    colour: Colour = Colour.RED,
    point: Optional[Point] = None,
    order: Optional[Order] = None,
    either: Union[int, str, None] = None,
    whatever: Any = None,
) -> dict:
    """Say what came,
    in two lines.

    A second paragraph, which is not told.

    Args:
        text: some text,
            which goes on
        ratio (float): a share
    """
    assert isinstance(colour, Colour) and isinstance(ratio, float)
    assert point is None or isinstance(point, Point)
    return {
        "text": text,
        "count": count,
        "ratio": ratio,
        "flag": flag,
        "names": names,
        "table": table,
        "mode": mode,
        "colour": colour,
        "point": point,
        "order": order,
        "either": either,
        "whatever": whatever,
    }


@action(side_effects="none")
def point(x: float) -> Point:
    return Point(x)


@action(side_effects="none")
def nothing() -> None:
    pass


@action(side_effects="none")
def returns(what: str):
    return {
        "none": None,
        "list": [1, (2, 3)],
        "object": {"a": 1},
        "nan": float("nan"),
        "set": {1},
        "half": "\ud800",
        "point": Point(1, 2),
        "int": 5,
    }[what]


@action(side_effects="none", aid="AID.HOST.WAITS.v3", name="waiter")
async def waits(seconds: float) -> str:
    progress(50, "half")
    await asyncio.sleep(seconds)
    return "slept"


@action(side_effects=["none"])
def sleeps(seconds: float, swallow: bool = False) -> str:
    try:
        time.sleep(seconds)
    except Exception:
        pass
    return "slept"


@action(side_effects="none", interrupt=False)
def polls(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not cancelled():
        time.sleep(0.01)
    return "cancelled" if cancelled() else "slept"


@action(side_effects="none")
def counts(to: int) -> int:
    for i in range(to):
        progress(100 * i / to, f"step {i} " + "é" * 300)
    progress(None, "done")
    return to


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Odd(ActionError):
    def __init__(self):
        pass


@dataclasses.dataclass
class Span:
    least: int
    most: int

    def __post_init__(self):
        if self.least > self.most:
            raise ValueError("it ends before it begins")


@action(side_effects="none")
def checks(
    span: Optional[Span] = None,
    count: Annotated[Optional[int], {"minimum": 1}] = None,
    any: Annotated[Any, {"minimum": 1, "maxLength": 1, "maxItems": 1, "pattern": "^a"}] = None,
) -> str:
    return f"{span} {count} {any}"


@action(side_effects="none")
async def cancels_itself() -> None:
    asyncio.current_task().cancel()
    await asyncio.sleep(60)


@action(side_effects="none", interrupt=False)
async def polls_async(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not cancelled():
        await asyncio.sleep(0.01)
    return "cancelled" if cancelled() else "slept"


@action(side_effects="none")
def raises(what: str) -> None:
    """Raise something."""
    if what == "action":
        raise ActionError("no such order")
    if what == "pick":
        raise ActionError("wrong one", status="INVALID_PICK")
    if what == "exit":
        sys.exit(3)
    if what == "long":
        raise ValueError("é" * 5000)
    if what == "empty":
        raise ActionError("")
    if what == "cause":
        try:
            raise KeyError(bytes.fromhex("733363723374").decode())
        except KeyError as wrong:
            raise ValueError("it is " + wrong.args[0]) from wrong
    if what == "deep":
        raises_deep(500)
    if what == "base":
        raise BaseException("of no kind")
    if what == "mute":
        raise Mute()
    if what == "odd":
        raise Odd()
    if what == "cancelled":
        raise asyncio.CancelledError()
    if what == "closed":
        sys.stdout.close()
        sys.stderr.close()
        raise ValueError("without a word")
    raise KeyError(what)


def raises_deep(turns: int) -> None:
    if turns == 0:
        raise KeyError("deep")
    raises_deep(turns - 1)


@action(side_effects="process_spawn")
def prints() -> str:
    print('{"ok":true,"status":"OK","output_json":"{}"}')
    os.write(1, b"raw\n")
    subprocess.run(["echo", "from a child"], check=True)
    return repr(sys.stdin.read())


@action(side_effects="none")
def blob(count: int, char: str = "x") -> str:
    return char * count


@action(side_effects="none")
def keeps(
    state: State,
    slot: int = 0,
    value: Any = None,
    drop: bool = False,
    fail: bool = False,
) -> dict:
    before = {str(k): state[k].content for k in state}
    if drop:
        del state[slot]
    elif value is not None:
        state[slot] = Artifact("test", value, "host")
    if fail:
        raise ActionError("after writing")
    return before


@action(side_effects="none")
def learns(n: int) -> None:
    change_facts([fact("seen", n)], [fact("seen", None)])
    change_facts([{**fact("more", n), "category": "derived"}])


@action(side_effects="none")
def leaves_a_thread() -> str:
    late = progress

    def later():
        for _ in range(400):
            time.sleep(0.002)
            late(1, "late")

    threading.Thread(target=later, daemon=True).start()
    return "left"


@action(side_effects="none")
async def threads_tell() -> None:
    thread = threading.Thread(target=progress, args=(1, "a thread"))
    thread.start()
    thread.join()
    context = contextvars.copy_context()
    run = asyncio.get_running_loop().run_in_executor
    await run(None, context.run, progress, 2, "of the pool")


@action(
    side_effects="none",
    timeout_s=1.5,
    min_tier=1,
    reversible=True,
    description="Told.",
    version=2,
)
def told() -> dict:
    return {"request_id": request_id(), "remaining": remaining_ms() is not None}


if __name__ == "__main__":
    serve()
