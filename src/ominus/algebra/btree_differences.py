"""What differs between two trees, found without reading the subtrees that they share.

Two stacks hold what is still unread of each tree, the next part on top.
While the tops are one and the same object, both are skipped; else the taller is opened;
two leaves are merged, and what is left of the one that reaches further stays on its stack.
Skipping is right wherever the two parts stand in their trees: equal parts at the head of two
sorted sequences differ in nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ominus.algebra.btree import Leaf, Node, sliced

Held: TypeAlias = tuple[Any, int] | None
Difference: TypeAlias = tuple[Any, Held, Held]
Unread: TypeAlias = list[tuple[int, Node]]  # heights and nodes, the next one last


def tree_differences(old: tuple[int, Node], new: tuple[int, Node]) -> Iterator[Difference]:
    """Yield the key, the old entry and the new entry wherever two trees differ, in order."""
    olds, news = [old], [new]
    while olds and news:
        (height, a), (other_height, b) = olds[-1], news[-1]
        if a is b:
            olds.pop()
            news.pop()
        elif height and height >= other_height:
            open_top(olds)
        elif other_height:
            open_top(news)
        else:
            yield from merge_tops(olds, news)
    for key, item, count in unread_entries(olds):
        yield key, (item, count), None
    for key, item, count in unread_entries(news):
        yield key, None, (item, count)


def open_top(unread: Unread) -> None:
    height, node = unread.pop()
    unread.extend((height - 1, child) for child in reversed(node[1]))


def unread_entries(unread: Unread) -> Iterator[tuple[Any, Any, int]]:
    while unread:
        if unread[-1][0]:
            open_top(unread)
        else:
            yield from zip(*unread.pop()[1], strict=True)


def merge_tops(olds: Unread, news: Unread) -> list[Difference]:
    """Compare two leaves as far as both reach, and put back what is left."""
    old: Leaf = olds.pop()[1]
    new: Leaf = news.pop()[1]
    i = j = min(len(old[0]), len(new[0]))
    found: list[Difference] = []
    if not all(a[:i] == b[:j] for a, b in zip(old, new, strict=True)):
        found, i, j = merge_leaves(old, new)
    # A leaf that is put back whole stays the same object, so that it can still be skipped.
    if i < len(old[0]):
        olds.append((0, sliced(old, i) if i else old))
    if j < len(new[0]):
        news.append((0, sliced(new, j) if j else new))
    return found


def merge_leaves(old: Leaf, new: Leaf) -> tuple[list[Difference], int, int]:
    """Merge two leaves until one ends: the differences, and how far each was read."""
    old_keys, old_items, old_counts = old
    new_keys, new_items, new_counts = new
    found: list[Difference] = []
    i = j = 0
    while i < len(old_keys) and j < len(new_keys):
        key, other = old_keys[i], new_keys[j]
        if key == other:
            was, now = (old_items[i], old_counts[i]), (new_items[j], new_counts[j])
            # Tuples compare their members by identity first, then by `==`.
            if was != now:
                found.append((key, was, now))
            i += 1
            j += 1
        elif key < other:
            found.append((key, (old_items[i], old_counts[i]), None))
            i += 1
        else:
            found.append((other, None, (new_items[j], new_counts[j])))
            j += 1
    return found, i, j
