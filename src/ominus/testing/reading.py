"""What the oracle gives to be read: rows, a table, groups, and values on demand.

Read-only, and compared by value: two views are equal exactly if the same keys hold what is one.
They read as live views do, for the functions of users read them too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from typing import Any

from ominus.algebra.multiset import EMPTY, Multiset
from ominus.algebra.value import canon, ident, key_problem
from ominus.errors import Circle, KeyPresent, KeysCollide, ShapeRefuses

Pairs = Iterable[tuple[Any, Any]]


class Rows(Collection[Any]):
    """A multiset of values, which reads as its values.

    >>> rows = Rows([3, 1, 3])
    >>> len(rows), 3 in rows, list(rows), rows == Multiset([1, 3, 3])
    (3, True, [1, 3, 3], True)
    """

    def __init__(self, values: Iterable[Any]) -> None:
        self.value = values if isinstance(values, Multiset) else Multiset(values)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __contains__(self, value: object) -> bool:
        return value in self.value

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, Rows) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Rows({list(self)!r})"


class Keyed(Mapping[Any, Any]):
    """What is there by key; keys that are equal and yet two values are refused."""

    def __init__(self, entries: Pairs) -> None:
        keys: dict[Any, Any] = {}
        self._at: dict[Hashable, tuple[Any, Any]] = {}
        for key, value in entries:
            met = keys.setdefault(key, key)
            if key_problem(key, met):
                raise KeysCollide(f"key {key!r}", f"{met!r} is there", "Use one type of keys.")
            if key in self:
                raise KeyPresent(
                    f"{value!r} at key {key!r}",
                    f"{self[key]!r} is there",
                    "Give one row for each key.",
                )
            self._at[ident(key)] = (key, value)

    def absent(self, key: Any) -> Any:
        """What a key reads as that is not there."""
        raise KeyError(key)

    def __getitem__(self, key: Any) -> Any:
        found = self._at.get(ident(key))
        return self.absent(key) if found is None else found[1]

    def get(self, key: Any, default: Any = None) -> Any:
        """What is there, or the default."""
        # `self[key]` reads as nothing folded where the key is absent: only `in` tells.
        return self[key] if key in self else default  # noqa: SIM401

    def __contains__(self, key: object) -> bool:
        return ident(key) in self._at

    def __len__(self) -> int:
        return len(self._at)

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._at.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and _told(self) == _told(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self)!r})"


class Table(Keyed):
    """One value for each key.

    `nothing` gives what an absent key reads as, where it reads as anything.
    """

    def __init__(self, entries: Pairs, nothing: Callable[[], Any] | None = None) -> None:
        super().__init__(entries)
        self._nothing = nothing

    def absent(self, key: Any) -> Any:
        """Nothing folded, of what folds; else a KeyError."""
        return super().absent(key) if self._nothing is None else self._nothing()

    @property
    def value(self) -> Any:
        """The value of a table with one key, which is `()`."""
        return self[()]


class Groups(Keyed):
    """A multiset for each key, never an empty one."""

    def __init__(self, entries: Iterable[tuple[Any, Multiset[Any]]]) -> None:
        super().__init__((key, group) for key, group in entries if group)

    def absent(self, key: Any) -> Multiset[Any]:
        """The empty multiset."""
        return EMPTY


class OnDemand(Mapping[Any, Any]):
    """`f(key, self)` for the keys that are asked for; it has no keys of its own."""

    def __init__(self, f: Callable[[Any, OnDemand], Any]) -> None:
        self._f = f
        self._known: dict[Hashable, Any] = {}
        self._asked: list[Any] = []

    def __getitem__(self, key: Any) -> Any:
        i = ident(key := canon(key))
        if i not in self._known:
            if i in map(ident, self._asked):
                circle = " -> ".join(map(repr, [*self._asked, key]))
                raise Circle(
                    f"the lazy value of {key!r}",
                    f"it needs itself: {circle}",
                    "Break the circle in the function.",
                )
            self._asked.append(key)
            try:
                self._known[i] = canon(self._f(key, self))
            finally:
                self._asked.pop()
        return self._known[i]

    def __len__(self) -> int:
        raise self._refused()

    def __iter__(self) -> Iterator[Any]:
        raise self._refused()

    def _refused(self) -> ShapeRefuses:
        return ShapeRefuses(
            "the keys of a lazy view",
            "it has those that are asked for",
            "Ask for a key: view[key].",
        )


View = Rows | Table | Groups | OnDemand


def _told(view: Mapping[Any, Any]) -> dict[Hashable, Hashable]:
    return {ident(key): ident(value) for key, value in view.items()}
