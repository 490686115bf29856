"""A traced function as solver terms: its value for symbolic arguments, and when it has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import z3

from ominus.contract.prove import ops
from ominus.contract.prove.terms import (
    FALSE,
    NOTHING,
    Cases,
    Leaf,
    Nothing,
    Parts,
    Sym,
    Term,
    Untranslatable,
    as_type,
    both,
    branch,
    class_of,
    either,
    lift,
    options,
    part,
)
from ominus.trace.expr import Arg, Build, Cond, Const, Expr, Fail, Get, Op, RowPath, walk
from ominus.trace.kinds import Row, Tuple, Union, spell
from ominus.trace.meaning import CAUSES
from ominus.trace.tree import Raise


class Reading:
    """The terms of the nodes of one traced function, for some arguments; each node once."""

    def __init__(self, args: Sequence[Sym]) -> None:
        self.args = args
        self.known: dict[int, Sym] = {}
        self.kept: list[Expr] = []  # what is known by its id must stay alive

    def value(self, root: Expr) -> Sym:
        """The value of a node."""
        for node in walk(root):
            if id(node) not in self.known:
                self.known[id(node)] = self._value(node)
                self.kept.append(node)
        return self.known[id(root)]

    def truth(self, node: Expr) -> Term:
        """The value of a node that is a bool."""
        found = self.value(node)
        if isinstance(found, Leaf):
            return found.term
        if isinstance(found, Nothing):
            return FALSE
        raise Untranslatable(f"`{node}` as a condition")

    def raised(self, one: Raise) -> Term:
        """Whether something raises here, or only Python can tell what happens."""
        guard = self.truth(one.guard)
        if isinstance(one.node, Fail) or guard is FALSE:
            return guard
        self.value(one.node)
        args = self._args(one.node)
        return both(guard, either(*(ops.raised(one.node, cause, args) for cause in one.causes)))

    def _args(self, node: Expr) -> list[Sym]:
        assert isinstance(node, Op)
        return [self._settled(a) for a in node.args]

    def _settled(self, node: Expr) -> Sym:
        """A value of one type as that type, also where it came out of cases."""
        found = self.known[id(node)]
        if isinstance(found, Cases) and not isinstance(node.type, Union):
            return as_type(found, node.type)
        return found

    def _value(self, node: Expr) -> Sym:
        match node:
            case Arg(_, index):
                return self.args[index]
            case Const(_, value):
                return lift(value)
            case Get(_, of, key):
                return part(self.known[id(of)], key)
            case Cond(_, test, then, other):
                known = self.known
                return branch(self.truth(test), known[id(then)], known[id(other)])
            case Build(Tuple() | Row() as kind, parts):
                items = tuple(self.known[id(p)] for p in parts)
                return NOTHING if any(isinstance(i, Nothing) for i in items) else Parts(kind, items)
            case Fail():
                return NOTHING
            case Op():
                return self._op(node)
        raise Untranslatable(f"`{node}`")

    def _op(self, node: Op) -> Sym:
        name = node.name
        if name == "the":
            return as_type(self.known[id(node.args[0])], node.type)
        if name == "is None":
            return Leaf(bool, self._is_a(node.args[0], type(None)))
        if name == "is a":
            return Leaf(bool, self._is_a(node.args[0], node.args[1].value))  # type: ignore[attr-defined]
        args = self._args(node)
        if any(isinstance(a, Nothing) for a in args):
            return NOTHING
        if name in ("and", "or"):
            join = both if name == "and" else either
            return Leaf(bool, join(*(self.truth(a) for a in node.args)))
        if isinstance(node.type, (Tuple, Row, Union)):
            raise Untranslatable(f"`{name}`, which gives {spell(node.type)}")
        made = ops.contains(node, args) if name == "in" else ops.apply(node, args)
        return Leaf(node.type, made)

    def _is_a(self, x: Expr, cls: type) -> Term:
        found = []
        for guard, option in options(self.known[id(x)]):
            known = class_of(option)
            if known is None:
                raise Untranslatable("the type of what is only passed on")
            found.append(guard if known is cls else FALSE)
        return either(*found)


def strange(one: Raise) -> bool:
    """Whether what happens here is not known to be an error: only Python can tell."""
    if isinstance(one.node, Fail):
        return issubclass(one.node.error, RowPath)
    return any(RowPath in CAUSES[c].errors for c in one.causes)


def mentions(term: Any, name: str) -> bool:
    """Whether a term depends on the argument whose terms have this name."""
    seen, todo = set(), [term]
    while todo:
        t = todo.pop()
        if t.get_id() in seen:
            continue
        seen.add(t.get_id())
        if z3.is_const(t) and t.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            if re.split(r"[.|?]", t.decl().name(), maxsplit=1)[0] == name:
                return True
        todo.extend(t.children())
    return False
