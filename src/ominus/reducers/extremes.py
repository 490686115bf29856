"""The extremes: which values, and which rows, come first and last.

With `keep="all"` a counted order is kept, which takes everything back at the cost of a logarithm.
With `keep="one"` only the extreme is kept, with its copies: when the last copy goes, the key is
folded again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ominus.algebra.order import arrange, order
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.value import canon, one
from ominus.errors import FlowError
from ominus.reducers.catalogue import made, unless
from ominus.reducers.counted import absent, outside_place
from ominus.reducers.placed import (
    HEADED,
    ORDERED,
    Placed,
    first_item,
    first_row,
    last_item,
    last_row,
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


# One value, of a counted order.


def _extreme(name: str, of: Any, keep: Keep, *, where: Any, skip_none: bool | None) -> AnyReducer:
    said = dict(keep=unless("all", keep), where=where, skip_none=skip_none)
    common: dict[str, Any] = dict(of=of, where=where, skip_none=skip_none, nullable=False)
    low = name == "min"
    if _keeps_one(name, keep):
        return made(name, (of,), said, **_kept_value(low), **common)
    finish = first_item if low else last_item
    return made(name, (of,), said, **ORDERED, finish=finish, **common)


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
