"""A finite multiset: values with how many copies there are of each.

Immutable; equal exactly if the same values are there as often, whatever the history.
Unhashable values are welcome: what makes two values one is `ominus.algebra.value.ident`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from ominus.algebra.order import arrange, arranged, order
from ominus.algebra.value import canon, ident
from ominus.errors import InvalidDelta

V_co = TypeVar("V_co", covariant=True)
Entries = dict[Hashable, tuple[Any, int]]


class Multiset(Collection[V_co], Generic[V_co]):
    """Values with multiplicities; iteration, `len` and `in` count copies.

    Iteration goes in the total order, so that no history shows.

    >>> m = Multiset([3, 1, 3])
    >>> m, len(m), m.count(3), 2 in m
    (Multiset([1, 3, 3]), 3, 2, False)
    >>> m + Multiset([2]) - Multiset([3])
    Multiset([1, 2, 3])
    """

    __slots__ = ("_by", "_entries", "_size", "_sorted")
    _entries: Entries
    _size: int
    _sorted: list[tuple[Any, int]] | None
    _by: Callable[[Any], Any] | None

    def __init__(self, values: Iterable[V_co] = ()) -> None:
        entries: Entries = {}
        for given in values:
            value = canon(given, copied=True)
            i = ident(value)
            found = entries.get(i)
            entries[i] = (value, 1) if found is None else (found[0], found[1] + 1)
        _fill(self, entries)

    @classmethod
    def counted(cls, pairs: Iterable[tuple[V_co, int]]) -> Multiset[V_co]:
        """A multiset from values and how many copies there are of each.

        Fails  InvalidDelta, if a count is negative in the end.
        """
        entries: Entries = {}
        for given, n in pairs:
            value = canon(given, copied=True)
            i = ident(value)
            found = entries.get(i)
            entries[i] = (value, n) if found is None else (found[0], found[1] + n)
        for value, n in entries.values():
            if n < 0:
                raise InvalidDelta(
                    f"a multiset with {n} copies of {value!r}",
                    "a multiset holds no negative copies",
                    "Say what is removed in the `removed` part of a Delta.",
                )
        return multiset_of({i: e for i, e in entries.items() if e[1]})

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return self._size > 0

    def __contains__(self, value: object) -> bool:
        return ident(value) in self._entries

    def count(self, value: object) -> int:
        """How many copies of a value there are."""
        found = self._entries.get(ident(value))
        return 0 if found is None else found[1]

    def __iter__(self) -> Iterator[V_co]:
        for value, n in self.counts():
            for _ in range(n):
                yield value

    def counts(self) -> list[tuple[V_co, int]]:
        """The distinct values with their number of copies, in order."""
        if self._sorted is None:
            self._sorted = self._arranged()
        return list(self._sorted)

    def _arranged(self) -> list[tuple[Any, int]]:
        entries = self._entries
        if self._by is not None:
            by = self._by
            return sorted(entries.values(), key=lambda e: by(e[0]))
        if set(map(type, entries)) in ({int}, {str}):
            return [entries[i] for i in sorted(entries)]  # type: ignore[type-var]
        return sorted(entries.values(), key=lambda e: arrange(e[0]))

    def distinct(self) -> list[V_co]:
        """The distinct values, in order."""
        return [value for value, _ in self.counts()]

    def one(self) -> V_co:
        """The only value there is, one copy of it.

        Fails  ValueError, if there is none or more than one.
        """
        if self._size != 1:
            raise ValueError(f"one value of {self!r}: it holds {self._size}")
        return next(iter(self._entries.values()))[0]  # type: ignore[no-any-return]

    def __add__(self, other: Multiset[Any]) -> Multiset[Any]:
        """Union: multiplicities add up."""
        if not isinstance(other, Multiset):
            return NotImplemented
        return self._merged(other, lambda mine, theirs: mine + theirs)

    def __sub__(self, other: Multiset[Any]) -> Multiset[V_co]:
        """Difference: multiplicities are subtracted, never below none."""
        if not isinstance(other, Multiset):
            return NotImplemented
        return self._merged(other, lambda mine, theirs: max(0, mine - theirs))

    def __and__(self, other: Multiset[Any]) -> Multiset[V_co]:
        """Intersection: the smaller of the two multiplicities."""
        if not isinstance(other, Multiset):
            return NotImplemented
        both = {
            i: (v, min(n, other._entries[i][1]))
            for i, (v, n) in self._entries.items()
            if i in other._entries
        }
        return multiset_of(both)

    def _merged(self, other: Multiset[Any], how: Callable[[int, int], int]) -> Multiset[Any]:
        entries = dict(self._entries)
        for i, (value, n) in other._entries.items():
            mine = entries.get(i, (value, 0))
            left = how(mine[1], n)
            if left:
                entries[i] = (mine[0], left)
            else:
                entries.pop(i, None)
        return multiset_of(entries)

    def __le__(self, other: Multiset[Any]) -> bool:
        """Containment: every value is in the other at least as often."""
        if not isinstance(other, Multiset):
            return NotImplemented
        return all(n <= other._entries.get(i, (None, 0))[1] for i, (_, n) in self._entries.items())

    def __lt__(self, other: Multiset[Any]) -> bool:
        if not isinstance(other, Multiset):
            return NotImplemented
        return self._size < other._size and self <= other

    def __ge__(self, other: Multiset[Any]) -> bool:
        if not isinstance(other, Multiset):
            return NotImplemented
        return other <= self

    def __gt__(self, other: Multiset[Any]) -> bool:
        if not isinstance(other, Multiset):
            return NotImplemented
        return other < self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Multiset):
            return NotImplemented
        return (
            self._size == other._size
            and len(self._entries) == len(other._entries)
            and all(n == other._entries.get(i, (None, 0))[1] for i, (_, n) in self._entries.items())
        )

    def __hash__(self) -> int:
        return hash(self.__ident__())

    def __ident__(self) -> Hashable:
        return (Multiset, frozenset((i, n) for i, (_, n) in self._entries.items()))

    def __order__(self) -> tuple[Any, ...]:
        pairs = sorted((order(v), n) for v, n in self._entries.values())
        # The values first, as of a set, so that the two can be compared.
        return (8, tuple([k for k, _ in pairs]), "Multiset", tuple([n for _, n in pairs]))

    def __repr__(self) -> str:
        shown = list(self) if self._size <= 100 else [*self.distinct()[:20], ...]
        return f"Multiset({shown!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self.counts(), self._by is not None))


def _fill(m: Multiset[Any], entries: Entries, by: Callable[[Any], Any] | None = None) -> None:
    m._entries = entries
    m._size = sum(n for _, n in entries.values())
    m._sorted = None
    m._by = by


def _again(pairs: list[tuple[Any, int]], as_given: bool) -> Multiset[Any]:
    made = Multiset.counted(pairs)
    if as_given:
        # The function that ordered them may not travel; the order does.
        made._sorted = [(canon(v), n) for v, n in pairs]
    return made


def multiset_of(entries: Entries, *, by: Callable[[Any], Any] | None = None) -> Multiset[Any]:
    """A multiset that owns these entries, iterated by `by` where the total order is not meant."""
    made: Multiset[Any] = Multiset.__new__(Multiset)
    _fill(made, entries, by)
    return made


EMPTY: Multiset[Any] = Multiset()

__all__ = ["EMPTY", "Multiset", "arranged", "multiset_of"]
