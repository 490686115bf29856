"""The ends of an order: the first and the last row, and the first few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.errors import FlowError
from ominus.reducers.catalogue import made
from ominus.reducers.counted import Counted, Tree, copies, settled
from ominus.reducers.placed import HEADED, ORDERED, Placed, first_row, last_row

AnyReducer = Reducer[Any, Any, Any]


def top(n: int, by: Any = None, *, where: Any = None) -> AnyReducer:
    """The `n` highest rows as a tuple, best first, copies counted; of equal ones the smaller first.

    Cost   O(log n) a change; reading O(n + log(group)), and what ties at the end of it.
    Fails  NotOrdered, if what `by` gives is outside the total order; the rows may be.

    >>> top(3, by=1).fold_read([("a", 5), ("b", 7), ("c", 5), ("b", 7)])
    (('b', 7), ('b', 7), ('a', 5))
    """
    return _some("top", n, by, where=where)


def bottom(n: int, by: Any = None, *, where: Any = None) -> AnyReducer:
    """The `n` lowest rows as a tuple, lowest first, copies counted, smaller ones first.

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
