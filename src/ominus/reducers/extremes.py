"""The extremes: which values, and which rows, come first and last.

With `keep="all"` a counted order is kept, which takes everything back at the cost of a logarithm.
With `keep="one"` only the extreme is kept, with its copies: when the last copy goes, the key is
folded again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any, Literal

from ominus.algebra.order import arrange, order
from ominus.algebra.ordered import EMPTY
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.select import Order, selector
from ominus.algebra.value import canon, one
from ominus.errors import FlowError
from ominus.reducers.catalogue import made, unless
from ominus.reducers.counted import (
    Counted,
    Tree,
    absent,
    alike,
    changed,
    copies,
    merged_trees,
    outside_place,
    settled,
)

Keep = Literal["all", "one"]
AnyReducer = Reducer[Any, Any, Any]


def min(
    of: Any = None, keep: Keep = "all", *, where: Any = None, skip_none: bool | None = None
) -> AnyReducer:
    """The smallest value; `None` where there is none.

    Cost   O(log n) a change; with keep="one" O(1), and a new fold when the last copy of it goes.
    Fails  NotOrdered, if a value is outside the total order.

    >>> min().fold_read([3, 1, 2]), min().fold_read([])
    (1, None)
    """
    return _extreme("min", of, keep, where=where, skip_none=skip_none)


def max(
    of: Any = None, keep: Keep = "all", *, where: Any = None, skip_none: bool | None = None
) -> AnyReducer:
    """The largest value; `None` where there is none.

    Cost   O(log n) a change; with keep="one" O(1), and a new fold when the last copy of it goes.
    Fails  NotOrdered, if a value is outside the total order.

    >>> low = max(keep="one")
    >>> low.update(low.fold([3, 3, 1]), removed=[3]), low.update(low.fold([3, 1]), removed=[3])
    ((3, 1), RECOMPUTE)
    """
    return _extreme("max", of, keep, where=where, skip_none=skip_none)


def arg_min(
    of: Any = None, keep: Keep = "all", *, where: Any = None, skip_none: bool | None = None
) -> AnyReducer:
    """The row whose `of` is smallest; of equal ones the smallest row, `None` where there is none.

    Cost   O(log n) a change; with keep="one" O(1), and a new fold when the last copy of it goes.
    Fails  NotOrdered, if what `of` gives is outside the total order; the rows may be.

    >>> arg_min(1).fold_read([("b", 1), ("a", 1), ("c", 0.5)])
    ('c', 0.5)
    """
    return _extreme_row("arg_min", of, keep, where=where, skip_none=skip_none)


def arg_max(
    of: Any = None, keep: Keep = "all", *, where: Any = None, skip_none: bool | None = None
) -> AnyReducer:
    """The row whose `of` is largest; of equal ones the smallest row, `None` where there is none.

    Cost   O(log n) a change; with keep="one" O(1), and a new fold when the last copy of it goes.
    Fails  NotOrdered, if what `of` gives is outside the total order; the rows may be.

    >>> arg_max(1).fold_read([("b", 1), ("a", 1), ("c", 0.5)])
    ('a', 1)
    """
    return _extreme_row("arg_max", of, keep, where=where, skip_none=skip_none)


def top(n: int, by: Any = None, *, where: Any = None) -> AnyReducer:
    """The `n` highest rows as a tuple, best first, copies counted; of equal ones the smaller first.

    Cost   O(log n) a change; reading O(n + log(group)), and what ties at the end of it.
    Fails  NotOrdered, if what `by` gives is outside the total order; the rows may be.

    >>> top(3, by=1).fold_read([("a", 5), ("b", 7), ("c", 5), ("b", 7)])
    (('b', 7), ('b', 7), ('a', 5))
    """
    return _some("top", n, by, where=where)


def bottom(n: int, by: Any = None, *, where: Any = None) -> AnyReducer:
    """The `n` lowest rows as a tuple, lowest first, copies counted; of equal ones the smaller first.

    Cost   O(log n) a change; reading O(n + log(group)).
    Fails  NotOrdered, if what `by` gives is outside the total order; the rows may be.

    >>> bottom(2).fold_read([3, 1, 2])
    (1, 2)
    """
    return _some("bottom", n, by, where=where)


def first(of: Any = None, by: Any = None, *, where: Any = None) -> AnyReducer:
    """The `of` of the row that comes first by `by`; where rows tie, the smallest of theirs.

    Cost   O(log n) a change.
    Fails  NotOrdered, if what `by` gives is outside the total order.

    >>> first("page", by="at").fold_read([{"page": "b", "at": 2}, {"page": "c", "at": 1}])
    'c'
    """
    return _end("first", of, by, where=where, read=first_row)


def last(of: Any = None, by: Any = None, *, where: Any = None) -> AnyReducer:
    """The `of` of the row that comes last by `by`; where rows tie, the smallest of theirs.

    Cost   O(log n) a change.
    Fails  NotOrdered, if what `by` gives is outside the total order.

    >>> last(0, by=1).fold_read([("a", 5), ("c", 7), ("b", 7)])
    'b'
    """
    return _end("last", of, by, where=where, read=last_row)


# One value, of a counted order.


def _extreme(name: str, of: Any, keep: Keep, *, where: Any, skip_none: bool | None) -> AnyReducer:
    said = dict(keep=unless("all", keep), where=where, skip_none=skip_none)
    common: dict[str, Any] = dict(of=of, where=where, skip_none=skip_none, nullable=False)
    low = name == "min"
    if _keeps_one(name, keep):
        return made(name, (of,), said, **_kept_value(low), **common)
    finish = first_item if low else last_item
    return made(name, (of,), said, **ORDERED, finish=finish, **common)


def first_item(tree: Tree) -> Any:
    """The lowest value of a tree, or `None`."""
    return tree.first()[1] if tree.size else None


def last_item(tree: Tree) -> Any:
    """The highest value of a tree, or `None`."""
    return tree.last()[1] if tree.size else None


def add_ordered(tree: Tree, value: Any) -> Tree:
    """A tree of values with one more copy of one.

    Fails  NotOrdered, if the value is outside the total order.
    """
    return tree.change(order(value), canon(value), 1)


def remove_ordered(tree: Tree, value: Any) -> Tree:
    """A tree of values without one copy of one."""
    return changed(tree, order(value), value, -1)


ORDERED: dict[str, Any] = dict(
    init=EMPTY,
    add=add_ordered,
    remove=remove_ordered,
    merge=merged_trees,
    same=alike,
    constant=False,
)
"""The steps of a reducer whose state is a tree of values inside the total order."""


# One value, and its copies.


def _kept_value(low: bool) -> dict[str, Any]:
    def add(state: Any, value: Any) -> Any:
        if state is None:
            order(value)
            return canon(value), 1
        place = compare(value, state[0])
        if place == 0:
            return state[0], state[1] + 1
        return (canon(value), 1) if (place < 0) is low else state

    def remove(state: Any, value: Any) -> Any:
        place = -1 if state is None else compare(value, state[0])
        if place:
            if state is None or (place < 0) is low:
                raise absent(value)
            return state
        return (state[0], state[1] - 1) if state[1] > 1 else RECOMPUTE

    def merge(a: Any, b: Any) -> Any:
        if a is None or b is None:
            return a or b
        place = compare(a[0], b[0])
        if place == 0:
            return a[0], a[1] + b[1]
        return a if (place < 0) is low else b

    return _kept(add, remove, merge, lambda state: state and state[0])


def compare(a: Any, b: Any) -> int:
    """Less than 0 if `a` is before `b` in the total order, 0 if they are one, else more.

    >>> compare(1, 2), compare(2, 2.0), compare(float("nan"), float("nan"))
    (-1, -1, 0)
    """
    kind = type(a)
    if kind is type(b) and (kind is int or kind is str or (kind is float and a == a and b == b)):
        return int(a > b) - int(a < b)
    x, y = order(a), order(b)
    return int(x > y) - int(x < y)


# One row, and its copies.


def _extreme_row(
    name: str, of: Any, keep: Keep, *, where: Any, skip_none: bool | None
) -> AnyReducer:
    low = name == "arg_min"
    kept = (
        _kept_row(low)
        if _keeps_one(name, keep)
        else dict(**HEADED, finish=first_row if low else last_row)
    )
    return made(
        name,
        (of,),
        dict(keep=unless("all", keep), where=where, skip_none=skip_none),
        **kept,
        of=Placed(order_of=of, refuses_none=skip_none is not False),
        where=where,
        skip_none=skip_none,
        nullable=False,
    )


class Placed:
    """The function that gives a row's sort key, and what is kept of the row.

    Where it refuses `None`, it gives `None` for a row whose `order_of` is `None`.
    """

    __slots__ = ("_key", "_of", "_value", "by", "of", "order_of", "refuses_none")

    def __init__(
        self, *, by: Any = None, of: Any = None, order_of: Any = None, refuses_none: bool = False
    ) -> None:
        self.by, self.of, self.order_of, self.refuses_none = by, of, order_of, refuses_none
        self._value, self._key = selector(order_of), Order(by)
        self._of = None if of is None else selector(of)

    def __call__(self, row: Any) -> Any:
        if self.refuses_none:
            value = self._value(row)
            return None if value is None else (order(value), row)
        kept = row if self._of is None else self._of(row)
        if self.by is None:
            return order(self._value(row)), kept
        return self._key(row), kept

    def __repr__(self) -> str:
        return f"Placed(by={self.by!r}, of={self.of!r}, order_of={self.order_of!r})"


def _kept_row(low: bool) -> dict[str, Any]:
    def better(a: Any, b: Any) -> bool:
        """Whether `a` comes before `b`, which is another row."""
        if a[0] != b[0]:
            return (a[0] < b[0]) is low
        return before(a[1], b[1])

    def add(state: Any, placed: Any) -> Any:
        key, row = placed
        if state is None:
            return key, canon(row), 1
        if state[0] == key and one(state[1], row):
            return key, state[1], state[2] + 1
        return (key, canon(row), 1) if better(placed, state) else state

    def remove(state: Any, placed: Any) -> Any:
        if state is None:
            raise absent(placed[1])
        if state[0] == placed[0] and one(state[1], placed[1]):
            return (*state[:2], state[2] - 1) if state[2] > 1 else RECOMPUTE
        if better(placed, state):
            raise absent(placed[1])
        return state

    def merge(a: Any, b: Any) -> Any:
        if a is None or b is None:
            return a or b
        if a[0] == b[0] and one(a[1], b[1]):
            return (*a[:2], a[2] + b[2])
        return a if better(a, b) else b

    return _kept(add, remove, merge, lambda state: state and state[1])


def before(a: Any, b: Any) -> bool:
    """Whether a row is before another one; rows outside the total order by type and text."""
    x, y = arrange(a), arrange(b)
    return bool(x < y if x != y else outside_place(a) < outside_place(b))


def _kept(add: Any, remove: Any, merge: Any, finish: Callable[[Any], Any]) -> dict[str, Any]:
    return dict(init=None, add=add, remove=remove, merge=merge, finish=finish, inverse="partial")


def _keeps_one(name: str, keep: Any) -> bool:
    if keep not in ("all", "one"):
        raise FlowError(
            f"{name}(keep={keep!r})",
            'keep is "all" or "one"',
            'Write keep="one" for constant state that recomputes, "all" for an order that never '
            "does.",
        )
    return bool(keep == "one")


# Rows under their sort keys, of a counted order.


def add_placed(state: Counted, placed: tuple[Any, Any]) -> Counted:
    """A counted order with one more row under its sort key."""
    return state.added(placed[1], (placed[0],))


def remove_placed(state: Counted, placed: tuple[Any, Any]) -> Counted:
    """A counted order without one copy of a row under its sort key."""
    return state.removed(placed[1], (placed[0],))


HEADED: dict[str, Any] = dict(
    init=Counted(), add=add_placed, remove=remove_placed, merge=Counted.merged, constant=False
)
"""The steps of a reducer whose state is a counted order of rows under their sort keys."""


def first_row(state: Counted) -> Any:
    """The first row of the lowest sort key, or `None`."""
    tree = state.tree
    return next(state.at_head(tree.first()[0][:1]))[0] if tree.size else None


def last_row(state: Counted) -> Any:
    """The first row of the highest sort key, or `None`."""
    tree = state.tree
    return next(state.at_head(tree.last()[0][:1]))[0] if tree.size else None


def _end(name: str, of: Any, by: Any, *, where: Any, read: Callable[[Counted], Any]) -> AnyReducer:
    placed = Placed(by=by, of=of)
    return made(
        name, (of,), dict(by=by, where=where), **HEADED, finish=read, of=placed, where=where
    )


def _some(name: str, n: int, by: Any, *, where: Any) -> AnyReducer:
    if type(n) is not int or n < 0:
        raise FlowError(f"{name}({n!r})", "not a number of rows", "Write a whole number from 0 on.")
    highest = name == "top"
    call = name, (n,), dict(by=by, where=where)
    if by is None:
        finish = _Some(n, highest_items if highest else lowest_items)
        return made(*call, **ORDERED, finish=finish, where=where)
    finish = _Some(n, highest_rows if highest else lowest_rows)
    return made(*call, **HEADED, finish=finish, of=Placed(by=by), where=where)


class _Some:
    """The function that reads the first `n` of what is read in order."""

    __slots__ = ("n", "rows")

    def __init__(self, n: int, rows: Callable[[Any, int], Iterator[Any]]) -> None:
        self.n, self.rows = n, rows

    def __call__(self, state: Any) -> tuple[Any, ...]:
        return tuple(islice(self.rows(state, self.n), self.n))


def lowest_items(tree: Tree, n: int) -> Iterator[Any]:
    """The values of a tree, lowest first."""
    return copies((item, count) for _, item, count in tree.entries())


def highest_items(tree: Tree, n: int) -> Iterator[Any]:
    """The values of a tree, highest first."""
    return copies((item, count) for _, item, count in tree.reversed_entries())


def lowest_rows(state: Counted, n: int) -> Iterator[Any]:
    """The rows, lowest sort key first; of equal ones the smaller first."""
    for _, run in groupby(state.tree.entries(), key=_head):
        yield from copies(settled(run))


def highest_rows(state: Counted, n: int) -> Iterator[Any]:
    """The `n` rows of the highest sort keys, highest first; of equal ones the smaller first.

    Cost   O(n + log(group)): going down, only the last sort key may be met in part, and that one
    is read again from its beginning.
    """
    met = list(islice(state.tree.reversed_entries(), n + 1))
    runs = [(head, [*run][::-1]) for head, run in groupby(met, key=_head)]
    for _, run in runs[:-1]:
        yield from copies(settled(run))
    if runs:
        yield from copies(state.at_head((runs[-1][0],)))


def _head(entry: Any) -> Any:
    return entry[0][0]
