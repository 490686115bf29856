"""Every operator of a flow, one small frozen record each.

An operator says what a view is; engines say how it is kept.
`kind` is what is known of the collection that it gives: its shape, its key and its values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Literal

from ominus.algebra.reducer import Reducer

Shape = Literal["rows", "table", "groups"]
How = Literal["inner", "left", "right", "full", "semi", "anti"]
Function = Callable[..., Any]


@dataclass(frozen=True)
class Kind:
    """What is known of a collection: shape, names and type of its key, type of its values."""

    shape: Shape
    names: tuple[str, ...] = ()
    key: Any = Any
    value: Any = Any


@dataclass(frozen=True, eq=False, kw_only=True)
class Op:
    """An operator: what it reads, and what it makes of it."""

    kind: Kind

    @property
    def verb(self) -> str:
        """The operator's name, which is the method's."""
        return VERBS[type(self)]

    def inputs(self) -> tuple[Op, ...]:
        """The operators that this one reads, in order."""
        found: list[Op] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Op):
                found.append(value)
            elif isinstance(value, tuple):
                found += [part for part in _flat(value) if isinstance(part, Op)]
        return tuple(found)


def _flat(parts: tuple[Any, ...]) -> list[Any]:
    return [p for part in parts for p in (_flat(part) if type(part) is tuple else [part])]


@dataclass(frozen=True, eq=False, kw_only=True)
class Source(Op):
    """Rows that come from outside; a table if it has a `key`, a multiset if not."""

    name: str
    row: Any
    by: Any
    sequence: str | None
    keep: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Literal_(Op):
    """Rows that are part of the definition and never change."""

    rows: tuple[Any, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Filter(Op):
    """The values for which `f` is true, keys kept."""

    of: Op
    f: Function
    reads: Op | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Map(Op):
    """`f` of each value, keys kept."""

    of: Op
    f: Function
    reads: Op | None


@dataclass(frozen=True, eq=False, kw_only=True)
class FlatMap(Op):
    """All the values that `f` gives for each value."""

    of: Op
    f: Function
    reads: Op | None


@dataclass(frozen=True, eq=False, kw_only=True)
class MapItems(Op):
    """`f(key, value)` in place of each value."""

    of: Op
    f: Function


@dataclass(frozen=True, eq=False, kw_only=True)
class Items(Op):
    """Rows of records: the key's fields, then the value's."""

    of: Op


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupBy(Op):
    """The values under the keys that `by` gives, one or `many`; without it, rows."""

    of: Op
    by: Function | None
    many: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Join(Op):
    """Pairs of values that meet: on keys where no `on` is given, else on values.

    `left_on` and `right_on` give what must be equal; None stands for the key.
    """

    left: Op
    right: Op
    left_on: Function | None
    right_on: Function | None
    how: How
    into: Function | None
    match_none: bool | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Union(Op):
    """All values of all inputs, multiplicities added."""

    of: tuple[Op, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Distinct(Op):
    """Each value of a group once."""

    of: Op


@dataclass(frozen=True, eq=False, kw_only=True)
class Reduce(Op):
    """The reducer's result for each group that is not empty."""

    of: Op
    reducer: Reducer[Any, Any, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Top(Op):
    """The `n` highest of each group, or of a table's rows, copies counted."""

    of: Op
    n: int
    by: Function


@dataclass(frozen=True, eq=False, kw_only=True)
class Slice(Op):
    """The keys within ranges `lo <= key < hi`; a bound is a value, a view of one, or ABSENT."""

    of: Op
    ranges: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Take(Op):
    """The first `n` keys."""

    of: Op
    n: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Size(Op):
    """The number of keys."""

    of: Op


@dataclass(frozen=True, eq=False, kw_only=True)
class Compute(Op):
    """`f(multiset)` of each group, from scratch whenever the group changes."""

    of: Op
    f: Function


@dataclass(frozen=True, eq=False, kw_only=True)
class ComputeViews(Op):
    """`f(a, b, ...)` of whole views, from scratch whenever one changes."""

    of: tuple[Op, ...]
    f: Function


@dataclass(frozen=True, eq=False, kw_only=True)
class Maintain(Op):
    """`full(multiset)` of each group, kept by `delta(current, change)`."""

    of: Op
    full: Function
    delta: Function
    check: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class MaintainViews(Op):
    """`full(a, b, ...)` of whole views, kept by one delta function for each."""

    of: tuple[Op, ...]
    full: Function
    deltas: tuple[Function, ...]
    check: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Lazy(Op):
    """`f(key, self, *views)` for the keys that are asked for, remembered while it holds."""

    of: tuple[Op, ...]
    f: Function


VERBS: dict[type[Op], str] = {
    Source: "source",
    Literal_: "literal",
    Filter: "filter",
    Map: "map",
    FlatMap: "flat_map",
    MapItems: "map_items",
    Items: "items",
    GroupBy: "group_by",
    Join: "join",
    Union: "union",
    Distinct: "distinct",
    Reduce: "reduce",
    Top: "top",
    Slice: "slice",
    Take: "take",
    Size: "size",
    Compute: "compute",
    ComputeViews: "compute",
    Maintain: "maintain",
    MaintainViews: "maintain",
    Lazy: "lazy",
}
"""All operators there are, with their verbs: engines have a rule or a refusal for each."""
