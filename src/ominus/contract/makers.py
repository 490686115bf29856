"""How values of a type are made: a few small ones first, and any one at random.

A maker never leaves its type; constants of the user's code are seeded where they fit.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from random import Random
from types import NoneType, UnionType
from typing import Any, NamedTuple

from ominus.algebra.value import canon, ident

Draw = Callable[[Random], Any]
MOST = 24


class Maker(NamedTuple):
    """The small values of a type, the simplest first, and a draw of any."""

    small: tuple[Any, ...]
    draw: Draw


def maker(kind: Any, constants: Sequence[Any] = ()) -> Maker | None:
    """How values of a type are made; None for a type that is not known here.

    >>> maker(bool).small, maker(tuple[int, str]).small[:3]
    ((False, True), ((0, ''), (0, 'a'), (1, '')))
    """
    found = _maker(kind, constants)
    if found is None:
        return None
    small, draw = found
    return Maker(distinct(map(canon, small)), lambda rng: canon(draw(rng)))


def distinct(values: Iterable[Any], most: int = 10 * MOST) -> tuple[Any, ...]:
    """The values, each once, the first of them."""
    return tuple({ident(v): v for v in values}.values())[:most]


def _maker(kind: Any, constants: Sequence[Any]) -> Maker | None:
    if kind is None or kind is NoneType:
        return _sampled([None])
    if isinstance(kind, type) and (scalar := _SCALARS.get(kind)):
        return scalar(list(_of_kind(kind, constants)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _sampled(list(kind)) if len(kind) else None
    if isinstance(kind, Mapping):
        return _record(dict(kind), constants, dict)
    return _maker_of_form(kind, constants)


def _of_kind(kind: type, constants: Sequence[Any]) -> Iterator[Any]:
    """The constants that are of a type, and numbers of another that it holds exactly."""
    for constant in constants:
        if type(constant) is kind:
            yield constant
        elif kind in _NUMBERS and type(constant) in _NUMBERS:
            try:
                made = kind(constant)
            except (ArithmeticError, TypeError, ValueError):
                continue
            if made == constant:
                yield made


_NUMBERS = (int, float, Decimal, Fraction)


def _maker_of_form(kind: Any, constants: Sequence[Any]) -> Maker | None:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, UnionType):
        return _either([_maker(arg, constants) for arg in args])
    if origin is typing.Literal:
        return _sampled(args)
    if origin is typing.Annotated:
        return _maker(args[0], constants)
    if (under := getattr(kind, "__supertype__", getattr(kind, "__value__", None))) is not None:
        return _maker(under, constants)
    if origin is tuple and not (len(args) == 2 and args[1] is Ellipsis):
        return _together([_maker(arg, constants) for arg in args], tuple)
    if origin in (list, tuple, set, frozenset):
        return _many(_maker(args[0], constants), origin)
    if origin is dict:
        pair = _together([_maker(arg, constants) for arg in args], tuple)
        return _many(pair, dict)
    return _maker_of_class(kind, constants)


def _maker_of_class(kind: Any, constants: Sequence[Any]) -> Maker | None:
    if not isinstance(kind, type):
        return None
    try:
        hints = typing.get_type_hints(kind)
    except (NameError, TypeError):
        return None
    if typing.is_typeddict(kind):
        return _record(hints, constants, dict)
    if dataclasses.is_dataclass(kind):
        fields = {f.name: hints[f.name] for f in dataclasses.fields(kind) if f.init}
        return _record(fields, constants, lambda parts: kind(**parts))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        fields = {name: hints.get(name) for name in kind._fields}
        if None in fields.values():
            return None
        return _record(fields, constants, lambda parts: kind(**parts))
    return None


# Scalars: the constants stand early, for they are what the code asks about.


def _sampled(values: Iterable[Any]) -> Maker:
    some = tuple(values)
    return Maker(some, lambda rng: rng.choice(some))


def _seeded(first: list[Any], constants: list[Any], rest: list[Any], draw: Draw) -> Maker:
    small = (*first, *constants, *rest)
    return Maker(small, lambda rng: rng.choice(small) if rng.random() < 0.4 else draw(rng))


def _ints(constants: list[Any]) -> Maker:
    near = [c + d for c in constants for d in (-1, 1)]

    def draw(rng: Random) -> int:
        most = rng.choice((3, 10, 100, 10**4, 2**40, 2**70))
        return rng.randint(-most, most)

    return _seeded([0, 1, -1, 2], constants, [-2, 3, 5, 10, -10, *near], draw)


def _floats(constants: list[Any]) -> Maker:
    def draw(rng: Random) -> float:
        way = rng.randrange(5)
        if way == 0:
            return round(rng.uniform(-10, 10), 1)
        if way == 1:
            return float(rng.randint(-100, 100))
        if way == 2:
            return rng.uniform(-1e6, 1e6)
        return rng.choice((-1.0, 1.0)) * 10.0 ** rng.uniform(-30, 30) if way == 3 else rng.random()

    near = [c + d for c in constants for d in (-1.0, 1.0)]
    ends = [1e16, 1e100, -1e100, 5e-324, float("inf"), float("-inf"), float("nan")]
    return _seeded([0.0, 1.0, -1.0, 0.1, 0.2], constants, [0.5, 0.3, 2.5, *near, *ends], draw)


def _strings(constants: list[Any]) -> Maker:
    def draw(rng: Random) -> str:
        letters = rng.choice(("ab", "abc", "abcxyz AZ09_-", "aàß\u0130\U0001f600\n"))
        return "".join(rng.choice(letters) for _ in range(rng.randrange(6)))

    return _seeded(["", "a", "b"], constants, ["aa", "ab", "B", "0", " "], draw)


def _bytes(constants: list[Any]) -> Maker:
    return _seeded(
        [b"", b"a", b"b"], constants, [b"ab", b"\x00"], lambda rng: rng.randbytes(rng.randrange(5))
    )


def _decimals(constants: list[Any]) -> Maker:
    first = [Decimal(0), Decimal(1), Decimal(-1), Decimal("0.1")]
    rest = [Decimal("0.125"), Decimal("2.5"), Decimal("1E+30"), Decimal("1E-30")]
    return _seeded(
        first,
        constants,
        rest,
        lambda rng: Decimal(rng.randint(-(10**6), 10**6)).scaleb(-rng.randrange(5)),
    )


def _fractions(constants: list[Any]) -> Maker:
    first = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2)]
    rest = [Fraction(2), Fraction(1, 3), Fraction(-5, 2)]
    return _seeded(
        first, constants, rest, lambda rng: Fraction(rng.randint(-99, 99), rng.randint(1, 30))
    )


def _days(constants: list[Any]) -> Maker:
    first = [date(2000, 1, 1), date(2000, 1, 2), date(2001, 2, 3)]
    return _seeded(
        first,
        constants,
        [date.min, date.max, date(2024, 2, 29)],
        lambda rng: date.fromordinal(rng.randint(1, date.max.toordinal())),
    )


def _moments(constants: list[Any]) -> Maker:
    first = [datetime(2000, 1, 1), datetime(2000, 1, 1, 1), datetime(2000, 1, 2)]
    return _seeded(
        first, constants, [], lambda rng: first[0] + timedelta(seconds=rng.randint(-(10**9), 10**9))
    )


def _times(constants: list[Any]) -> Maker:
    return _seeded(
        [time(0), time(12), time(23, 59, 59)],
        constants,
        [],
        lambda rng: time(rng.randrange(24), rng.randrange(60)),
    )


def _spans(constants: list[Any]) -> Maker:
    first = [timedelta(0), timedelta(seconds=1), timedelta(days=-1)]
    return _seeded(
        first, constants, [], lambda rng: timedelta(seconds=rng.randint(-(10**7), 10**7))
    )


_SCALARS: dict[type, Callable[[list[Any]], Maker]] = {
    bool: lambda _: _sampled([False, True]),
    int: _ints,
    float: _floats,
    str: _strings,
    bytes: _bytes,
    Decimal: _decimals,
    Fraction: _fractions,
    date: _days,
    datetime: _moments,
    time: _times,
    timedelta: _spans,
}


# Values with parts.


def _either(makers: list[Maker | None]) -> Maker | None:
    known = [m for m in makers if m is not None]
    if len(known) < len(makers):
        return None
    # The first of each, then the second of each: no alternative waits for the end of another.
    longest = max(len(m.small) for m in known)
    small = [m.small[i] for i in range(longest) for m in known if i < len(m.small)]
    return Maker(tuple(small), lambda rng: rng.choice(known).draw(rng))


def _together(makers: list[Maker | None], make: Callable[[tuple[Any, ...]], Any]) -> Maker | None:
    known = [m for m in makers if m is not None]
    if len(known) < len(makers):
        return None
    small = [make(parts) for parts in _simplest([m.small for m in known])]
    return Maker(tuple(small), lambda rng: make(tuple([m.draw(rng) for m in known])))


def _simplest(parts: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Combinations of parts, those whose parts come early first."""
    most = max(2, round(4096 ** (1 / max(1, len(parts)))))
    sizes = [min(most, len(p)) for p in parts]
    nearest: list[tuple[int, ...]] = []
    # One sum after the other: a row of forty fields has 2 ** 40 combinations of two values each.
    for total in range(sum(sizes) - len(sizes) + 1):
        nearest += sorted(_ranks(sizes, total), key=lambda at: max(at, default=0))
        if len(nearest) >= 2 * MOST:
            break
    return [tuple([p[i] for p, i in zip(parts, at, strict=True)]) for at in nearest[: 2 * MOST]]


def _ranks(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Places below these sizes that add up to a total."""
    if not sizes:
        yield from [()] if total == 0 else []
        return
    for first in range(min(sizes[0], total + 1)):
        yield from ((first, *rest) for rest in _ranks(sizes[1:], total - first))


def _record(
    fields: dict[str, Any], constants: Sequence[Any], make: Callable[[dict[str, Any]], Any]
) -> Maker | None:
    names = list(fields)
    return _together(
        [_maker(hint, constants) for hint in fields.values()],
        lambda parts: make(dict(zip(names, parts, strict=True))),
    )


def _many(inner: Maker | None, make: Callable[[list[Any]], Any]) -> Maker | None:
    if inner is None:
        return None
    some = inner.small[:3]
    small = [make([]), *(make([v]) for v in some), make(list(some[:2])), make(list(some))]
    return Maker(tuple(small), lambda rng: make([inner.draw(rng) for _ in range(rng.randrange(5))]))
