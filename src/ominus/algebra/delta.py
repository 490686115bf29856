"""Collections and deltas: keys to multisets, and what is added to and removed from them.

A delta is valid for a collection if what it removes is there.
`C.apply(d)` is the paper's `C • Δ`: removals first, then additions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ominus.algebra.multiset import EMPTY, Multiset
from ominus.algebra.order import arranged
from ominus.algebra.value import canon, ident, key_problem
from ominus.errors import InvalidDelta, KeysCollide

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Groups = Mapping[K, Iterable[V]]


class Collection(Mapping[K, Multiset[V]], Generic[K, V]):
    """A function from keys to finite multisets: every key that is not there has the empty one.

    >>> c = Collection({"k": [3, 5, 7]})
    >>> c["k"], c["absent"]
    (Multiset([3, 5, 7]), Multiset([]))
    """

    __slots__ = ("_groups",)
    _groups: dict[Hashable, tuple[K, Multiset[V]]]

    def __init__(self, groups: Groups[K, V] | None = None) -> None:
        self._groups = _groups(groups or {})

    def __getitem__(self, key: K) -> Multiset[V]:
        found = self._groups.get(ident(key))
        return EMPTY if found is None else found[1]

    def __iter__(self) -> Iterator[K]:
        return iter(arranged([key for key, _ in self._groups.values()]))

    def __len__(self) -> int:
        return len(self._groups)

    def __contains__(self, key: object) -> bool:
        return ident(key) in self._groups

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Collection):
            return NotImplemented
        return len(self) == len(other) and all(
            i in other._groups and m == other._groups[i][1] for i, (_, m) in self._groups.items()
        )

    def __hash__(self) -> int:
        return hash(frozenset((i, m) for i, (_, m) in self._groups.items()))

    def __repr__(self) -> str:
        inside = ", ".join(f"{k!r}: {list(m)!r}" for k, m in self.items())
        return f"Collection({{{inside}}})"

    def apply(self, delta: Delta[K, V]) -> Collection[K, V]:
        """The collection after a delta.

        Law    C.apply(d).apply(e) == C.apply(d.then(e))
        Fails  InvalidDelta, if the delta removes what is not there.
        """
        keys = _together(self, delta.removed, delta.added)
        delta.check(self)
        groups = {key: self[key] for key in keys}
        for key in delta.keys():
            groups[key] = (self[key] - delta.removed[key]) + delta.added[key]
        return Collection(groups)


class Delta(Generic[K, V]):
    """What is added to each key and what is removed from it.

    >>> d = Delta(removed={"k": [5]}, added={"k": [2]})
    >>> Collection({"k": [3, 5, 7]}).apply(d)
    Collection({'k': [2, 3, 7]})
    """

    __slots__ = ("added", "removed")
    added: Collection[K, V]
    removed: Collection[K, V]

    def __init__(
        self, *, added: Groups[K, V] | None = None, removed: Groups[K, V] | None = None
    ) -> None:
        self.added = Collection(added)
        self.removed = Collection(removed)
        _together(self.removed, self.added)

    def keys(self) -> list[K]:
        """The keys that the delta names."""
        return _together(self.removed, self.added)

    def __len__(self) -> int:
        """How many copies are removed and added: |Δ⁻| + |Δ⁺|."""
        return sum(len(m) for part in (self.removed, self.added) for m in part.values())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Delta) and self.added == other.added and self.removed == other.removed
        )

    def __hash__(self) -> int:
        return hash((self.added, self.removed))

    def __repr__(self) -> str:
        parts = [
            f"{n}={dict((k, list(m)) for k, m in getattr(self, n).items())!r}"
            for n in ("removed", "added")
            if len(getattr(self, n))
        ]
        return f"Delta({', '.join(parts)})"

    def check(self, collection: Collection[K, V]) -> None:
        """Refuse a delta that removes what the collection does not have.

        Fails  InvalidDelta, which names key, value and counts.
        """
        for key, gone in self.removed.items():
            there = collection[key]
            for value, n in gone.counts():
                if n > there.count(value):
                    raise InvalidDelta(
                        f"remove {n} of {value!r} at key {key!r}",
                        f"the collection has {there.count(value)} there",
                        "Remove only what is there, or add it first.",
                    )

    def valid_for(self, collection: Collection[K, V]) -> bool:
        """Whether all that is removed is there."""
        return all(gone <= collection[key] for key, gone in self.removed.items())

    def then(self, later: Delta[K, V]) -> Delta[K, V]:
        """This delta and then another, as one.

        Law    C.apply(d.then(e)) == C.apply(d).apply(e), wherever both sides are valid
        """
        _together(self.removed, self.added, later.removed, later.added)
        removed: dict[K, Multiset[V]] = dict(self.removed)
        added: dict[K, Multiset[V]] = dict(self.added)
        for key in later.keys():
            mine, gone = self.added[key], later.removed[key]
            removed[key] = self.removed[key] + (gone - mine)
            added[key] = (mine - gone) + later.added[key]
        return Delta(added=added, removed=removed)

    def inverted(self) -> Delta[K, V]:
        """The delta that takes this one back.

        Law    C.apply(d).apply(d.inverted()) == C
        """
        return Delta(added=self.removed, removed=self.added)


def diff(old: Groups[K, V], new: Groups[K, V]) -> Delta[K, V]:
    """The delta from one collection to another, its two parts disjoint.

    Law    Collection(old).apply(diff(old, new)) == Collection(new)
    Cost   O(both); engines propagate deltas and diff only what was recomputed.
    """
    before, after = Collection(old), Collection(new)
    keys = _together(before, after)
    return Delta(
        removed={k: before[k] - after[k] for k in keys},
        added={k: after[k] - before[k] for k in keys},
    )


def _groups(groups: Mapping[Any, Iterable[Any]]) -> dict[Hashable, tuple[Any, Multiset[Any]]]:
    if isinstance(groups, Collection):
        return groups._groups
    found: dict[Hashable, tuple[Any, Multiset[Any]]] = {}
    for key, values in groups.items():
        group = values if isinstance(values, Multiset) else Multiset(values)
        if group:
            i = ident(key)
            found[i] = (canon(key), found[i][1] + group if i in found else group)
    return found


def _together(*parts: Collection[Any, Any]) -> list[Any]:
    """The keys of several collections.

    Fails  KeysCollide, if two of them are equal and yet two values.
    """
    seen: dict[Any, Any] = {}
    for part in parts:
        for key, _ in part._groups.values():
            there = seen.setdefault(key, key)
            if there is not key and key_problem(key, there):
                raise KeysCollide(f"key {key!r}", f"{there!r} is there", "Use one type of keys.")
    return arranged(seen)
