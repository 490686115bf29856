"""What `group` shows: a sorted, immutable mapping of buckets, shared between versions.

It keeps the states and reads a bucket's result when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ominus.algebra.order import arrange, order
from ominus.algebra.ordered import Ordered, differences
from ominus.algebra.value import canon, ident, one

K = TypeVar("K")
R = TypeVar("R")

States = Ordered[Any, Any]
"""From a bucket's place in the order to the bucket and its state, counted by rows."""


class Held(tuple[Any, Any]):
    """A bucket and its state, told apart by identity: equal states may still read differently."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Shared:
    """The ident of buckets, made of all of them only where it is hashed.

    Two versions are compared where they differ, which is what an engine asks of a result.
    """

    __slots__ = ("_plain", "of")

    def __init__(self, of: Buckets[Any, Any]) -> None:
        self.of = of
        self._plain: Hashable = None

    def plain(self) -> Hashable:
        """The ident in full."""
        if self._plain is None:
            pairs = self.of._pairs()
            self._plain = (Buckets, frozenset((ident(k), ident(v)) for k, v in pairs))
        return self._plain

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shared):
            return self.plain() == other
        mine, theirs = self.of, other.of
        if len(mine) != len(theirs):
            return False
        if mine._read is not theirs._read:
            return self.plain() == other.plain()
        return all(
            old is not None
            and new is not None
            and one(old[0][0], new[0][0])
            and one(mine._shown(old[0][1]), theirs._shown(new[0][1]))
            for _, old, new in differences(mine._states, theirs._states)
        )

    def __hash__(self) -> int:
        return hash(self.plain())


class Buckets(Mapping[K, R], Generic[K, R]):
    """A mapping of buckets, in the total order; equal to any mapping with the same items.

    Buckets are told apart as values are: `1`, `1.0` and `True` are three.

    Cost   O(1) to make; O(log n) to look up a bucket.

    >>> buckets_of({"b": 2, "a": 1})
    {'a': 1, 'b': 2}
    """

    __slots__ = ("_read", "_states")

    def __init__(self, states: States, read: Callable[[Any], R]) -> None:
        self._states = states
        self._read = read

    def __getitem__(self, bucket: Any) -> R:
        found = self._states.get(arrange(bucket))
        if found is None or not one(found[0][0], bucket):
            raise KeyError(bucket)
        return self._shown(found[0][1])

    def __contains__(self, bucket: object) -> bool:
        found = self._states.get(arrange(bucket))
        return found is not None and one(found[0][0], bucket)

    def __iter__(self) -> Iterator[K]:
        return (entry[1][0] for entry in self._states.entries())

    def __len__(self) -> int:
        return self._states.size

    def _shown(self, state: Any) -> R:
        return canon(self._read(state))  # type: ignore[no-any-return]

    def _pairs(self) -> list[tuple[K, R]]:
        return [(item[0], self._shown(item[1])) for _, item, _ in self._states.entries()]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Mapping):
            return NotImplemented
        if len(self) != len(other):
            return False
        for bucket, result in self._pairs():
            if bucket not in other or not _equal(other[bucket], result):
                return False
        return True

    def __hash__(self) -> int:
        return hash(frozenset((ident(k), v) for k, v in self._pairs()))

    def __ident__(self) -> Shared:
        return Shared(self)

    def __order__(self) -> tuple[Any, ...]:
        return (9, tuple((order(k), order(v)) for k, v in self._pairs()), "Buckets")

    def __repr__(self) -> str:
        inside = ", ".join(f"{k!r}: {v!r}" for k, v in self._pairs())
        return f"{{{inside}}}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_of_pairs, (self._pairs(),))


def buckets_of(results: Mapping[K, R]) -> Buckets[K, R]:
    """The buckets of a mapping from buckets to results."""
    return _of_pairs(list(results.items()))


def _of_pairs(pairs: list[tuple[K, R]]) -> Buckets[K, R]:
    entries = sorted(((arrange(k), Held((k, v)), 1) for k, v in pairs), key=lambda entry: entry[0])
    return Buckets(Ordered.build(entries), _itself)


def _itself(result: R) -> R:
    return result


def _equal(a: Any, b: Any) -> bool:
    return a is b or bool(a == b)
