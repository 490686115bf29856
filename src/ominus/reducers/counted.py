"""A counted order: a multiset of values that shares structure with the versions before it.

Its keys are a head (what rows are ordered by, or nothing), then the place of the value in the
total order.
A value outside the total order is found by its hash, and what has one hash shares a `Bucket`:
its text cannot say which value it is, for two values may have one text, and one value two.
Such values come last in their head, and are put in order by type and text when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import merge as merge_sorted
from itertools import groupby
from operator import itemgetter
from typing import Any

from ominus.algebra.order import Key, arrange, order
from ominus.algebra.ordered import EMPTY, Ordered, differences
from ominus.algebra.value import canon, ident, one
from ominus.errors import InvalidDelta, NotOrdered

OUTSIDE: Key = (11,)
"""Where the values outside the total order begin: above every place in it."""

Tree = Ordered[Any, Any]


class Bucket(tuple[tuple[Any, int], ...]):
    """The values of one hash with their copies: nearly always one value."""

    __slots__ = ()

    def changed(self, value: Any, by: int) -> Bucket:
        """The bucket with `by` more copies of a value.

        Fails  InvalidDelta, if there are fewer copies than are taken away.
        """
        rest = [pair for pair in self if not one(pair[0], value)]
        held, n = next((pair for pair in self if one(pair[0], value)), (value, 0))
        if n + by < 0:
            raise absent(value)
        return Bucket([*rest, (held, n + by)] if n + by else rest)


class Counted:
    """Values with how many copies there are of each, in order; never changed.

    Cost   O(log n) for `added`, `removed`, `count` and `rank`.

    >>> c = Counted().added(3).added(1).added(3)
    >>> list(c.pairs()), c.removed(3).total, c.distinct
    ([(1, 1), (3, 2)], 2, 2)
    """

    __slots__ = ("distinct", "tree")

    def __init__(self, tree: Tree = EMPTY, distinct: int | None = None) -> None:
        self.tree = tree
        self.distinct = tree.size if distinct is None else distinct

    @property
    def total(self) -> int:
        """How many copies there are in all."""
        return self.tree.total

    def added(self, value: Any, head: Key = ()) -> Counted:
        """The same and one more copy of a value."""
        return self.changed(canon(value), 1, head)

    def removed(self, value: Any, head: Key = ()) -> Counted:
        """The same without one copy of a value.

        Fails  InvalidDelta, if there is none.
        """
        return self.changed(value, -1, head)

    def changed(self, value: Any, by: int, head: Key) -> Counted:
        """The same and `by` more copies of a value."""
        try:
            key = head + order(value)
        except NotOrdered:
            return self._changed_outside(value, by, head)
        tree = changed(self.tree, key, value, by)
        return Counted(tree, self.distinct + tree.size - self.tree.size)

    def _changed_outside(self, value: Any, by: int, head: Key) -> Counted:
        key = (*head, *OUTSIDE, hash(ident(value)))
        old = bucket_of(self.tree.get(key))
        new = old.changed(value, by)
        tree = self.tree.put(key, new, sum(n for _, n in new))
        return Counted(tree, self.distinct + len(new) - len(old))

    def count(self, value: Any) -> int:
        """How many copies of a value there are, in an order without heads."""
        try:
            return self.tree.count(order(value))
        except NotOrdered:
            bucket = bucket_of(self.tree.get((*OUTSIDE, hash(ident(value)))))
            return next((n for v, n in bucket if one(v, value)), 0)

    def rank(self, value: Any) -> int:
        """How many copies come before a value, which need not be there; in one without heads."""
        try:
            return self.tree.rank(order(value))
        except NotOrdered:
            outside = outside_in_order(self.tree.entries(OUTSIDE))
            place = outside_place(value)
            return self.inside + sum(n for v, n in outside if outside_place(v) < place)

    @property
    def inside(self) -> int:
        """How many copies there are of values inside the total order; in one without heads."""
        tree = self.tree
        if not tree.size or type(tree.last()[1]) is not Bucket:
            return tree.total
        return tree.rank(OUTSIDE)

    def pairs(self) -> Iterator[tuple[Any, int]]:
        """The distinct values with their copies, in order; in one without heads."""
        return settled(self.tree.entries())

    def at_head(self, head: Key) -> Iterator[tuple[Any, int]]:
        """The values of one head with their copies, in order."""
        width = len(head)
        rows = self.tree.entries(head)
        run = next(groupby(rows, key=lambda entry: entry[0][:width] == head), (False, iter(())))
        return settled(run[1]) if run[0] else iter(())

    def merged(self, other: Counted) -> Counted:
        """The values of both, copies added up."""
        small, large = sorted((self, other), key=lambda c: c.tree.size)
        inside, outside = small.parts()
        before = large.tree.size
        tree = merged(large.tree, inside)
        made = Counted(tree, large.distinct + tree.size - before)
        for head, value, n in outside:
            made = made.changed(value, n, head)
        return made

    def parts(self) -> tuple[Tree, list[tuple[Key, Any, int]]]:
        """What is inside the total order, and what is outside it: head, value and copies."""
        lies_outside = [e for e in self.tree.entries() if type(e[1]) is Bucket]
        if not lies_outside:
            return self.tree, []
        inside = Ordered.build(e for e in self.tree.entries() if type(e[1]) is not Bucket)
        return inside, [(key[:-2], v, n) for key, bucket, _ in lies_outside for v, n in bucket]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counted):
            return NotImplemented
        if (self.total, self.distinct) != (other.total, other.distinct):
            return False
        return alike(self.tree, other.tree)

    def __hash__(self) -> int:
        return hash((Counted, self.total, self.distinct))

    def __repr__(self) -> str:
        return f"Counted({self.distinct} values, {self.total} copies)"

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes are of this process only: what lies by its hash is placed again.
        return (counted_of, self.parts())


def counted_of(inside: Tree, outside: list[tuple[Key, Any, int]]) -> Counted:
    """A counted order from its parts."""
    made = Counted(inside)
    for head, value, n in outside:
        made = made.changed(value, n, head)
    return made


def changed(tree: Tree, key: Key, value: Any, by: int) -> Tree:
    """A tree with `by` more copies of a value.

    Fails  InvalidDelta, if there are fewer copies than are taken away.
    """
    try:
        return tree.change(key, value, by)
    except KeyError:
        raise absent(value) from None


def merged(large: Tree, small: Tree) -> Tree:
    """The entries of two trees, copies added up.

    Cost   O(small * log(large)), or O(both) where the small one is nearly as large.
    """
    if small.size * 8 > large.size:
        return Ordered.build(_added_up(merge_sorted(large.entries(), small.entries(), key=_KEY)))
    for key, item, n in small.entries():
        large = large.change(key, item, n)
    return large


_KEY: Callable[[Any], Any] = itemgetter(0)


def _added_up(entries: Iterable[tuple[Any, Any, int]]) -> Iterator[tuple[Any, Any, int]]:
    for key, run in groupby(entries, key=_KEY):
        (_, item, n), *rest = run
        yield key, item, n + sum(more for _, _, more in rest)


def merged_trees(a: Tree, b: Tree) -> Tree:
    """The entries of two trees in either order, copies added up."""
    return merged(a, b) if a.size >= b.size else merged(b, a)


def alike(a: Tree, b: Tree, *, copies_too: bool = True) -> bool:
    """Whether two trees hold the same values, and as many copies of each, whatever their shapes.

    Cost   O(d log n) for trees that are d changes apart.
    """
    if a.size != b.size or (copies_too and a.total != b.total):
        return False
    return all(_agree(old, new, copies_too) for _, old, new in differences(a, b))


def _agree(old: tuple[Any, int] | None, new: tuple[Any, int] | None, copies_too: bool) -> bool:
    """Whether two entries of one key are the same: items differ only where they lie by hash."""
    if old is None or new is None or (copies_too and old[1] != new[1]):
        return False
    return type(old[0]) is not Bucket or _members(old[0], copies_too) == _members(
        new[0], copies_too
    )


def _members(bucket: Bucket, copies_too: bool) -> frozenset[Any]:
    return frozenset((ident(v), n if copies_too else 1) for v, n in bucket)


def settled(entries: Iterable[tuple[Key, Any, int]]) -> Iterator[tuple[Any, int]]:
    """The values of the entries of one head with their copies, in order."""
    outside = []
    for entry in entries:
        if type(entry[1]) is Bucket:
            outside.append(entry)
        else:
            yield entry[1], entry[2]
    if outside:
        yield from outside_in_order(outside)


def outside_in_order(entries: Iterable[tuple[Key, Any, int]]) -> list[tuple[Any, int]]:
    """Values outside the total order with their copies, by type and text, then hash."""
    return sorted(
        (pair for _, bucket, _ in entries for pair in bucket),
        key=lambda pair: outside_place(pair[0]),
    )


def outside_place(value: Any) -> Key:
    """The sort key of a value outside the total order, among its like."""
    return (arrange(value), hash(ident(value)))


def bucket_of(entry: tuple[Any, int] | None) -> Bucket:
    """The bucket of an entry, empty where there is none."""
    return Bucket() if entry is None else entry[0]


def copies(pairs: Iterable[tuple[Any, int]]) -> Iterator[Any]:
    """Each value as often as there are copies of it."""
    for value, n in pairs:
        for _ in range(n):
            yield value


def absent(value: Any) -> InvalidDelta:
    """The error for a removal of what is not there."""
    return InvalidDelta(
        f"remove {value!r}",
        "there is no copy of it",
        "Remove only what is there, or add it first.",
    )
