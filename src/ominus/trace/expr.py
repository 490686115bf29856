"""What was traced: seven kinds of node, plain data with types; `meaning` says what each `Op` means.

`Arg`, `Const`, `Get` (a field or an item), `Op` (a named operation of the table), `Cond` (only the
arm that is chosen is evaluated), `Build` (a tuple, list or row from its parts) and `Fail`.
Equal nodes of one trace are one object.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ominus.trace.kinds import NEVER, Type


class RowPath(Exception):
    """What Python does here depends on more than the values; the function itself is called."""


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """A node; `type` is the exact type of its value."""

    type: Type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and _same(self, other)

    def __hash__(self) -> int:
        own = self.name if isinstance(self, Op) else type(self).__name__
        return hash((own, tuple(type(c).__name__ for c in children(self))))

    def __str__(self) -> str:
        from ominus.trace.show import text

        return text(self)


@dataclass(frozen=True, slots=True, eq=False)
class Arg(Expr):
    """The argument at this position."""

    index: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Const(Expr):
    """A value known at the definition."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Get(Expr):
    """The field `key` of a row, or the item at `key` of a tuple of known length."""

    of: Expr
    key: str | int


@dataclass(frozen=True, slots=True, eq=False)
class Op(Expr):
    """The operation `name` of the table of meaning, on its arguments, evaluated in order."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cond(Expr):
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Build(Expr):
    """A tuple, list or row; `type` says which, and `parts` are in its order."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fail(Expr):
    """No value: Python raises `error` here (`RowPath`: only Python can tell what it does)."""

    error: type[BaseException]


def children(node: Expr) -> tuple[Expr, ...]:
    """The nodes that this one is made of, in the order of evaluation."""
    match node:
        case Op(_, _, args) | Build(_, args):
            return args
        case Get(_, of):
            return (of,)
        case Cond(_, test, then, other):
            return (test, then, other)
    return ()


def walk(*roots: Expr) -> Iterator[Expr]:
    """Each node below the roots once, what it is made of first."""
    seen: set[int] = set()
    stack: list[tuple[Expr, bool]] = [(r, False) for r in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((c, False) for c in reversed(children(node)))


def depth(*roots: Expr) -> int:
    """How many nodes stand one inside the other, at most."""
    found: dict[int, int] = {}
    for node in walk(*roots):
        found[id(node)] = 1 + max((found[id(c)] for c in children(node)), default=0)
    return max(found.values(), default=0)


def const_key(value: Any) -> Any:
    """What tells constants apart: `1`, `1.0` and `True` are three, and so are the two zeros."""
    cls = type(value)
    if cls in (int, bool, str, bytes):
        return cls, value
    if cls is float:
        return cls, value.hex()
    if cls in (tuple, list):
        return cls, tuple(map(const_key, value))
    if value is None:
        return None
    return id(value)


def _same(one: Expr, other: Expr) -> bool:
    seen: set[tuple[int, int]] = set()
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        below, others = children(a), children(b)
        if len(below) != len(others) or not _alike(a, b):
            return False
        todo.extend(zip(below, others, strict=True))
    return True


def _alike(a: Expr, b: Expr) -> bool:
    if type(a) is not type(b) or a.type != b.type:
        return False
    match a, b:
        case (Op(), Op()):
            return a.name == b.name
        case (Get(), Get()):
            return a.key == b.key and type(a.key) is type(b.key)
        case (Arg(), Arg()):
            return a.index == b.index
        case (Fail(), Fail()):
            return a.error is b.error
        case (Const(), Const()):
            mine, its = const_key(a.value), const_key(b.value)
            return bool(mine == its) or (isinstance(mine, int) and bool(a.value == b.value))
    return True


class Pool:
    """Makes nodes, each once."""

    def __init__(self) -> None:
        self.nodes: dict[Any, Expr] = {}
        self.kept: list[Any] = []  # what is told apart by its id must stay alive

    def arg(self, kind: Type, index: int, name: str) -> Expr:
        return self._one((Arg, index), lambda: Arg(kind, index, name))

    def const(self, value: Any, kind: Type) -> Expr:
        key = (Const, const_key(value))
        found = self.nodes.get(key)
        if found is None:
            self.kept.append(value)
            found = self.nodes[key] = Const(kind, value)
        return found

    def get(self, kind: Type, of: Expr, key: str | int) -> Expr:
        if isinstance(of, Build):
            return of.parts[key if isinstance(key, int) else of.type.index(key)]  # type: ignore[union-attr]
        return self._one((Get, id(of), key), lambda: Get(kind, of, key))

    def op(self, kind: Type, name: str, args: tuple[Expr, ...]) -> Expr:
        key = (name, kind, *map(id, args))
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = Op(kind, name, args)
        return found

    def cond(self, kind: Type, test: Expr, then: Expr, other: Expr) -> Expr:
        key = (Cond, id(test), id(then), id(other))
        return self._one(key, lambda: Cond(kind, test, then, other))

    def build(self, kind: Type, parts: tuple[Expr, ...]) -> Expr:
        return self._one((Build, kind, *map(id, parts)), lambda: Build(kind, parts))

    def fail(self, error: type[BaseException]) -> Expr:
        return self._one((Fail, error), lambda: Fail(NEVER, error))

    def _one(self, key: Any, make: Any) -> Expr:
        found: Expr | None = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = make()
        return found
