"""The values themselves, as a list, a set or a multiset, and how many there are of them.

The state is a counted order, and the results are views of it: nothing is copied when they are read.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import Reducer
from ominus.reducers.catalogue import made
from ominus.reducers.collected import OrderedList, OrderedMultiset, OrderedSet
from ominus.reducers.counted import Counted


def list(of: Any = None, *, where: Any = None) -> Reducer[Any, Any, OrderedList[Any]]:
    """The values with their copies, in the total order; those outside it last, by type and text.

    Cost   O(log n) a change; the result shares structure with the one before.

    >>> marks = list().fold_read([20, 30, 10, 20])
    >>> marks, marks[0], marks.rank(30)
    (OrderedList([10, 20, 20, 30]), 10, 3)
    """
    return made("list", (of,), dict(where=where), **VALUES, finish=OrderedList, of=of, where=where)


def set(of: Any = None, *, where: Any = None) -> Reducer[Any, Any, OrderedSet[Any]]:
    """The distinct values, iterated in the total order; those outside it last, by type and text.

    Cost   O(log n) a change; the result shares structure with the one before.

    >>> set(0).fold_read([("b", 1), ("a", 2), ("b", 3)])
    OrderedSet(['a', 'b'])
    """
    return made("set", (of,), dict(where=where), **VALUES, finish=OrderedSet, of=of, where=where)


def multiset(of: Any = None, *, where: Any = None) -> Reducer[Any, Any, Multiset[Any]]:
    """The values with their copies, as a `Multiset`.

    Cost   O(log n) a change; the result shares structure with the one before.

    >>> multiset().fold_read([3, 1, 3])
    Multiset([1, 3, 3])
    """
    return made(
        "multiset", (of,), dict(where=where), **VALUES, finish=OrderedMultiset, of=of, where=where
    )


def count_distinct(
    of: Any = None, *, where: Any = None, skip_none: bool | None = None
) -> Reducer[Any, Any, int]:
    """How many distinct values there are: `1`, `1.0` and `True` are three.

    Cost   O(log n) a change.

    >>> count_distinct().fold_read([1, 1.0, True, 1])
    3
    """
    return made(
        "count_distinct",
        (of,),
        dict(where=where, skip_none=skip_none),
        **VALUES,
        finish=attrgetter("distinct"),
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
    )


VALUES: dict[str, Any] = dict(
    init=Counted(),
    add=Counted.added,
    remove=Counted.removed,
    merge=Counted.merged,
    constant=False,
)
"""The steps of a reducer whose state is the counted order of its values."""
