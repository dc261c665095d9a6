"""Instants: RFC 3339 text, datetimes and nanoseconds since 1970 UTC, the unit that the rules use."""

from __future__ import annotations

import datetime
import re
from typing import Union

from ._json import INT64_MAX, INT64_MIN

Instant = Union[str, datetime.datetime]

NS_PER_S = 1_000_000_000
_TEXT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))",
    re.ASCII,
)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_SECOND = datetime.timedelta(seconds=1)


def parse(text: str) -> int:
    """Nanoseconds of an RFC 3339 time. Raises ValueError that says what is wrong: no offset, a day that
    no month has, an instant that 64 bits of nanoseconds do not reach (years 1678 to 2261 are safe)."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no RFC 3339 time such as 2026-07-04T06:00:00Z; an offset is needed")
    year, month, day, hour, minute, second = (int(part) for part in found.group(1, 2, 3, 4, 5, 6))
    offset_hours, offset_minutes = int(found.group(10) or 0), int(found.group(11) or 0)
    if offset_hours > 23 or offset_minutes > 59:
        raise ValueError(f"{text!r} has an offset that no clock has")
    leap = second == 60
    try:
        local = datetime.datetime(
            year, month, day, hour, minute, 59 if leap else second, tzinfo=datetime.timezone.utc
        )
    except ValueError as error:
        raise ValueError(f"{text!r} is no time: {error}") from None
    offset = (offset_hours * 3600 + offset_minutes * 60) * (-1 if found.group(9) == "-" else 1)
    seconds = (local - _EPOCH) // _SECOND - offset + leap
    if leap and seconds % 86400 != 0:  # a leap second ends a day in UTC, and nowhere else
        raise ValueError(f"{text!r} has a second 60 that is not the last of a UTC day")
    nanos = seconds * NS_PER_S + int(((found.group(7) or "") + "0" * 9)[:9])
    if not INT64_MIN <= nanos <= INT64_MAX:
        raise ValueError(f"{text!r} is outside the years 1678 to 2261")
    return nanos


def text_of(nanos: int) -> str:
    """RFC 3339 in UTC, with as many digits as it needs."""
    seconds, fraction = divmod(nanos, NS_PER_S)
    moment = _EPOCH + datetime.timedelta(seconds=seconds)
    digits = f".{fraction:09d}".rstrip("0") if fraction else ""
    return f"{moment.year:04d}{moment:-%m-%dT%H:%M:%S}{digits}Z"


def wire_time(moment: Instant) -> str:
    """The wire form of an instant: text as it is, a datetime as RFC 3339. Raises ValueError for a
    datetime without a time zone."""
    if isinstance(moment, str):
        return moment
    if moment.tzinfo is None:
        raise ValueError("this datetime has no time zone, so it is no instant")
    since = moment - _EPOCH
    return text_of((since.days * 86400 + since.seconds) * NS_PER_S + since.microseconds * 1000)
