"""Hypothesis strategies for values, multisets, deltas, histories of reducers and changes of rows.

They look where mistakes are: duplicates, values that are nearly one, big numbers, NaN, None, and
the constants that a reducer's own code names.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ominus.algebra.change import Delete, Insert, Update, Upsert
from ominus.algebra.delta import Collection, Delta
from ominus.algebra.multiset import Multiset
from ominus.algebra.record import record
from ominus.algebra.reducer import Reducer
from ominus.algebra.select import selector
from ominus.algebra.value import ident, one

NEARLY_ONE = (
    0, 0.0, -0.0, False, Decimal("0"), Decimal("0.0"), Fraction(0), "", b"", (), None,
    1, 1.0, True, Decimal("1.0"), Decimal("1.00"), Fraction(1), "1", (1,), (1.0,), (True,),
    math.nan, Decimal("NaN"), math.inf, -math.inf, 2**53, 2**53 + 1, float(2**53), 2**64, -(2**70),
    1e16, 1e100, -1e100, 5e-324,
    dt.date(2026, 1, 1), dt.datetime(2026, 1, 1), dt.datetime(2026, 1, 1, fold=1),
    dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    dt.datetime(2026, 1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))),
)  # fmt: skip
"""Values that are easily taken for one another, and those at the ends of their types."""


ZONES = (None, dt.UTC, dt.timezone(dt.timedelta(hours=1)), ZoneInfo("Europe/London"))
"""Zones for times: none, some that never move, and one that does."""


class Unordered:
    """A hashable value that is outside the total order."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unordered) and self.name == other.name

    def __hash__(self) -> int:
        return hash((Unordered, self.name))

    def __repr__(self) -> str:
        return f"Unordered({self.name!r})"


def scalars() -> SearchStrategy[Any]:
    """Values without parts, of every kind that the total order knows."""
    return st.one_of(
        st.sampled_from(NEARLY_ONE),
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(-3, 3),
        st.floats(),
        st.text(max_size=3),
        st.binary(max_size=3),
        st.decimals(),
        st.fractions(max_denominator=9),
        st.dates(),
        st.datetimes(timezones=st.sampled_from(ZONES)),
        st.times(),
        st.timedeltas(),
    )


def values(*, hashable: bool = False, ordered: bool = False) -> SearchStrategy[Any]:
    """Values of every kind; only `hashable` ones (keys), or only `ordered` ones, where asked."""
    leaves = scalars()
    if not ordered:
        leaves |= st.builds(Unordered, st.sampled_from("ab"))
        leaves |= st.builds(UUID, int=st.integers(0, 3))
    if hashable:
        # A signaling NaN is the one Decimal without a hash.
        leaves = leaves.filter(lambda v: not (isinstance(v, Decimal) and v.is_snan()))
    return st.recursive(leaves, _hashable_parts if hashable else _parts, max_leaves=5)


def _hashable_parts(part: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(
        st.lists(part, max_size=2).map(tuple),
        st.frozensets(st.integers(0, 3), max_size=2),
        st.builds(lambda a, b: record(a=a, b=b), part, part),
    )


def _parts(part: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(
        _hashable_parts(part),
        st.lists(part, max_size=2),
        st.sets(st.integers(0, 3), max_size=2),
        st.dictionaries(st.text("ab", max_size=1), part, max_size=2),
    )


def _with_copies(draw: DrawFn, of: SearchStrategy[Any], max_size: int) -> list[Any]:
    distinct = draw(st.lists(of, max_size=max_size))
    again = draw(st.lists(st.sampled_from(distinct), max_size=3)) if distinct else []
    return [*distinct, *again]


@st.composite
def multisets(
    draw: DrawFn, of: SearchStrategy[Any] | None = None, *, max_size: int = 6
) -> Multiset[Any]:
    """Multisets of such values, some of them there more than once."""
    return Multiset(_with_copies(draw, values() if of is None else of, max_size))


@st.composite
def collections(
    draw: DrawFn,
    of: SearchStrategy[Any] | None = None,
    *,
    keys: SearchStrategy[Any] | None = None,
) -> Collection[Any, Any]:
    """Collections: a multiset for each of a few keys."""
    keys = st.sampled_from("abc") if keys is None else keys
    found = draw(st.dictionaries(keys, multisets(of), max_size=3))
    return Collection(found)


@st.composite
def deltas(
    draw: DrawFn,
    collection: Collection[Any, Any],
    of: SearchStrategy[Any] | None = None,
    *,
    keys: SearchStrategy[Any] | None = None,
) -> Delta[Any, Any]:
    """Deltas that are valid for the collection: what they remove is there."""
    removed = {key: draw(_some_of(list(group))) for key, group in collection.items()}
    added = draw(collections(of, keys=keys))
    return Delta(removed=removed, added=added)


def _some_of(there: list[Any]) -> SearchStrategy[list[Any]]:
    if not there:
        return st.just([])
    places = st.lists(st.integers(0, len(there) - 1), unique=True, max_size=len(there))
    return places.map(lambda chosen: [there[place] for place in chosen])


@dataclass(frozen=True)
class Step:
    """What one update of a reducer's state removes and adds."""

    removed: tuple[Any, ...]
    added: tuple[Any, ...]


@st.composite
def histories(
    draw: DrawFn,
    reducer: Reducer[Any, Any, Any],
    of: SearchStrategy[Any] | None = None,
    *,
    max_steps: int = 8,
) -> list[Step]:
    """Histories of a reducer from the empty multiset; each step removes only what is there.

    Without `of` the values are those of the reducer's `values` type.
    A reducer without `remove` is never asked to remove.
    """
    source = of if of is not None else values_of(reducer)
    there: list[Any] = []
    steps = []
    for _ in range(draw(st.integers(1, max_steps))):
        removed = draw(_some_of(there)) if reducer.remove is not None else []
        there = list(Multiset(there) - Multiset(removed))
        added = draw(st.lists(source, max_size=3))
        there += added
        steps.append(Step(tuple(removed), tuple(added)))
    return steps


def values_of(reducer: Reducer[Any, Any, Any]) -> SearchStrategy[Any]:
    """The values that a reducer takes: of its `values` type, and the constants of its code."""
    kind = reducer.values
    found = st.integers(-3, 3) | st.integers() if kind in (None, int) else st.from_type(kind)
    named = [c for c in constants(reducer) if kind is None or type(c) is kind]
    return found | st.sampled_from(named) if named else found


def constants(reducer: Reducer[Any, Any, Any]) -> list[Any]:
    """The numbers and texts that the code of a reducer's functions names, and what is beside."""
    found: dict[Hashable, Any] = {}
    for f in (reducer.add, reducer.remove, reducer.of, reducer.where, reducer.finishing):
        for constant in _constants_of(getattr(f, "__code__", None)):
            beside = [constant - 1, constant, constant + 1] if type(constant) is int else [constant]
            found |= {ident(value): value for value in beside}
    return list(found.values())


def _constants_of(code: Any) -> Iterator[Any]:
    for constant in getattr(code, "co_consts", ()):
        if type(constant) in (int, float, str):
            yield constant
        yield from _constants_of(constant)


Sent = Insert[Any] | Update[Any] | Upsert[Any] | Delete[Any]


@st.composite
def changes(
    draw: DrawFn,
    rows: SearchStrategy[Any],
    *,
    key: Any = None,
    there: Iterable[Any] = (),
    max_size: int = 10,
) -> list[Sent]:
    """Changes of a source, each of which fits after those before it.

    `key` is the source's key, as in `om.source`; `there` are the rows that it holds at first.
    """
    held = list(there)
    found: list[Sent] = []
    for _ in range(draw(st.integers(0, max_size))):
        new = draw(rows)
        if key is None:
            found.append(_loose(draw, held, new))
        else:
            found.append(_keyed(draw, held, new, selector(key)))
    return found


def _loose(draw: DrawFn, held: list[Any], new: Any) -> Sent:
    """A change of rows without a key; `held` moves along."""
    if not held or draw(st.booleans()):
        held.append(new)
        return Insert(new)
    old = held.pop(draw(st.integers(0, len(held) - 1)))
    if draw(st.booleans()):
        return Delete(old)
    held.append(new)
    return Update(old, new)


def _keyed(draw: DrawFn, held: list[Any], new: Any, of: Callable[[Any], Any]) -> Sent:
    """A change of rows with a key; `held` moves along."""
    place = next((n for n, row in enumerate(held) if one(of(row), of(new))), None)
    if place is None:
        held.append(new)
        fitting: list[Sent] = [Insert(new), Upsert(new)]
    elif draw(st.booleans()):
        old = held.pop(place)
        fitting = [Delete(old), Delete(key=of(old))]
    else:
        old, held[place] = held[place], new
        fitting = [Update(new), Update(old, new), Upsert(new)]
    return draw(st.sampled_from(fitting))
