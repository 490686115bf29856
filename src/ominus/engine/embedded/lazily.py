"""Lazy values: computed for the keys that are asked for, remembered while what they read stands.

Each remembered value has the tokens of what it read: of the views, and of its own other keys.
A change upstream drops the values that read it, and those that read them; the rest are kept.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT
from ominus.algebra.value import canon
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.reading import reading, touched_tokens
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.engine.embedded.wave import Wave
from ominus.errors import Circle
from ominus.flow import ops

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan

Tokens = set[Hashable]


class Lazy(Node):
    """Keeps the values that were asked for."""

    op: ops.Lazy

    def __init__(self, plan: Plan, op: ops.Lazy, *views: Node) -> None:
        super().__init__(plan, op, *views)
        self.memo = Cells(plan.clock)
        self.readers = Bags(plan.clock)
        self.dropped: dict[Hashable, None] = {}
        self.path: list[Any] = []

    def dirty(self) -> bool:
        return any(self._view_tokens())

    def _view_tokens(self) -> list[Hashable]:
        found: list[Hashable] = []
        for n, node in enumerate(self.inputs):
            inner = node.touched() if isinstance(node, Lazy) else touched_tokens(node)
            found += [(n, token) for token in inner]
        return found

    def step(self) -> Wave:
        waiting = self._view_tokens()
        while waiting:
            for i in list(self.readers.new(waiting.pop())):
                if i not in self.dropped:
                    self.dropped[i] = None
                    waiting.append(("self", i))
        for i in self.dropped:
            memo = self.memo.new(i)
            if memo is not ABSENT:
                self._note(i, memo[1], -1)
                self.memo.put(i, ABSENT)
        self.count("dropped", len(self.dropped))
        return Wave()

    def clear(self) -> None:
        super().clear()
        self.dropped = {}

    def touched(self) -> list[Hashable]:
        """The tokens of the keys whose values were dropped in this transaction."""
        return [("key", i) for i in self.dropped]

    def asked(self, tokens: Tokens) -> Asked:
        """The lazy values as a user function sees them, with its reads noted."""
        return Asked(self, tokens)

    def value(self, key: Any) -> Any:
        """The value of a key, remembered or computed now."""
        i = identity(key)
        found = self.memo.new(i)
        if found is not ABSENT:
            return found[0]
        tokens: Tokens = set()
        views = [_Numbered(node, n, tokens) for n, node in enumerate(self.inputs)]
        value = self.compute(key, Asked(self, tokens, own=True), [v.shown for v in views])
        for v in views:
            tokens |= v.tokens()
        self.memo.put(i, (value, frozenset(tokens)))
        self._note(i, frozenset(tokens), 1)
        return value

    def compute(self, key: Any, own: Any, views: list[Any], path: list[Any] | None = None) -> Any:
        """Call the function, on the watch for circles."""
        path = self.path if path is None else path
        if any(identity(key) == identity(k) for k in path):
            circle = " -> ".join(map(repr, [*path, key]))
            raise Circle(
                f"the lazy value of {key!r}",
                f"it needs itself: {circle}",
                "Break the circle, or use lfp, which is made for it.",
            )
        path.append(key)
        self.count("calls")
        try:
            return canon(self.op.f(key, own, *views))
        except Exception as cause:
            raise self.failed(cause, key) from cause
        finally:
            path.pop()

    def _note(self, i: Hashable, tokens: frozenset[Hashable], by: int) -> None:
        for token in tokens:
            self.readers.shift(token, i, i, by)


class _Numbered:
    """A view that a lazy function reads, with its own set of tokens."""

    def __init__(self, node: Node, n: int, tokens: Tokens) -> None:
        self.n = n
        self.read: Tokens = set()
        self.shown = (
            node.asked(self.read) if isinstance(node, Lazy) else reading(node, node.op, self.read)
        )

    def tokens(self) -> Tokens:
        """What was read, marked with which view it was."""
        return {(self.n, token) for token in self.read}


class Asked:
    """Lazy values by key; each read is noted."""

    __slots__ = ("_lazy", "_own", "_tokens")

    def __init__(self, lazy: Lazy, tokens: Tokens, own: bool = False) -> None:
        self._lazy = lazy
        self._tokens = tokens
        self._own = own

    __iter__ = None  # else Python would ask for the keys 0, 1, 2 and so on, without end

    def __getitem__(self, key: Any) -> Any:
        i = identity(key)
        self._tokens.add(("self", i) if self._own else ("key", i))
        return self._lazy.value(key)
