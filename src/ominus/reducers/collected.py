"""The collections that `list`, `set` and `multiset` give: views of a counted order.

They never change, are made in no time, and share structure with the versions before them.
What is in them is found as a key is, on one path from the root.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from itertools import chain, islice
from typing import Any, TypeVar, overload

from ominus.algebra.multiset import Entries, Multiset
from ominus.algebra.order import Key, order
from ominus.algebra.value import ident
from ominus.reducers.counted import OUTSIDE, Counted, alike, copies, outside_in_order, settled

V_co = TypeVar("V_co", covariant=True)


class Ident:
    """The ident of a collection, made of its values only where it is hashed.

    Two versions of one collection are compared where they differ: that is what an engine asks,
    to tell whether a result has changed.
    """

    __slots__ = ("_plain", "copies_too", "counted", "of")

    def __init__(self, of: Any, counted: Counted, *, copies_too: bool = True) -> None:
        self.of, self.counted, self.copies_too = of, counted, copies_too
        self._plain: Hashable = None

    def plain(self) -> Hashable:
        """The ident in full."""
        if self._plain is None:
            self._plain = self.of.__plain__()
        return self._plain

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ident):
            return self.plain() == other
        if type(self.of) is not type(other.of):
            return False
        mine, theirs = self.counted, other.counted
        return mine.distinct == theirs.distinct and alike(
            mine.tree, theirs.tree, copies_too=self.copies_too
        )

    def __hash__(self) -> int:
        return hash(self.plain())


class OrderedList(Sequence[V_co]):
    """Values in the total order, copies included; equal to a list or tuple of the same values.

    Two values are the same where they are one: `1` is not `1.0` here, and NaN is NaN.

    Cost   O(log n) for an index, `in`, `count`, `index` and `rank`.

    >>> marks = ordered_list([30, 10, 20, 20])
    >>> marks, marks[-1], marks.count(20), marks.rank(20), marks.between(10, 30)
    (OrderedList([10, 20, 20, 30]), 30, 2, 1, (10, 20, 20))
    """

    __slots__ = ("_counted",)

    def __init__(self, counted: Counted) -> None:
        self._counted = counted

    def __len__(self) -> int:
        return self._counted.total

    def __iter__(self) -> Iterator[V_co]:
        return copies(self._counted.pairs())

    def __reversed__(self) -> Iterator[V_co]:
        outside = outside_in_order(self._counted.tree.entries(OUTSIDE))
        inside = self._counted.tree.reversed_entries(OUTSIDE)
        return copies(chain(reversed(outside), ((v, n) for _, v, n in inside)))

    @overload
    def __getitem__(self, index: int) -> V_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[V_co, ...]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if not isinstance(index, slice):
            return self._at(index)
        start, stop, step = index.indices(len(self))
        if step != 1:
            return tuple(self._at(i) for i in range(start, stop, step))
        return tuple(islice(self._from(start), max(0, stop - start)))

    def _at(self, index: int) -> Any:
        place = index + len(self) if index < 0 else index
        inside = self._counted.inside
        if 0 <= place < inside:
            return self._counted.tree.at(place)[1]
        if inside <= place < len(self):
            return next(islice(self._from(place), 1))
        raise IndexError(f"number {index} of {len(self)} values")

    def _from(self, start: int) -> Iterator[Any]:
        """The copies from an index on."""
        tree, inside = self._counted.tree, self._counted.inside
        if start >= inside:
            outside = copies(outside_in_order(tree.entries(OUTSIDE)))
            return islice(outside, start - inside, None)
        before = start - tree.at(start)[3]
        return islice(copies(settled(tree.entries_from(start))), before, None)

    def __contains__(self, value: object) -> bool:
        return self._counted.count(value) > 0

    def count(self, value: Any) -> int:
        """How many copies of a value there are."""
        return self._counted.count(value)

    def rank(self, value: Any) -> int:
        """How many copies come before a value in the total order; it need not be there.

        Cost   O(log n); for a value outside the total order, a sort of all that are.
        """
        return self._counted.rank(value)

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """The first index of a value.

        Fails  ValueError, if it is not there.
        """
        low, high, _ = slice(start, stop).indices(len(self))
        rank = self.rank(value)
        found = max(rank, low)
        if found < min(rank + self.count(value), high):
            return found
        raise ValueError(f"{value!r} is not among the {len(self)} values")

    def between(self, low: Any, high: Any) -> tuple[V_co, ...]:
        """The values from `low` on and before `high`, in order.

        Cost   O(log n + what is found).
        Fails  NotOrdered, if a bound is outside the total order.
        """
        found = self._counted.tree.entries(order(low), order(high))
        return tuple(copies((v, n) for _, v, n in found))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OrderedList):
            return self._counted == other._counted
        if not isinstance(other, list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(
            ident(a) == ident(b) for a, b in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return _hash(self, tuple)

    def __ident__(self) -> Ident:
        return Ident(self, self._counted)

    def __plain__(self) -> Hashable:
        return (OrderedList, frozenset((ident(v), n) for v, n in self._counted.pairs()))

    def __order__(self) -> Key:
        return (7, tuple(map(order, self)), "OrderedList")

    def __repr__(self) -> str:
        return f"OrderedList({_shown(self, len(self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (OrderedList, (self._counted,))


class OrderedSet(Set[V_co]):
    """Distinct values, iterated in the total order; equal to a set of the same values.

    Cost   O(log n) for `in`; O(1) for `len`.

    >>> seen = OrderedSet(counted_values(["b", "a", "b"]))
    >>> seen, "a" in seen, seen == {"a", "b"}, seen | {"c"}
    (OrderedSet(['a', 'b']), True, True, OrderedSet(['a', 'b', 'c']))
    """

    __slots__ = ("_counted",)

    def __init__(self, counted: Counted) -> None:
        self._counted = counted

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> OrderedSet[Any]:
        return OrderedSet(counted_values(it))

    def __len__(self) -> int:
        return self._counted.distinct

    def __iter__(self) -> Iterator[V_co]:
        return (value for value, _ in self._counted.pairs())

    def __contains__(self, value: object) -> bool:
        return self._counted.count(value) > 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OrderedSet):
            return self.__ident__() == other.__ident__()
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and all(v in self for v in other)

    def __hash__(self) -> int:
        return _hash(self, frozenset)

    def __ident__(self) -> Ident:
        return Ident(self, self._counted, copies_too=False)

    def __plain__(self) -> Hashable:
        return (OrderedSet, frozenset(map(ident, self)))

    def __order__(self) -> Key:
        return (8, tuple(map(order, self)), "OrderedSet")

    def __repr__(self) -> str:
        return f"OrderedSet({_shown(self, len(self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (OrderedSet, (self._counted,))


class OrderedMultiset(Multiset[V_co]):
    """A `Multiset` over a counted order; what needs all its values at once makes them once.

    Cost   O(log n) for `in` and `count`, O(1) for `len`.

    >>> OrderedMultiset(counted_values([3, 1, 3])) == Multiset([1, 3, 3])
    True
    """

    __slots__ = ("_counted", "_made")
    _made: Entries | None

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self._size = counted.total
        self._sorted = None
        self._by = None
        self._made = None

    @property
    def _entries(self) -> Entries:  # type: ignore[override]
        if self._made is None:
            self._made = {ident(v): (v, n) for v, n in self._counted.pairs()}
        return self._made

    def __contains__(self, value: object) -> bool:
        return self._counted.count(value) > 0

    def __iter__(self) -> Iterator[V_co]:
        return copies(self._counted.pairs())

    def count(self, value: object) -> int:
        """How many copies of a value there are."""
        return self._counted.count(value)

    def counts(self) -> list[tuple[V_co, int]]:
        """The distinct values with their number of copies, in order."""
        return list(self._counted.pairs())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OrderedMultiset):
            return self._counted == other._counted
        return Multiset.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(self.__plain__())

    def __ident__(self) -> Ident:
        return Ident(self, self._counted)

    def __plain__(self) -> Hashable:
        return Multiset.__ident__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (OrderedMultiset, (self._counted,))


def counted_values(values: Iterable[Any]) -> Counted:
    """The counted order of some values."""
    counted = Counted()
    for value in values:
        counted = counted.added(value)
    return counted


def ordered_list(values: Iterable[Any]) -> OrderedList[Any]:
    """The values as `list` of them gives them."""
    return OrderedList(counted_values(values))


def _hash(values: Any, plain: Callable[[Iterable[Any]], Hashable]) -> int:
    """The hash of what equals this, as far as it has one."""
    try:
        return hash(plain(values))
    except TypeError:
        return hash(values.__plain__())


def _shown(values: Iterable[Any], length: int) -> str:
    return repr([*values] if length <= 100 else [*islice(values, 20), ...])
