"""Joins: from what went, came and stayed on each side, the pairs that went and came.

With L = gone + stayed before and stayed + come after, likewise R:
    pairs that went = gone(L) x old(R)  +  stayed(L) x gone(R)
    pairs that came = come(L) x new(R)  +  stayed(L) x come(R)
so `into` is called on pairs of the old state, then on pairs of the new one, and on no others.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.value import canon
from ominus.engine.embedded.arrange import Found, Side
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.store import identity
from ominus.engine.embedded.wave import Item, Wave
from ominus.errors import KeyPresent, NoneFound
from ominus.flow import ops
from ominus.flow.types import may_be_none, part_type

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


class Join(Node):
    """Keeps nothing of its own: both sides are looked up in their arrangements."""

    op: ops.Join

    def __init__(self, plan: Plan, op: ops.Join, left: Node, right: Node) -> None:
        super().__init__(plan, op, left, right)
        self.left, self.right = Side(left), Side(right)
        self.refuses_none = op.match_none is None and all(
            may_be_none(_matched(side, on)) is not False
            for side, on in ((op.left, op.left_on), (op.right, op.right_on))
        )

    def step(self) -> Wave:
        out = Wave()
        places = dict.fromkeys(self.left.touched())
        places.update(dict.fromkeys(self.right.touched()))
        how = self.op.how
        for j in places:
            none = holds_none(j)
            if none and self.refuses_none:
                self._refuse_none(j)
            meets = not (none and self.op.match_none is False)
            if how in ("semi", "anti"):
                self._filter(j, meets, out)
                continue
            if meets:
                self._pairs(j, out)
            elif how == "full" and self.op.kind.shape == "table":
                self._one_side(j)
            if how in ("left", "full"):
                self._alone(j, meets, self.left, self.right, out, left=True)
            if how in ("right", "full"):
                self._alone(j, meets, self.right, self.left, out, left=False)
        return paired(out) if self.op.kind.shape == "table" else out

    def _refuse_none(self, j: Hashable) -> None:
        rows = (row for side in (self.left, self.right) for row in side.new(j))
        row = next(rows, None)
        if row is not None:
            asked = f"join of {row[2]!r}"
            todo = "Say match_none=True, or match_none=False as SQL does."
            raise self.failed(NoneFound(asked, "what is matched is None", todo), row[2])

    def _one_side(self, j: Hashable) -> None:
        """Refuse two values for one key: a table has no place for both."""
        left, right = next(self.left.new(j), None), next(self.right.new(j), None)
        if left is not None and right is not None:
            raise KeyPresent(
                f"full join of tables at key {left[1]!r}",
                f"both {left[2]!r} and {right[2]!r} are there, and match_none=False keeps "
                "them apart",
                "A table has one value for each key: say match_none=True, or group both sides.",
            )

    def _pairs(self, j: Hashable, out: Wave) -> None:
        gone_l, come_l = self.left.net(j)
        gone_r, come_r = self.right.net(j)
        stayed_l = self.left.stayed(j) if gone_r or come_r else []
        if gone_l:
            self._cross(gone_l, list(self.right.old(j)), out.gone)
        if gone_r:
            self._cross(stayed_l, gone_r, out.gone)
        if come_l:
            self._cross(come_l, list(self.right.new(j)), out.come)
        if come_r:
            self._cross(stayed_l, come_r, out.come)

    def _cross(self, lefts: list[Found], rights: list[Found], out: list[Item]) -> None:
        into = None if self.op.into is None else self.calling(self.op.into)
        keyed = self.op.kind.shape != "rows"
        left = right = None
        try:
            for _, key, left, n in lefts:
                for _, _, right, m in rights:
                    value = (left, right) if into is None else canon(into(left, right))
                    out.append((key if keyed else (), value, n * m))
        except Exception as cause:
            raise self.failed(cause, (left, right)) from cause
        self.count("pairs", len(lefts) * len(rights))

    def _alone(
        self, j: Hashable, meets: bool, mine: Side, other: Side, out: Wave, *, left: bool
    ) -> None:
        """The rows of one side that have no match, before and after."""
        was = not meets or not other.was(j)
        now = not meets or next(other.new(j), None) is None
        if was and now:
            gone, come = mine.net(j)
        else:
            gone = list(mine.old(j)) if was else []
            come = list(mine.new(j)) if now else []
        self._single(gone, out.gone, left)
        self._single(come, out.come, left)

    def _single(self, rows: list[Found], out: list[Item], left: bool) -> None:
        into = None if self.op.into is None else self.calling(self.op.into)
        keyed = self.op.kind.shape != "rows"
        pair = None
        try:
            for _, key, value, n in rows:
                pair = (value, None) if left else (None, value)
                out.append((key if keyed else (), pair if into is None else canon(into(*pair)), n))
        except Exception as cause:
            raise self.failed(cause, pair) from cause

    def _filter(self, j: Hashable, meets: bool, out: Wave) -> None:
        """Semi and anti joins: the left's values, under their keys, while they (do not) match."""
        semi = self.op.how == "semi"
        was = (meets and self.right.was(j)) == semi
        now = (meets and next(self.right.new(j), None) is not None) == semi
        if was and now:
            gone, come = self.left.net(j)
        else:
            gone = list(self.left.old(j)) if was else []
            come = list(self.left.new(j)) if now else []
        out.gone += [(key, value, n) for _, key, value, n in gone]
        out.come += [(key, value, n) for _, key, value, n in come]


def paired(wave: Wave) -> Wave:
    """The wave of a table: what goes and comes at one key is one update."""
    if not wave.gone or not wave.come:
        return wave
    gone = {identity(key): value for key, value, _ in wave.gone}
    come = []
    for key, value, n in wave.come:
        i = identity(key)
        if i in gone:
            wave.moved.append((key, gone.pop(i), value))
        else:
            come.append((key, value, n))
    left = [item for item in wave.gone if identity(item[0]) in gone]
    return Wave(left, come, wave.moved)


def holds_none(j: Any) -> bool:
    """Whether what a join matches is None, or a tuple with one."""
    # The identity of a tuple is its type, then its parts' identities; None is its own.
    return j is None or (
        type(j) is tuple and len(j) > 1 and j[0] is tuple and any(p is None for p in j[1:])
    )


def _matched(side: ops.Op, on: Any) -> Any:
    return side.kind.key if on is None else part_type(side.kind.value, on, asked="join")
