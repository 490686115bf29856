"""A sorted map with counts that never changes: each change is a new map that shares the rest.

It is a B+tree whose inner nodes hold how many copies and how many entries are below each child,
so that a rank, and the entry at a rank, are found as a key is: on one path from the root.
A map of up to 32 entries is a single leaf.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain, starmap
from operator import lt
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from ominus.algebra import btree
from ominus.algebra.btree import LEAF, ONES, Leaf, Node, Path
from ominus.algebra.btree_differences import tree_differences


class Sortable(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=Sortable)
V = TypeVar("V")

Entry: TypeAlias = tuple[K, V, int]
Placed: TypeAlias = tuple[K, V, int, int]


class Ordered(Generic[K, V]):
    """Map each key to an item and its number of copies, in the order of the keys.

    `<` must be total over the keys, and agree with `==`: equal keys are one entry.
    `None` as a bound means no bound; it is no key.
    No method changes the map; `change` and `put` return another one.

    Cost   O(log n), but for `build`, `==`, `check` and what an iteration yields.
    >>> marks = Ordered.build([(3, "c", 1), (5, "e", 2)]).change(4, "d", 1)
    >>> list(marks.entries(4)), marks.rank(5), marks.at(-1)
    ([(4, 'd', 1), (5, 'e', 2)], 2, (5, 'e', 2, 2))
    """

    __slots__ = ("_height", "_root", "size", "total")

    def __init__(self, root: Node, height: int, total: int, size: int) -> None:
        self._root = root
        self._height = height
        self.total = total
        self.size = size

    @classmethod
    def build(cls, sorted_entries: Iterable[Entry[K, V]]) -> Ordered[K, V]:
        """Make a map of entries in strictly ascending order of their keys.

        Cost   O(n).
        Fails  ValueError, if a key is not above the one before it, or a count is below 1.
        """
        entries = list(sorted_entries)
        leaf = [e[0] for e in entries], [e[1] for e in entries], [e[2] for e in entries]
        refuse_unsorted(leaf)
        root, height = btree.grow_tree(leaf)
        return cls(root, height, sum(leaf[2]), len(entries))

    # Changes.

    def change(self, key: K, item: V, by: int) -> Ordered[K, V]:
        """Add `by` copies of a key, or take copies away; a key that is present keeps its item.

        Fails  KeyError, if fewer copies are present than are taken away.
        """
        # Most maps are one leaf: they are spared the call.
        path, leaf = (
            btree.descend(self._root, self._height, key) if self._height else ([], self._root)
        )
        keys, _, counts = leaf
        i = bisect_left(keys, key)
        held = counts[i] if i < len(keys) and keys[i] == key else 0
        count = held + by
        if count < 0:
            raise KeyError(f"asked to take {-by} copies of {key!r}; {held} present; take no more")
        if not by:
            return self
        if not held:
            return self._with(path, btree.inserted(leaf, i, key, item, by), by, 1)
        if not count:
            return self._with(path, btree.dropped(leaf, i), by, -1)
        return self._with(path, btree.recounted(leaf, i, count), by, 0)

    def put(self, key: K, item: V, count: int) -> Ordered[K, V]:
        """Set the item and the count of a key; a count of 0 removes it.

        Fails  ValueError, if `count` is negative.
        """
        if count < 0:
            raise ValueError(f"asked to put {count} copies of {key!r}; put 0 or more")
        path, leaf = btree.descend(self._root, self._height, key)
        keys, items, counts = leaf
        i = bisect_left(keys, key)
        held = counts[i] if i < len(keys) and keys[i] == key else 0
        if count == held and (not held or items[i] is item):
            return self
        if not held:
            return self._with(path, btree.inserted(leaf, i, key, item, count), count, 1)
        if not count:
            return self._with(path, btree.dropped(leaf, i), -held, -1)
        return self._with(path, btree.replaced(leaf, i, item, count), count - held, 0)

    def _with(self, path: Path, leaf: Leaf, by: int, grown: int) -> Ordered[K, V]:
        if path or len(leaf[0]) > LEAF:
            root, height = btree.climb(path, leaf, by, grown)
            return Ordered(root, height, self.total + by, self.size + grown)
        return Ordered(leaf, 0, self.total + by, self.size + grown)

    # By key.

    def get(self, key: K) -> tuple[V, int] | None:
        """Return the item and the count of a key, or None."""
        node = self._root
        for _ in range(self._height):
            node = node[1][bisect_right(node[0], key)]
        keys, items, counts = node
        i = bisect_left(keys, key)
        return (items[i], counts[i]) if i < len(keys) and keys[i] == key else None

    def count(self, key: K) -> int:
        """Return the number of copies of a key, 0 if there are none."""
        entry = self.get(key)
        return entry[1] if entry else 0

    def __contains__(self, key: K) -> bool:
        return self.get(key) is not None

    def rank(self, key: K) -> int:
        """Count the copies before a key, which need not be present."""
        node, before = self._root, 0
        for _ in range(self._height):
            i = bisect_right(node[0], key)
            before += sum(node[2][:i])
            node = node[1][i]
        i = bisect_left(node[0], key)
        counts = node[2]
        return before + (i if counts is ONES[len(counts)] else sum(counts[:i]))

    def position(self, key: K) -> int:
        """Count the entries before a key, which need not be present."""
        node, before = self._root, 0
        for _ in range(self._height):
            i = bisect_right(node[0], key)
            before += sum(node[3][:i])
            node = node[1][i]
        return before + bisect_left(node[0], key)

    def count_between(self, lo: K | None = None, hi: K | None = None) -> int:
        """Count the copies from `lo` on and before `hi`."""
        start = 0 if lo is None else self.rank(lo)
        end = self.total if hi is None else self.rank(hi)
        return max(0, end - start)

    # By rank.

    def at(self, index: int) -> Placed[K, V]:
        """Return the entry that holds the copy at an index, and the copies before that entry.

        Fails  IndexError, outside -total to total - 1.
        """
        rest = index = within(index, self.total, "copies")
        node = self._root
        for _ in range(self._height):
            i, rest = btree.place(node[2], rest)
            node = node[1][i]
        keys, items, counts = node
        if counts is ONES[len(counts)]:
            return keys[rest], items[rest], 1, index
        i, rest = btree.place(counts, rest)
        return keys[i], items[i], counts[i], index - rest

    def entry_at(self, position: int) -> Placed[K, V]:
        """Return the entry at a position among the entries, as `at` does.

        Fails  IndexError, outside -size to size - 1.
        """
        position = within(position, self.size, "entries")
        path, leaf, i = btree.descend_to(self._root, self._height, position, by=3)
        before = sum(sum(node[2][:taken]) for node, taken in path) + sum(leaf[2][:i])
        return leaf[0][i], leaf[1][i], leaf[2][i], before

    def first(self) -> Entry[K, V]:
        """Return the lowest entry.

        Fails  IndexError, if there is none.
        """
        return self._edge(last=False)

    def last(self) -> Entry[K, V]:
        """Return the highest entry.

        Fails  IndexError, if there is none.
        """
        return self._edge(last=True)

    def _edge(self, *, last: bool) -> Entry[K, V]:
        end = -1 if last else 0
        within(end, self.size, "entries")
        _, (keys, items, counts) = btree.descend_edge(self._root, self._height, last=last)
        return keys[end], items[end], counts[end]

    # In order.

    def entries(self, lo: K | None = None, hi: K | None = None) -> Iterator[Entry[K, V]]:
        """Yield the entries from `lo` on and before `hi`, ascending."""
        return chain.from_iterable(starmap(zip, self._leaves(lo, hi)))

    def _leaves(self, lo: K | None, hi: K | None) -> Iterator[Leaf]:
        if lo is None:
            path, leaf = btree.descend_edge(self._root, self._height, last=False)
        else:
            path, leaf = btree.descend(self._root, self._height, lo)
            leaf = btree.sliced(leaf, bisect_left(leaf[0], lo))
        for part in chain((leaf,), btree.leaves_beyond(path)):
            if hi is not None and part[0] and not part[0][-1] < hi:
                yield btree.sliced(part, 0, bisect_left(part[0], hi))
                return
            yield part

    def entries_from(self, index: int) -> Iterator[Entry[K, V]]:
        """Yield the entries from the one that holds the copy at an index, ascending.

        An index is clamped as that of a slice: none from `total` on, all from `-total` back.
        """
        index = max(0, index + self.total) if index < 0 else index
        if index >= self.total:
            return iter(())
        path, leaf, rest = btree.descend_to(self._root, self._height, index, by=2)
        leaf = btree.sliced(leaf, btree.place(leaf[2], rest)[0])
        return chain.from_iterable(starmap(zip, chain((leaf,), btree.leaves_beyond(path))))

    def reversed_entries(self, hi: K | None = None) -> Iterator[Entry[K, V]]:
        """Yield the entries before `hi`, descending."""
        if hi is None:
            path, leaf = btree.descend_edge(self._root, self._height, last=True)
        else:
            path, leaf = btree.descend(self._root, self._height, hi)
            leaf = btree.sliced(leaf, 0, bisect_left(leaf[0], hi))
        leaves = chain((leaf,), btree.leaves_beyond(path, backwards=True))
        return chain.from_iterable(zip(*map(reversed, leaf), strict=True) for leaf in leaves)

    # As a value.

    def __len__(self) -> int:
        return self.size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ordered):
            return NotImplemented
        if (self.size, self.total) != (other.size, other.total):
            return False
        return next(differences(self, other), None) is None

    def __reduce__(self) -> tuple[Any, ...]:
        return Ordered.build, (list(self.entries()),)

    def __repr__(self) -> str:
        return f"Ordered(size={self.size}, total={self.total})"

    def check(self) -> None:
        """Hold the map to the invariants that `btree` names.

        Cost   O(n).
        Fails  AssertionError, naming the invariant that is broken.
        """
        found = btree.check_tree(self._root, self._height)
        btree.must(found == (self.total, self.size), "measured", self._root)


def differences(
    old: Ordered[K, V], new: Ordered[K, V]
) -> Iterator[tuple[K, tuple[V, int] | None, tuple[V, int] | None]]:
    """Yield (key, old entry, new entry) wherever two maps differ, in the order of the keys.

    Items are compared by identity, then by `==`.

    Cost   O(d log n) for d changes between a map and its descendant; O(n) at most.
    """
    return tree_differences((old._height, old._root), (new._height, new._root))


def within(index: int, length: int, what: str) -> int:
    """Turn an index that may count from the end into one from the start."""
    found = index + length if index < 0 else index
    if 0 <= found < length:
        return found
    bounds = f"ask from {-length} to {length - 1}" if length else "add some first"
    raise IndexError(f"asked for number {index} of {length} {what}; {bounds}")


def refuse_unsorted(leaf: Leaf) -> None:
    keys, _, counts = leaf
    if not all(map(lt, keys, keys[1:])):
        i = next(i for i in range(1, len(keys)) if not keys[i - 1] < keys[i])
        raise ValueError(
            f"asked to build from ascending keys; {keys[i]!r} follows {keys[i - 1]!r}; "
            "sort the entries, and add up those of equal keys"
        )
    if counts and min(counts) < 1:
        i = counts.index(min(counts))
        raise ValueError(f"asked to build from counts; {keys[i]!r} has {counts[i]}; leave it out")


EMPTY: Ordered[Any, Any] = Ordered.build(())
