"""A hash of values that is the same in every process and version: equal where values are one.

It hashes a canonical encoding of `ident(value)`, which is equal for two values exactly if they are
one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable
from datetime import date, datetime, time, timedelta
from hashlib import blake2b
from typing import Any
from uuid import UUID

from ominus.algebra.value import ident
from ominus.errors import NotAValue
from ominus.reducers.buckets import Shared
from ominus.reducers.collected import Ident


def digest(value: Any) -> int:
    """A hash of 64 bits.

    Fails  NotAValue, if the value holds an object that only Python's own hash tells from others.

    >>> hex(digest("a")), digest(1) == digest(1.0), digest({1, 2}) == digest({2, 1})
    ('0x9028af87c858f125', False, True)
    """
    return int.from_bytes(blake2b(encode(ident(value)), digest_size=8).digest())


def encode(part: Hashable) -> bytes:
    """The encoding of an ident, or of a part of one: no two have the same."""
    how = _ENCODE.get(type(part))
    if how is not None:
        return how(part)
    if isinstance(part, tuple):
        return _tuple(part)
    if isinstance(part, type):
        return _framed(b"T", f"{part.__module__}.{part.__qualname__}".encode())
    raise NotAValue(
        f"a stable hash of {part!r}",
        f"only Python's own hash, of this process, tells a {type(part).__qualname__} from others",
        "Give a field of it, or give its class a method __ident__.",
    )


def _framed(tag: bytes, body: bytes) -> bytes:
    """A tag, the length of the body, the body: what follows can then be of any kind."""
    return tag + len(body).to_bytes(4) + body


def _int(v: int) -> bytes:
    return _framed(b"i", v.to_bytes(v.bit_length() // 8 + 1, signed=True))


def _str(v: str) -> bytes:
    return _framed(b"s", v.encode("utf-8", "surrogatepass"))


def _text(tag: bytes) -> Callable[[Any], bytes]:
    return lambda v: _framed(tag, v.isoformat().encode())


def _tuple(v: Any) -> bytes:
    return _framed(b"(", b"".join(map(encode, v)))


def _frozenset(v: Any) -> bytes:
    return _framed(b"{", b"".join(sorted(map(encode, v))))


_ENCODE: dict[type, Callable[[Any], bytes]] = {
    int: _int,
    str: _str,
    bytes: lambda v: _framed(b"b", v),
    type(None): lambda v: b"n",
    bool: lambda v: b"t" if v else b"f",
    float: lambda v: b"d" + struct.pack(">d", v or 0.0),
    date: _text(b"D"),
    datetime: _text(b"M"),
    time: _text(b"c"),
    timedelta: lambda v: b"e" + _tuple((v.days, v.seconds, v.microseconds)),
    UUID: lambda v: b"u" + v.bytes,
    tuple: _tuple,
    frozenset: _frozenset,
    Ident: lambda v: encode(v.plain()),
    Shared: lambda v: encode(v.plain()),
}
