"""Values in their own order, and rows under their sort keys: the steps of what keeps an order.

`ORDERED` is of values inside the total order, `HEADED` of rows under a key that is.
"""

from __future__ import annotations

from typing import Any

from ominus.algebra.order import Key, order
from ominus.algebra.ordered import EMPTY
from ominus.algebra.select import Order, selector
from ominus.algebra.value import canon
from ominus.reducers.counted import Bucket, Counted, Tree, alike, changed, merged_trees


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
    return _first_at(state, tree.first()[0][:1]) if tree.size else None


def last_row(state: Counted) -> Any:
    """The first row of the highest sort key, or `None`."""
    tree = state.tree
    return _first_at(state, tree.last()[0][:1]) if tree.size else None


def _first_at(state: Counted, head: Key) -> Any:
    item = next(state.tree.entries(head))[1]
    # Rows outside the order come last: if one is met, there are no others at this head.
    return next(state.at_head(head))[0] if type(item) is Bucket else item
