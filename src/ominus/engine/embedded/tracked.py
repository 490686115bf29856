"""Operators whose functions read other views: each read is noted, and only what read it runs again.

Results are remembered per value, so that a removal needs no call, and a changed read is a
difference of two results.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT
from ominus.algebra.value import canon, ident
from ominus.engine.embedded.arrange import missing
from ominus.engine.embedded.joins import paired
from ominus.engine.embedded.lazily import Lazy
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.reading import reading, touched_tokens
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.engine.embedded.wave import Wave
from ominus.flow import ops

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


class Tracked(Node):
    """`filter`, `map` or `flat_map` with `reads=`: remembers each value's results and reads."""

    op: ops.Filter | ops.Map | ops.FlatMap

    def __init__(self, plan: Plan, op: Any, source: Node, other: Node) -> None:
        super().__init__(plan, op, source, other)
        self.other = other
        self.memo = Cells(plan.clock)
        self.readers = Bags(plan.clock)

    def step(self) -> Wave:
        out = Wave()
        given = self.inputs[0].wave or Wave()
        for key, value, n in given.leaving():
            self._leave(key, value, n, out)
        for item in self._stale():
            self._again(item, out)
        for key, value, n in given.joining():
            self._join(key, value, n, out)
        return paired(out) if self.op.kind.shape == "table" else out

    def dirty(self) -> bool:
        return bool(self.inputs[0].wave) or bool(self._touched())

    def _touched(self) -> list[Hashable]:
        if isinstance(self.other, Lazy):
            return self.other.touched()
        return touched_tokens(self.other)

    def _stale(self) -> list[Hashable]:
        found: dict[Hashable, None] = {}
        for token in self._touched():
            found.update(dict.fromkeys(self.readers.new(token)))
        return list(found)

    def _leave(self, key: Any, value: Any, n: int, out: Wave) -> None:
        item = (identity(key), identity(value))
        memo = self.memo.new(item)
        if memo is ABSENT or memo[2] < n:
            raise missing(self, key, value)
        results, tokens = memo[3], memo[4]
        self._emit(out.gone, key, results, n)
        if memo[2] == n:
            self.memo.put(item, ABSENT)
            self._note(item, tokens, -1)
        else:
            self.memo.put(item, (key, memo[1], memo[2] - n, results, tokens))

    def _join(self, key: Any, value: Any, n: int, out: Wave) -> None:
        item = (identity(key), identity(value))
        memo = self.memo.new(item)
        if memo is ABSENT:
            results, tokens = self._call(value)
            self._note(item, tokens, 1)
            memo = (key, value, 0, results, tokens)
        self.memo.put(item, (key, value, memo[2] + n, memo[3], memo[4]))
        self._emit(out.come, key, memo[3], n)

    def _again(self, item: Hashable, out: Wave) -> None:
        key, value, n, old, tokens = self.memo.new(item)
        results, now = self._call(value)
        if tokens != now:
            self._note(item, tokens, -1)
            self._note(item, now, 1)
        self.memo.put(item, (key, value, n, results, now))
        if list(map(ident, old)) != list(map(ident, results)):
            self._emit(out.gone, key, old, n)
            self._emit(out.come, key, results, n)

    def _emit(self, out: list[Any], key: Any, results: tuple[Any, ...], n: int) -> None:
        if self.op.kind.shape == "rows":
            key = ()
        out += [(key, x, n) for x in results]

    def _note(self, item: Hashable, tokens: frozenset[Hashable], by: int) -> None:
        for token in tokens:
            self.readers.shift(token, item, item, by)

    def _call(self, value: Any) -> tuple[tuple[Any, ...], frozenset[Hashable]]:
        tokens: set[Hashable] = set()
        other = (
            self.other.asked(tokens)
            if isinstance(self.other, Lazy)
            else reading(self.other, self.other.op, tokens)
        )
        self.count("calls")
        try:
            found = self.op.f(value, other)
            if isinstance(self.op, ops.Filter):
                results: tuple[Any, ...] = (value,) if found else ()
            elif isinstance(self.op, ops.Map):
                results = (canon(found),)
            else:
                results = tuple([canon(x) for x in found])
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return results, frozenset(tokens)
