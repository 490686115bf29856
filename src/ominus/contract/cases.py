"""Where the values of a case come from, and the cases: all small ones, then any at random.

A case is what `Law.sides` takes: the multiset as a list, then what the law names.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from ominus.algebra.laws import Law
from ominus.algebra.reducer import Reducer
from ominus.algebra.value import canon
from ominus.contract.constants import constants
from ominus.contract.makers import Draw, distinct, maker
from ominus.contract.verdict import Unknown

AnyReducer = Reducer[Any, Any, Any]
Case = tuple[Any, ...]
NO_VALUES = Unknown(
    "no values: give values=..., a type, a Hypothesis strategy or a list of samples"
)


@dataclass(frozen=True)
class Values:
    """The values of a reducer: the small ones in order, and any at random.

    `kind` is their type, where one was given or inferred; `strategy` a given strategy; of samples
    there is nothing beyond `small`. `sizes` are sizes of multisets that the code asks about.
    """

    small: tuple[Any, ...]
    draw: Draw
    kind: Any = None
    strategy: Any = None
    sizes: tuple[int, ...] = ()


Sampler = Callable[[Any], list[Any]]
"""What draws a few dozen values from a strategy, or for a type that is not known here."""


def values_of(reducer: AnyReducer, given: Any, sampler: Sampler | None = None) -> Values | Unknown:
    """The values to verify a reducer with: given, else the reducer's own, else as hints say."""
    if given is None:
        given = reducer.values if reducer.values is not None else hinted(reducer)
    if given is None or given is Any or given is object:
        return NO_VALUES
    seeds = constants(reducer)
    sizes = tuple(sorted({c for c in seeds if type(c) is int and 3 < c <= 60}))
    if is_strategy(given):
        return _of_samples(_drawn(sampler, given), sizes, strategy=given)
    if is_kind(given):
        made = maker(given, seeds)
        if made is not None:
            return Values(made.small, made.draw, kind=given, sizes=sizes)
        return _of_samples(_drawn(sampler, given), sizes, kind=given)
    return _of_samples([*given], sizes)


def _drawn(sampler: Sampler | None, given: Any) -> list[Any]:
    return [] if sampler is None else sampler(given)


def _of_samples(
    samples: list[Any], sizes: tuple[int, ...], *, kind: Any = None, strategy: Any = None
) -> Values | Unknown:
    if not samples:
        return NO_VALUES
    some = distinct(map(canon, samples))
    if kind is not None or strategy is not None:
        some = tuple(sorted(some, key=magnitude))
    return Values(some, lambda rng: rng.choice(some), kind, strategy, sizes)


def is_strategy(given: Any) -> bool:
    """Whether it is a strategy of Hypothesis, told without importing that."""
    return any(c.__name__ == "SearchStrategy" for c in type(given).__mro__)


def is_kind(given: Any) -> bool:
    """Whether it is a type, or a form of types: `int`, `int | None`, `{"x": int}`."""
    if isinstance(given, dict):
        return all(is_kind(v) for v in given.values()) and bool(given)
    return (
        isinstance(given, type | typing.NewType)
        or typing.get_origin(given) is not None
        or hasattr(given, "__value__")
    )


def hinted(reducer: AnyReducer) -> Any:
    """The type of the rows, as the hints of `of`, `where` or `add` and `remove` say; else None."""
    for part in (reducer.of, reducer.where):
        if part is not None:
            found = _hint(part, 0)
            if found is not None:
                return found
    if reducer.of is not None:
        return None
    return next((h for f in (reducer.add, reducer.remove) if (h := _hint(f, 1)) is not None), None)


def _hint(f: Any, position: int) -> Any:
    if not callable(f):
        return None
    try:
        names = list(inspect.signature(f).parameters)
        called = f if inspect.isroutine(f) else type(f).__call__
        hint = typing.get_type_hints(called).get(names[position])
    except (TypeError, ValueError, NameError, IndexError):
        return None
    return None if hint is Any or isinstance(hint, typing.TypeVar) else hint


def magnitude(value: Any) -> tuple[float, int, str]:
    """How simple a value is: small numbers and short texts first, tiny and endless floats last.

    >>> sorted([10, -1, 0, 777], key=magnitude), sorted([5e-324, 0.1, 2.0, 0.0], key=magnitude)
    ([0, -1, 10, 777], [0.0, 0.1, 2.0, 5e-324])
    """
    text = repr(value)
    if isinstance(value, int | float | Decimal | Fraction):
        return _size(value), len(text), "" if _size(value) > 1e300 or value >= 0 else text
    if isinstance(value, tuple | list):
        return (sum(magnitude(v)[0] for v in value), len(text), text)
    return (0.0, len(text), text)


def _size(value: Any) -> float:
    try:
        size = abs(float(value))
    except (OverflowError, ValueError):
        return 1e300
    if size != size or size > 1e300:
        return 1e301
    return 1e6 + size if 0 < size < 1e-3 else size


# All small cases.


# A case of these is many folds and steps.
_KINDS = {"distributive": (24, 12, 5), "same_respected": (16, 8, 4)}
_SHARE = {"distributive": 2, "same_respected": 4}


def examples_of(law: Law, examples: int) -> int:
    """How many random cases are asked of a law, of so many where a case is cheap."""
    return -(-examples // _SHARE.get(law.name, 1))


def small_cases(law: Law, values: Values) -> Iterator[Case]:
    """Every case of one, two and three values, of fewer and fewer kinds, the smallest first."""
    for size, kinds in zip((1, 2, 3), _KINDS.get(law.name, (48, 24, 9)), strict=True):
        some = _few(values, kinds)
        ranks = product(range(len(some)), repeat=size)
        for at in sorted(ranks, key=lambda at: (max(at), sum(at))):
            yield from _cut(law, [some[i] for i in at])


def _few(values: Values, count: int) -> tuple[Any, ...]:
    """The smallest values; of samples the largest as well, for a limit may lie between."""
    small = values.small
    if len(small) <= count or not _is_sampled(values):
        return small[:count]
    large = count // 3
    return (*small[: count - large], *small[-large:])


def _is_sampled(values: Values) -> bool:
    return values.strategy is not None or values.kind is None


def _cut(law: Law, flat: list[Any]) -> Iterator[Case]:
    """The cases of a law whose values are these, in this order."""
    size = len(flat)
    if law.name == "distributive":
        yield from ((flat[:i], flat[i:]) for i in range(size + 1))
    elif law.name == "same_respected":
        yield from ((flat[:i], flat[i:-1], flat[-1]) for i in range(size))
    elif law.name in ("remove_commutes", "remove_add_commute"):
        yield from _present(law, flat)
    elif size >= law.arity:
        yield flat[: size - law.arity], *flat[size - law.arity :]


def _present(law: Law, flat: list[Any]) -> Iterator[Case]:
    """Cases where what is removed is in the multiset."""
    if law.name == "remove_add_commute":
        if len(flat) >= 2:
            yield flat[:-1], flat[0], flat[-1]
    elif len(flat) >= 2:
        yield flat, flat[0], flat[1]


# Any case.


def random_case(law: Law, values: Values, rng: Random) -> Case:
    """A case with many duplicates, mostly small, now and then long."""
    pool = [values.draw(rng) for _ in range(rng.choice((1, 2, 3, 6)))]
    m = [rng.choice(pool) for _ in range(_length(values, rng))]
    if law.name == "distributive":
        return m, [rng.choice(pool) for _ in range(rng.randrange(6))]
    if law.name == "same_respected":
        m = m[:8]
        n = [rng.choice(pool) for _ in range(rng.randrange(4))]
        return m, n if rng.random() < 0.7 else rng.sample(m, len(m)), rng.choice(pool)
    if law.name == "remove_commutes":
        m = m if len(m) > 1 else [*m, pool[0], pool[-1]]
        return m, *rng.sample(m, 2)
    if law.name == "remove_add_commute":
        m = m or [pool[0]]
        return m, rng.choice(m), rng.choice(pool)
    return m, *(rng.choice(pool) for _ in range(law.arity))


def _length(values: Values, rng: Random) -> int:
    if values.sizes and rng.random() < 0.2:
        return max(0, rng.choice(values.sizes) + rng.randint(-1, 1))
    return rng.choice((0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, rng.randint(11, 30)))
