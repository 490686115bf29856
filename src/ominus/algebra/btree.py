"""The nodes of an ordered map: plain tuples of lists that are shared, and so never written to.

A leaf, at height 0, is `(keys, items, counts)`.
An inner node, at height h + 1, is `(seps, children, totals, sizes)` over children of height h;
`totals` and `sizes` hold the copies and the entries of each child.
`seps[i]` is above every key of `children[i]`, and not above any key of `children[i + 1]`.

Invariants, which `check_tree` holds a tree to:
  sorted     keys ascend strictly, inside a leaf and across the separators.
  positive   every count is at least 1.
  measured   `totals` and `sizes` are right.
  filled     a node that is not the root is between a quarter full and full.
  rooted     an inner root has at least two children.

Tuples make nodes cheap to create; lists make them cheap to copy with one place changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from operator import lt
from typing import Any, TypeAlias, cast

Leaf: TypeAlias = tuple[list[Any], list[Any], list[int]]
Inner: TypeAlias = tuple[list[Any], list[Any], list[int], list[int]]
Node: TypeAlias = Any  # a Leaf or an Inner: its height, which whoever holds it knows, says which
Path: TypeAlias = list[tuple[Inner, int]]  # from the root down: a node, and which child was taken

# Measured at 10 to 1,000,000 entries: smaller nodes make taller trees, larger ones slower copies.
LEAF, LEAF_MIN = 32, 8
FAN, FAN_MIN = 32, 8

# Most maps are of single copies: their leaves share these lists instead of each copying its own.
ONES = [[1] * width for width in range(LEAF + 2)]

EMPTY_LEAF: Leaf = ([], [], ONES[0])


def descend(node: Node, height: int, key: Any) -> tuple[Path, Leaf]:
    """Find the leaf where `key` is, or would be."""
    path = []
    for _ in range(height):
        i = bisect_right(node[0], key)
        path.append((node, i))
        node = node[1][i]
    return path, node


def descend_edge(node: Node, height: int, *, last: bool) -> tuple[Path, Leaf]:
    """Find the first or the last leaf."""
    path = []
    for _ in range(height):
        i = len(node[1]) - 1 if last else 0
        path.append((node, i))
        node = node[1][i]
    return path, node


def descend_to(node: Node, height: int, rank: int, *, by: int) -> tuple[Path, Leaf, int]:
    """Find the leaf of a copy (`by` = 2) or of an entry (`by` = 3), and its rank in the leaf."""
    path = []
    for _ in range(height):
        i, rank = place(node[by], rank)
        path.append((node, i))
        node = node[1][i]
    return path, node, rank


def leaves_beyond(path: Path, *, backwards: bool = False) -> Iterator[Leaf]:
    """Yield the leaves after, or before, the one that `path` leads to."""
    turn: Any = reversed if backwards else iter
    stack = [turn(node[1][:i] if backwards else node[1][i + 1 :]) for node, i in path]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif len(stack) == len(path):
            yield child
        else:
            stack.append(turn(child[1]))


def sliced(leaf: Leaf, start: int, end: int | None = None) -> Leaf:
    keys, items, counts = leaf
    return keys[start:end], items[start:end], counts[start:end]


def place(widths: list[int], rank: int) -> tuple[int, int]:
    """Find which part of these widths holds a rank, and the rank within that part."""
    for i, width in enumerate(widths):
        if rank < width:
            return i, rank
        rank -= width
    raise IndexError(f"asked for rank {rank} beyond the widths {widths}; run `check`")


def inserted(leaf: Leaf, i: int, key: Any, item: Any, count: int) -> Leaf:
    keys, items, counts = leaf
    keys, items = keys.copy(), items.copy()
    keys.insert(i, key)
    items.insert(i, item)
    if count == 1 and counts is ONES[len(counts)]:
        return keys, items, ONES[len(keys)]
    counts = counts.copy()
    counts.insert(i, count)
    return keys, items, counts


def dropped(leaf: Leaf, i: int) -> Leaf:
    keys, items, counts = leaf
    keys, items = keys.copy(), items.copy()
    del keys[i], items[i]
    if counts is ONES[len(counts)]:
        return keys, items, ONES[len(keys)]
    counts = counts.copy()
    del counts[i]
    return keys, items, counts


def recounted(leaf: Leaf, i: int, count: int) -> Leaf:
    keys, items, counts = leaf
    counts = counts.copy()
    counts[i] = count
    return keys, items, counts


def replaced(leaf: Leaf, i: int, item: Any, count: int) -> Leaf:
    keys, items, counts = leaf
    items = items.copy()
    items[i] = item
    return recounted((keys, items, counts), i, count)


def climb(path: Path, leaf: Leaf, by: int, grown: int) -> tuple[Node, int]:
    """Rebuild the path above a new `leaf` of `by` more copies and `grown` more entries.

    Law    everything that is not on the path, or beside a node that is refitted, is shared.
    Cost   O(log n).
    """
    node: Node = leaf
    height = 0
    loose = grown != 0 and not LEAF_MIN <= len(leaf[0]) <= LEAF
    for (seps, children, totals, sizes), i in reversed(path):
        children = children.copy()
        children[i] = node
        # Where all counts are 1, one list serves as both.
        alike = totals is sizes and by == grown
        totals = totals.copy()
        totals[i] += by
        if alike:
            sizes = totals
        elif grown:
            sizes = sizes.copy()
            sizes[i] += grown
        node = seps, children, totals, sizes
        if loose:
            node = refitted(node, i, height)
            loose = not FAN_MIN <= len(node[1]) <= FAN
        height += 1
    return rooted(node, height) if loose else (node, height)


def rooted(node: Node, height: int) -> tuple[Node, int]:
    """Make a root of a node that may be too wide, or have one child only."""
    if height and len(node[1]) == 1:
        return node[1][0], height - 1
    if len(node[1]) <= (FAN if height else LEAF):
        return node, height
    return over(*halves(node, height), height), height + 1


def refitted(parent: Inner, i: int, height: int) -> Inner:
    """Split child `i` where it is too wide, or join it to a neighbour where it is too narrow."""
    seps, children, totals, sizes = parent
    node, j, full = children[i], i + 1, FAN if height else LEAF
    if len(node[1]) <= full:
        i = max(0, i - 1)
        j = i + 2
        node = joined(children[i], seps[i], children[i + 1], height)
    middle, parts = halves(node, height) if len(node[1]) > full else ([], [shared(node)])
    _, _, new_totals, new_sizes = over(middle, parts, height)
    node = shared(
        (
            seps[:i] + middle + seps[j - 1 :],
            children[:i] + parts + children[j:],
            totals[:i] + new_totals + totals[j:],
            sizes[:i] + new_sizes + sizes[j:],
        )
    )
    return cast(Inner, node)


def halves(node: Node, height: int) -> tuple[list[Any], list[Node]]:
    """Cut a node in two, and say which key separates them."""
    at = len(node[1]) // 2
    keys, *rest = node
    left, right = [x[:at] for x in rest], [x[at:] for x in rest]
    sep, end = (keys[at - 1], at - 1) if height else (keys[at], at)
    return [sep], [shared((keys[:end], *left)), shared((keys[at:], *right))]


def joined(left: Node, sep: Any, right: Node, height: int) -> Node:
    """Make one node of two neighbours."""
    keys = [*left[0], sep, *right[0]] if height else left[0] + right[0]
    return keys, *(a + b for a, b in zip(left[1:], right[1:], strict=True))


def shared(node: Node) -> Node:
    """Let a node whose counts are all 1 hold the lists that say so once."""
    if len(node) == 4:
        seps, children, totals, sizes = node
        return (seps, children, totals, totals) if totals == sizes else node
    keys, items, counts = node
    ones = ONES[len(keys)]
    return (keys, items, ones) if counts == ones else node


def over(seps: list[Any], children: list[Node], height: int) -> Inner:
    """Make the inner node over `children`, which have this height."""
    totals = [sum(child[2]) for child in children]
    sizes = [sum(child[3]) if height else len(child[0]) for child in children]
    return seps, children, totals, totals if totals == sizes else sizes


def grow_tree(leaf: Leaf) -> tuple[Node, int]:
    """Build the tree over one long, sorted leaf, with nodes up to three quarters full.

    Cost   O(n).
    """
    keys, items, counts = leaf
    cuts = even_cuts(len(keys), LEAF)
    nodes: list[Node] = [shared((keys[a:b], items[a:b], counts[a:b])) for a, b in cuts]
    seps = [keys[a] for a, _ in cuts[1:]]
    height = 0
    while len(nodes) > 1:
        cuts = even_cuts(len(nodes), FAN)
        nodes = [over(seps[a : b - 1], nodes[a:b], height) for a, b in cuts]
        seps = [seps[a - 1] for a, _ in cuts[1:]]
        height += 1
    return nodes[0], height


def even_cuts(length: int, full: int) -> list[tuple[int, int]]:
    """Cut a length into nearly equal parts: one if it fits, else the fewest three quarters full."""
    parts = 1 if length <= full else -(-length // (full * 3 // 4))
    return [(length * k // parts, length * (k + 1) // parts) for k in range(parts)]


def check_tree(root: Node, height: int) -> tuple[int, int]:
    """Hold a tree to the invariants, and return its copies and entries.

    Fails  AssertionError, naming the invariant and the node that breaks it.
    """
    must(not height or len(root[1]) > 1, "rooted", root)
    return check_node(root, height, (None, None), is_root=True)


def check_node(node: Node, height: int, bounds: tuple[Any, Any], is_root: bool) -> tuple[int, int]:
    keys, below, totals = node[:3]
    low, high = bounds
    must(all(map(lt, keys, keys[1:])), "sorted", node)
    must(not keys or low is None or not keys[0] < low, "sorted", node)
    must(not keys or high is None or keys[-1] < high, "sorted", node)
    least, full = (FAN_MIN, FAN) if height else (LEAF_MIN, LEAF)
    must((is_root or least <= len(below)) and len(below) <= full, "filled", node)
    must(len(keys) == len(below) - bool(height) and len(totals) == len(below), "measured", node)
    must(all(count > 0 for count in totals), "positive", node)
    if not height:
        return sum(totals), len(keys)
    ends = [low, *keys, high]
    for i, child in enumerate(below):
        found = check_node(child, height - 1, (ends[i], ends[i + 1]), is_root=False)
        must(found == (totals[i], node[3][i]), "measured", node)
    return sum(totals), sum(node[3])


def must(holds: bool, name: str, node: Node) -> None:
    if not holds:
        raise AssertionError(f"an ordered map must be {name}; this node is not: {node!r:.300}")
