"""Where the boxes of a picture stand: in columns, each after the columns that it reads.

1. The column of a box is one more than the last of those it reads; views that nothing reads
   share the last column.
2. An arrow over several columns gets a waypoint in each; arrows that start together share them.
3. Each column is sorted by where its neighbours stand, to and fro, and the order with the fewest
   crossings is kept.
4. Each box goes as near to its neighbours as its own neighbours in the column let it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

SWEEPS = 12
STARTS = 24
MOST_WORK = 2_000
"""Starts times pieces of arrows: a large flow gets fewer starts."""
GAP = 18.0
"""The least space between two boxes of a column."""


@dataclass(frozen=True)
class Way:
    """An arrow from start to end, over waypoints."""

    stops: tuple[str, ...]


@dataclass
class Layout:
    """The columns from left to right, each from top to bottom, and the middle of every box."""

    columns: list[list[str]]
    heights: dict[str, float]
    ways: list[Way] = field(default_factory=list)
    middle: dict[str, float] = field(default_factory=dict)

    def segments(self) -> set[tuple[str, str]]:
        """All pieces of arrows between two columns, each once."""
        return {piece for way in self.ways for piece in pairwise(way.stops)}


def layout(
    heights: Mapping[str, float], arrows: Sequence[tuple[str, str]], last: set[str]
) -> Layout:
    """Columns and positions for boxes of these heights; `last` go into the last column."""
    columns = columns_of(list(heights), arrows, last)
    made = Layout([[] for _ in range(max(columns.values(), default=0) + 1)], dict(heights))
    for name in heights:
        made.columns[columns[name]].append(name)
    for start, end in arrows:
        made.ways.append(Way((start, *_waypoints(made, start, columns, end), end)))
    _sort(made)
    _place(made)
    return made


def columns_of(
    names: Sequence[str], arrows: Sequence[tuple[str, str]], last: set[str]
) -> dict[str, int]:
    """The column of each box; names stand after those that they read.

    >>> columns_of("abc", [("a", "b"), ("b", "c"), ("a", "c")], set())
    {'a': 0, 'b': 1, 'c': 2}
    """
    found: dict[str, int] = {}
    for name in names:
        found[name] = 1 + max((found[a] for a, b in arrows if b == name), default=-1)
    end = max(found.values(), default=0)
    return {name: end if name in last else column for name, column in found.items()}


def _waypoints(made: Layout, start: str, columns: Mapping[str, int], end: str) -> list[str]:
    found = []
    for column in range(columns[start] + 1, columns[end]):
        name = f"{start}>{column}"
        if name not in made.heights:
            made.heights[name] = 0.0
            made.columns[column].append(name)
        found.append(name)
    return found


# The order within each column


def _sort(made: Layout) -> None:
    segments = made.segments()
    best, fewest = made.columns, _crossings(made.columns, segments)
    chance = Random(1)  # the same picture each time
    for start in range(max(1, min(STARTS, MOST_WORK // (len(segments) + 1)))):
        columns = [list(column) for column in made.columns]
        for column in columns if start else ():
            chance.shuffle(column)
        for sweep in range(SWEEPS):
            _sweep(columns, segments, forth=sweep % 2 == 0)
            crossed = _crossings(columns, segments)
            if crossed < fewest:
                best, fewest = [list(c) for c in columns], crossed
            if not fewest:
                break
    made.columns = best


def _sweep(columns: list[list[str]], segments: set[tuple[str, str]], *, forth: bool) -> None:
    for at in range(1, len(columns)) if forth else reversed(range(len(columns) - 1)):
        beside = columns[at - 1 if forth else at + 1]
        _by_neighbours(columns[at], {name: i for i, name in enumerate(beside)}, segments)


def _by_neighbours(
    column: list[str], place: Mapping[str, int], segments: set[tuple[str, str]]
) -> None:
    now = {name: float(i) for i, name in enumerate(column)}
    for name in column:
        near = [place[a] for a, b in segments if b == name and a in place]
        near += [place[b] for a, b in segments if a == name and b in place]
        if near:
            now[name] = sum(near) / len(near)
    column.sort(key=now.__getitem__)


def _crossings(columns: Sequence[Sequence[str]], segments: set[tuple[str, str]]) -> int:
    at = {name: i for column in columns for i, name in enumerate(column)}
    where = {name: n for n, column in enumerate(columns) for name in column}
    total = 0
    for n in range(len(columns) - 1):
        here = [(at[a], at[b]) for a, b in segments if where[a] == n]
        total += sum(a < c and b > d for a, b in here for c, d in here)
    return total


# The position of each box


def _place(made: Layout) -> None:
    near: dict[str, list[str]] = {name: [] for name in made.heights}
    for a, b in sorted(made.segments()):
        near[a].append(b)
        near[b].append(a)
    for column in made.columns:
        _spread(made, column, [0.0] * len(column))
    for sweep in range(SWEEPS * 4):
        for column in made.columns if sweep % 2 == 0 else reversed(made.columns):
            wanted = [_wanted(made, name, near[name]) for name in column]
            _spread(made, column, wanted)
    top = min((made.middle[n] - h / 2 for n, h in made.heights.items()), default=0.0)
    made.middle = {name: y - top for name, y in made.middle.items()}


def _wanted(made: Layout, name: str, near: Sequence[str]) -> float:
    if not near:
        return made.middle[name]
    weights = [_weight(made, name, other) for other in near]
    return sum(made.middle[o] * w for o, w in zip(near, weights, strict=True)) / sum(weights)


def _weight(made: Layout, a: str, b: str) -> int:
    # A long arrow that runs straight is easier to follow than boxes in line.
    return (1, 2, 8)[(made.heights[a] == 0) + (made.heights[b] == 0)]


def _spread(made: Layout, column: Sequence[str], wanted: Sequence[float]) -> None:
    """Put boxes as near to where they want to be as they can be, in order, without overlap.

    Least squares with ordered positions: neighbours that would overlap are moved as one block.
    """
    offsets, total = [], 0.0
    for i, name in enumerate(column):
        if i:
            total += (made.heights[column[i - 1]] + made.heights[name]) / 2 + GAP
        offsets.append(total)
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        mean, size = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, count = blocks.pop()
            mean = (mean * size + other * count) / (size + count)
            size += count
        blocks.append((mean, size))
    starts = [mean for mean, size in blocks for _ in range(size)]
    for name, start, offset in zip(column, starts, offsets, strict=True):
        made.middle[name] = start + offset
