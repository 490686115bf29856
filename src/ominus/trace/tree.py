"""The paths of a function as one tree, and that tree merged into one expression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ominus.trace.expr import Cond, Const, Expr, Fail, Op, Pool
from ominus.trace.kinds import union


@dataclass(frozen=True, slots=True)
class May:
    """At this point `node` is evaluated, and may raise for these causes."""

    node: Expr
    causes: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a path: its value, or `Fail`; `before` may raise on the way."""

    before: tuple[May, ...]
    value: Expr
    line: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Where paths part: first `before`, then `test`, then one of the two."""

    before: tuple[May, ...]
    test: Expr
    yes: Tree
    no: Tree


Tree: TypeAlias = Leaf | Fork


@dataclass(frozen=True, slots=True)
class Raise:
    """Where `guard` holds, `node` is evaluated and may raise; a `Fail` always does.

    `causes` are names of `meaning.CAUSES`, and are empty for a `Fail`.
    """

    guard: Expr
    node: Expr
    causes: tuple[str, ...]
    line: int


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The ends of all paths, in order."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        yield from leaves(tree.yes)
        yield from leaves(tree.no)


def merge(pool: Pool, tree: Tree) -> Expr:
    """One expression for all paths, right wherever nothing in `raises` does."""
    if isinstance(tree, Leaf):
        return tree.value
    return choose(pool, tree.test, merge(pool, tree.yes), merge(pool, tree.no))


def choose(pool: Pool, test: Expr, then: Expr, other: Expr) -> Expr:
    """`then if test else other`, as simple as it can be said."""
    if then is other or isinstance(other, Fail):
        return then
    if isinstance(then, Fail):
        return other
    if then.type is bool and other.type is bool:
        found = _logic(pool, test, then, other)
        if found is not None:
            return found
    if isinstance(then, Cond) and then.other is other:
        return choose(pool, _op(pool, "and", test, then.test), then.then, other)
    if isinstance(then, Cond) and then.then is other:
        return choose(pool, _op(pool, "and", test, _not(pool, then.test)), then.other, other)
    if isinstance(other, Cond) and other.then is then:
        return choose(pool, _op(pool, "or", test, other.test), then, other.other)
    if isinstance(other, Cond) and other.other is then:
        return choose(pool, _op(pool, "and", _not(pool, test), other.test), other.then, then)
    if isinstance(test, Op) and test.name == "not":
        return choose(pool, test.args[0], other, then)
    return pool.cond(union(then.type, other.type), test, then, other)


def _logic(pool: Pool, test: Expr, then: Expr, other: Expr) -> Expr | None:
    if isinstance(then, Const) and isinstance(other, Const):
        return test if then.value else _not(pool, test)
    if isinstance(then, Const):
        return (
            _op(pool, "or", test, other)
            if then.value
            else _op(pool, "and", _not(pool, test), other)
        )
    if isinstance(other, Const):
        return (
            _op(pool, "or", _not(pool, test), then) if other.value else _op(pool, "and", test, then)
        )
    return None


def _op(pool: Pool, name: str, left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const):
        return right if bool(left.value) is (name == "and") else left
    return pool.op(bool, name, (left, right))


_OPPOSITE = {"==": "!=", "!=": "=="}


def _not(pool: Pool, test: Expr) -> Expr:
    if isinstance(test, Const):
        return pool.const(not test.value, bool)
    if isinstance(test, Op) and test.name == "not":
        return test.args[0]
    if isinstance(test, Op) and test.name in _OPPOSITE:
        return pool.op(bool, _OPPOSITE[test.name], test.args)
    return pool.op(bool, "not", (test,))


def raises(pool: Pool, tree: Tree) -> tuple[Raise, ...]:
    """Everything on some path that may raise, each under the condition of its path."""
    found: list[Raise] = []

    def visit(tree: Tree, guard: Expr) -> None:
        found.extend(Raise(guard, m.node, m.causes, m.line) for m in tree.before)
        if isinstance(tree, Fork):
            visit(tree.yes, _op(pool, "and", guard, tree.test))
            visit(tree.no, _op(pool, "and", guard, _not(pool, tree.test)))
        elif isinstance(tree.value, Fail):
            found.append(Raise(guard, tree.value, (), tree.line))

    visit(tree, pool.const(True, bool))
    return tuple(found)
