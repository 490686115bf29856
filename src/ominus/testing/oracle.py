"""The oracle: every view of a flow from scratch, as plainly as it can be said.

This file is the specification: an engine is right if it gives, after each transaction, what
`recompute` gives for the rows of that moment.
It shares no code with any engine, and keeps nothing between two calls.

A collection is read here as *pairs* of a key and a value, one pair for each copy; the key of rows
is `()`.
An operator that works on values is a rule on pairs; one that works inside each group is a rule on
*groups*, and there rows are one group, and so is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ominus.algebra.change import ABSENT
from ominus.algebra.multiset import Multiset, multiset_of
from ominus.algebra.order import Reversed, order
from ominus.algebra.record import field_names, fields_of, record, record_of
from ominus.algebra.value import canon, ident
from ominus.errors import NoneFound
from ominus.flow import ops
from ominus.flow.door import door
from ominus.flow.ops import Op
from ominus.flow.spec import Flow
from ominus.flow.types import may_be_none, part_type
from ominus.testing.pairs import collect, groups, pairs
from ominus.testing.reading import Groups, OnDemand, Rows, Table, View


def recompute(flow: Flow, **rows: Iterable[Any]) -> Recomputed:
    """Every view of a flow, from scratch, for the rows of its sources.

    A source that is not named has no rows; what a function of the user raises comes as it is.

    Fails  KeyPresent, if two rows of a source have one key.
    """
    return Recomputed(flow, rows)


class Recomputed(Mapping[str, Any]):
    """The views of a flow by name; sources, and what defined a view, are found as well."""

    def __init__(self, flow: Flow, rows: Mapping[str, Iterable[Any]]) -> None:
        unknown = [name for name in rows if name not in flow.sources]
        if unknown:
            raise KeyError(f"no source named {unknown[0]!r}: there are {', '.join(flow.sources)}")
        self._flow, self.rows = flow, rows
        self._views: dict[int, Any] = {}
        for op in flow.order():
            self._views[id(op)] = RULES[type(op)](op, self)

    def of(self, op: Op) -> Any:
        """The view of an operator."""
        return self._views[id(op)]

    def __getitem__(self, which: Any) -> Any:
        return self.of(self._flow.op(which))

    def __iter__(self) -> Iterator[str]:
        return iter(self._flow)

    def __len__(self) -> int:
        return len(self._flow)

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {view!r}" for name, view in self.items())


# Operators on values.


def source(op: ops.Source, at: Recomputed) -> View:
    """The rows that were given, through the door of their type."""
    enter = door(op.row)
    rows = [enter(row) for row in at.rows.get(op.name, ())]
    return collect(op.kind, ((op.by(row) if op.by else (), row) for row in rows))


def literal(op: ops.Literal_, at: Recomputed) -> View:
    """The rows of the definition."""
    return Rows(op.rows)


def reading(op: ops.Filter | ops.Map | ops.FlatMap, at: Recomputed) -> Callable[[Any], Any]:
    """The operator's function of a value, which may read another view."""
    return op.f if op.reads is None else lambda value: op.f(value, at.of(op.reads))  # type: ignore[arg-type]


def filter_(op: ops.Filter, at: Recomputed) -> View:
    """The pairs whose value passes."""
    f = reading(op, at)
    return collect(op.kind, ((key, v) for key, v in pairs(at.of(op.of)) if f(v)))


def map_(op: ops.Map, at: Recomputed) -> View:
    """`f` of each value."""
    f = reading(op, at)
    return collect(op.kind, ((key, f(v)) for key, v in pairs(at.of(op.of))))


def flat_map(op: ops.FlatMap, at: Recomputed) -> View:
    """All that `f` gives for each value."""
    f = reading(op, at)
    return collect(op.kind, ((key, new) for key, v in pairs(at.of(op.of)) for new in f(v)))


def map_items(op: ops.MapItems, at: Recomputed) -> View:
    """`f(key, value)` in place of each value."""
    return collect(op.kind, ((key, op.f(key, v)) for key, v in pairs(at.of(op.of))))


def items(op: ops.Items, at: Recomputed) -> View:
    """Records of the key's fields and the value's."""
    names = op.of.kind.names
    found = pairs(at.of(op.of))
    return collect(op.kind, (((), record(key_fields(names, key), fields(v))) for key, v in found))


def key_fields(names: tuple[str, ...], key: Any) -> Any:
    """A key as a record: its only field, or its several."""
    return record_of(names, (key,) if len(names) == 1 else key)


def fields(value: Any) -> Mapping[str, Any]:
    """The fields of a value; `value`, if it has none."""
    has_some = isinstance(value, dict) or field_names(type(value)) is not None
    return fields_of(value) if has_some else {"value": value}


def group_by(op: ops.GroupBy, at: Recomputed) -> View:
    """Each value under its key, under each of its keys, or under none."""

    def keys(value: Any) -> Iterable[Any]:
        if op.by is None:
            return [()]
        return op.by(value) if op.many else [op.by(value)]

    return collect(op.kind, ((key, v) for _, v in pairs(at.of(op.of)) for key in keys(v)))


def union(op: ops.Union, at: Recomputed) -> View:
    """All pairs of all inputs."""
    return collect(op.kind, (pair for one in op.of for pair in pairs(at.of(one))))


# Join.


class Side(NamedTuple):
    """A value that may meet others: what is matched, its key, itself."""

    match: Hashable
    key: Any
    value: Any


def join(op: ops.Join, at: Recomputed) -> View:
    """Each left value with each right value that it meets, and what meets none where asked."""
    left, right = sides(op, at)
    ours, theirs = by_match(left), by_match(right)
    if op.how in ("semi", "anti"):
        wanted = op.how == "semi"
        return collect(op.kind, ((s.key, s.value) for s in left if (s.match in theirs) is wanted))
    into = op.into or (lambda a, b: (a, b))
    found = [(s.key, into(s.value, r.value)) for s in left for r in theirs.get(s.match, ())]
    if op.how in ("left", "full"):
        found += [(s.key, into(s.value, None)) for s in left if s.match not in theirs]
    if op.how in ("right", "full"):
        found += [(r.key, into(None, r.value)) for r in right if r.match not in ours]
    return collect(op.kind, found)


def by_match(sides: list[Side]) -> dict[Hashable, list[Side]]:
    """One side of a join by what is matched."""
    found: dict[Hashable, list[Side]] = {}
    for side in sides:
        found.setdefault(side.match, []).append(side)
    return found


def sides(op: ops.Join, at: Recomputed) -> tuple[list[Side], list[Side]]:
    """Both inputs of a join, with what is matched of each pair; None matches as the join says."""
    inputs = (op.left, op.left_on), (op.right, op.right_on)
    refused = op.match_none is None and all(
        may_be_none(matched_type(side, on)) is not False for side, on in inputs
    )
    left, right = (
        [matched(op, on, *pair, refused=refused) for pair in pairs(at.of(side))]
        for side, on in inputs
    )
    return left, right


def matched(
    op: ops.Join, on: Callable[[Any], Any] | None, key: Any, value: Any, *, refused: bool
) -> Side:
    """A pair with what is matched of it: its key, or a part of its value."""
    found = key if on is None else canon(on(value))
    if not holds_none(found):
        return Side(ident(found), key, value)
    if refused:
        raise NoneFound(
            f"join of {value!r}",
            "what is matched is None",
            "Say match_none=True, or match_none=False as SQL does.",
        )
    return Side(object() if op.match_none is False else ident(found), key, value)


def holds_none(found: Any) -> bool:
    """Whether what is matched is None, or several parts of which one is."""
    return found is None or (type(found) is tuple and any(part is None for part in found))


def matched_type(side: Op, on: Any) -> Any:
    """What is known of what is matched."""
    return side.kind.key if on is None else part_type(side.kind.value, on, asked="join")


# Operators inside each group.


def distinct(op: ops.Distinct, at: Recomputed) -> View:
    """Each value of a group once."""
    found = groups(at.of(op.of)).items()
    return collect(op.kind, ((key, v) for key, group in found for v in group.distinct()))


def each_group(of: View, f: Callable[[Multiset[Any]], Any]) -> Table:
    """`f` of each group that is there."""
    return Table((key, canon(f(group))) for key, group in groups(of).items())


def reduce(op: ops.Reduce, at: Recomputed) -> View:
    """The fold of each group; a key without values reads as nothing folded."""
    fold = op.reducer.fold_read
    table = each_group(at.of(op.of), fold)
    return Table(table.items(), nothing=lambda: canon(fold(())))


def compute(op: ops.Compute, at: Recomputed) -> View:
    """`f` of each group."""
    return each_group(at.of(op.of), op.f)


def maintain(op: ops.Maintain, at: Recomputed) -> View:
    """`full` of each group: what `delta` keeps."""
    return each_group(at.of(op.of), op.full)


def top(op: ops.Top, at: Recomputed) -> View:
    """The `n` highest of each group, or of a table's rows, best first."""
    view = at.of(op.of)
    if isinstance(view, Table):
        return Table(sorted(view.items(), key=lambda pair: rank(op, *pair))[: op.n])
    best = [(key, highest(op, group)) for key, group in groups(view).items()]
    if isinstance(view, Groups):
        return Groups(best)
    return Rows(best[0][1] if best else ())


def rank(op: ops.Top, key: Any, value: Any) -> Any:
    """The place of a value: the higher first, then the smaller key, then the smaller value."""
    return Reversed(op.by(value)), order(key), order(value)


def highest(op: ops.Top, group: Multiset[Any]) -> Multiset[Any]:
    """The `n` highest of a group, copies counted, iterated best first."""
    kept = Multiset(sorted(group, key=lambda value: rank(op, (), value))[: op.n])
    return multiset_of(
        {ident(value): (value, n) for value, n in kept.counts()},
        by=lambda value: rank(op, (), value),
    )


# Operators on keys.


def keep(op: Op, view: View, wanted: Callable[[Any], bool]) -> View:
    """The keys that are wanted, with all they have."""
    return collect(op.kind, ((key, value) for key, value in pairs(view) if wanted(key)))


def slice_(op: ops.Slice, at: Recomputed) -> View:
    """The keys within any of the ranges `lo <= key < hi`."""
    ranges = [(bound(lo, at), bound(hi, at)) for lo, hi in op.ranges]

    def within(key: Any) -> bool:
        return any(
            (lo is ABSENT or order(lo) <= order(key)) and (hi is ABSENT or order(key) < order(hi))
            for lo, hi in ranges
            if lo is not NOWHERE and hi is not NOWHERE
        )

    return keep(op, at.of(op.of), within)


NOWHERE = object()
"""A bound that is a view without a value: its range holds nothing."""


def bound(given: Any, at: Recomputed) -> Any:
    """A bound: a value, ABSENT for an open end, or the one value of a view."""
    if not isinstance(given, Op):
        return given
    view = at.of(given)
    if isinstance(view, Rows):
        return view.value.one() if view else NOWHERE
    try:
        return view.value
    except KeyError:
        return NOWHERE


def take(op: ops.Take, at: Recomputed) -> View:
    """The first `n` keys."""
    view = at.of(op.of)
    first = {ident(key) for key in sorted(view, key=order)[: op.n]}
    return keep(op, view, lambda key: ident(key) in first)


def size(op: ops.Size, at: Recomputed) -> View:
    """The number of keys; where there is none, nothing, which reads as 0."""
    n = len(at.of(op.of))
    return Table([((), n)] if n else [], nothing=lambda: 0)


# Operators on whole views.


def compute_views(op: ops.ComputeViews, at: Recomputed) -> View:
    """`f` of whole views."""
    return Table([((), canon(op.f(*map(at.of, op.of))))])


def maintain_views(op: ops.MaintainViews, at: Recomputed) -> View:
    """`full` of whole views: what the delta functions keep."""
    return Table([((), canon(op.full(*map(at.of, op.of))))])


def lazy(op: ops.Lazy, at: Recomputed) -> View:
    """`f(key, self, *views)` for the keys that are asked for."""
    return OnDemand(lambda key, self: op.f(key, self, *map(at.of, op.of)))


RULES: dict[type[Op], Callable[[Any, Recomputed], View]] = {
    ops.Source: source,
    ops.Literal_: literal,
    ops.Filter: filter_,
    ops.Map: map_,
    ops.FlatMap: flat_map,
    ops.MapItems: map_items,
    ops.Items: items,
    ops.GroupBy: group_by,
    ops.Join: join,
    ops.Union: union,
    ops.Distinct: distinct,
    ops.Reduce: reduce,
    ops.Top: top,
    ops.Slice: slice_,
    ops.Take: take,
    ops.Size: size,
    ops.Compute: compute,
    ops.ComputeViews: compute_views,
    ops.Maintain: maintain,
    ops.MaintainViews: maintain_views,
    ops.Lazy: lazy,
}
"""One rule for each operator there is."""
