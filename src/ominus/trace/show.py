"""Print expressions and trees as Python: for a reader, and by the same rules for CPython."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any

from ominus.trace.expr import Arg, Build, Cond, Const, Expr, Fail, Get, Op, Pool, children, walk
from ominus.trace.kinds import Row, Tuple
from ominus.trace.meaning import ATOM, COMPARE, INFIX, MEANING, POWER, RUN, SIGN
from ominus.trace.tree import Fork, Leaf, Tree, leaves, merge

_SCOPE: dict[str, Any] = {
    "math": math,
    "date": dt.date,
    "datetime": dt.datetime,
    "timedelta": dt.timedelta,
    "Decimal": Decimal,
    "Fraction": Fraction,
}
_PLAIN = (int, str, bool, bytes, type(None))


class Writer:
    """Writes one function; `scope` collects what the text refers to, and is None for a reader."""

    def __init__(
        self, scope: dict[str, Any] | None = None, arguments: Sequence[str] | None = None
    ) -> None:
        self.scope, self.arguments = scope, arguments
        self.names: dict[int, str] = {}
        self.lines: list[str] = []
        self.count = 0
        self.taken: frozenset[str] = frozenset()

    # ---- expressions

    def text(self, node: Expr, level: int = 0) -> str:
        """The node as Python, in parentheses where it binds less than `level`."""
        named = self.names.get(id(node))
        if named is not None:
            return named
        own, written = self.form(node)
        return f"({written})" if own < level else written

    def form(self, node: Expr) -> tuple[int, str]:
        match node:
            case Arg(_, index) if self.arguments is not None:
                return ATOM, self.arguments[index]
            case Arg(_, index, name):
                return ATOM, name if self.scope is None else f"a{index}"
            case Const(_, value):
                return self.const(value)
            case Get(_, of, key):
                by_name = isinstance(key, str) and not (
                    isinstance(of.type, Row) and of.type.kind == "dict"
                )
                return ATOM, self.text(of, ATOM) + (f".{key}" if by_name else f"[{key!r}]")
            case Op(_, name, args):
                return self.op(name, args)
            case Cond(_, test, then, other):
                return 0, f"{self.text(then, 1)} if {self.text(test, 1)} else {self.text(other)}"
            case Build():
                return ATOM, self.build(node)
            case Fail(_, error):
                return 0, f"raise {error.__name__}"
        raise AssertionError(node)

    def const(self, value: Any) -> tuple[int, str]:
        cls = type(value)
        if cls in _PLAIN or (cls is float and math.isfinite(value)):
            negative = cls in (int, float) and (value < 0 or repr(value)[0] == "-")
            return SIGN if negative else ATOM, repr(value)
        if self.scope is not None:
            return ATOM, self.bind(value, "k")
        if cls is float:
            return ATOM, f"float('{value}')"
        if isinstance(value, Enum):
            return ATOM, str(value) if "." in str(value) else f"{cls.__name__}.{value.name}"
        return ATOM, getattr(value, "__name__", None) or repr(value).removeprefix("datetime.")

    def bind(self, value: Any, prefix: str) -> str:
        assert self.scope is not None
        number = len(self.scope)
        while f"{prefix}{number}" in self.scope:
            number += 1
        self.scope[f"{prefix}{number}"] = value
        return f"{prefix}{number}"

    def build(self, node: Build) -> str:
        kind = node.type
        if isinstance(kind, Tuple):
            inner = ", ".join(self.text(p) for p in node.parts)
            if kind.py is list:
                return f"[{inner}]"
            return f"({inner},)" if len(node.parts) == 1 else f"({inner})"
        assert isinstance(kind, Row)
        pairs = [(n, self.text(p)) for (n, _), p in zip(kind.fields, node.parts, strict=True)]
        if kind.kind == "dict":
            return "{" + ", ".join(f"{n!r}: {p}" for n, p in pairs) + "}"
        make = kind.make.__name__ if self.scope is None else self.bind(kind.make, "k")
        if kind.kind == "namedtuple":
            return f"{make}({', '.join(p for _, p in pairs)})"
        return f"{make}({', '.join(f'{n}={p}' for n, p in pairs)})"

    def op(self, name: str, args: Sequence[Expr]) -> tuple[int, str]:
        meaning = MEANING[name]
        level = meaning.level
        if name in RUN and self.scope is not None:
            self.scope[name] = RUN[name]
            return ATOM, f"{name}({', '.join(self.text(a) for a in args)})"
        if name == "concat":
            return self.concat(args)
        if name in INFIX or name == "power":
            left = level + 1 if level in (COMPARE, POWER) else level
            right = SIGN if level == POWER else level if name in ("and", "or") else level + 1
            symbol = "**" if name == "power" else name
            return level, f"{self.text(args[0], left)} {symbol} {self.text(args[1], right)}"
        inner = args[0] if name == "not" else None
        if isinstance(inner, Op) and inner.name == "is None" and id(inner) not in self.names:
            return COMPARE, f"{self.text(inner.args[0], COMPARE + 1)} is not None"
        if level in (SIGN, COMPARE) or name == "not":
            return level, meaning.form.format(*(self.text(a, level) for a in args))
        return level, self.template(name, meaning.form, args)

    def template(self, name: str, form: str, args: Sequence[Expr]) -> str:
        if name in ("slice", "step"):
            bounds = (
                "" if isinstance(a, Const) and a.value is None else self.text(a) for a in args[1:]
            )
            return f"{self.text(args[0], ATOM)}[{':'.join(bounds)}]"
        attached = form.startswith("{0}")
        written = [self.text(a, ATOM if attached and i == 0 else 0) for i, a in enumerate(args)]
        rest = ", ".join(written[1:] if "{0}" in form else written)
        return form.replace("{*}", rest.replace("{", "{{").replace("}", "}}")).format(*written)

    def concat(self, args: Sequence[Expr]) -> tuple[int, str]:
        written = [self.text(a, INFIX["+"][0] + 1) for a in args]
        if self.scope is None:
            inner = "".join(self.piece(a) for a in args)
            if "'" not in inner and "\\" not in inner:
                return ATOM, f"f'{inner}'"
        return INFIX["+"][0], " + ".join(written)

    def piece(self, node: Expr) -> str:
        if isinstance(node, Const):
            return repr(node.value)[1:-1].replace("{", "{{").replace("}", "}}")
        if isinstance(node, Op) and id(node) not in self.names:
            if node.name == "str":
                return "{" + self.text(node.args[0], 1) + "}"
            if node.name == "format":
                return "{" + self.text(node.args[0], 1) + ":" + self.piece(node.args[1]) + "}"
        return "{" + self.text(node, 1) + "}"

    # ---- statements

    def block(self, tree: Tree, indent: str, uses: Counter[int]) -> None:
        for may in tree.before:
            self.share(may.node, indent, uses)
            if id(may.node) not in self.names:
                self.assign(may.node, indent)
        if isinstance(tree, Leaf):
            self.share(tree.value, indent, uses)
            word = "" if isinstance(tree.value, Fail) else "return "
            if isinstance(tree.value, Fail) and self.scope is not None:
                self.lines.append(f"{indent}raise {self.bind(tree.value.error, 'k')}")
            else:
                self.lines.append(f"{indent}{word}{self.text(tree.value)}")
            return
        self.share(tree.test, indent, uses)
        self.lines.append(f"{indent}if {self.text(tree.test)}:")
        outside = dict(self.names)
        self.block(tree.yes, indent + "    ", uses)
        self.names = outside
        self.block(tree.no, indent, uses)

    def share(self, root: Expr, indent: str, uses: Counter[int]) -> None:
        """Give a name to what is used more than once, in the order of evaluation."""
        for node in walk(root):
            if uses[id(node)] > 1 and worth_a_name(node) and id(node) not in self.names:
                self.assign(node, indent)

    def assign(self, node: Expr, indent: str) -> None:
        written = self.text(node)
        self.count += 1
        while f"t{self.count}" in self.taken:
            self.count += 1
        self.names[id(node)] = name = f"t{self.count}"
        self.lines.append(f"{indent}{name} = {written}")


def worth_a_name(node: Expr) -> bool:
    """Whether a node costs more than a look; what is mutable is never shared."""
    if isinstance(node, Build):
        kind = node.type
        return not (isinstance(kind, Tuple) and kind.py is list) and not (
            isinstance(kind, Row) and kind.kind == "dict"
        )
    if isinstance(node, Op):
        return node.name != "the" and not (isinstance(node.type, type) and node.name == "set")
    return isinstance(node, Cond)


def uses_in(*roots: Expr) -> Counter[int]:
    """How often each node is used below the roots, by its id."""
    uses = Counter(id(r) for r in roots)
    for node in walk(*roots):
        uses.update(id(c) for c in children(node))
    return uses


def uses_on_paths(tree: Tree, roots: tuple[Expr, ...] = ()) -> Counter[int]:
    """How often each node is used on the path that uses it most, by its id."""
    roots = (*roots, *(m.node for m in tree.before))
    if isinstance(tree, Fork):
        roots = (*roots, tree.test)
        return uses_on_paths(tree.yes, roots) | uses_on_paths(tree.no, roots)
    return uses_in(*roots, tree.value)


def roots_of(tree: Tree) -> list[Expr]:
    """Every expression that a tree evaluates."""
    found = [m.node for m in tree.before]
    if isinstance(tree, Fork):
        return [*found, tree.test, *roots_of(tree.yes), *roots_of(tree.no)]
    return [*found, tree.value]


def text(node: Expr) -> str:
    """The expression as Python, shared parts written out."""
    return Writer().text(node)


def function(
    name: str, parameters: Sequence[str], tree: Tree, scope: dict[str, Any] | None = None
) -> str:
    """The tree as a `def`."""
    writer = Writer(scope)
    writer.taken = frozenset(parameters)
    writer.block(tree, "    ", uses_on_paths(tree))
    return "\n".join([f"def {name}({', '.join(parameters)}):", *writer.lines])


def one_line(parameters: Sequence[str], tree: Tree, merged: Expr) -> str | None:
    """The tree as a lambda, where that says all, and in a line."""
    if not says_all(tree, merged):
        return None
    line = f"lambda {', '.join(parameters)}: {text(merged)}".replace("lambda :", "lambda:")
    return line if len(line) <= 100 else None


def says_all(tree: Tree, merged: Expr) -> bool:
    """Whether the merged expression raises wherever a path does, and computes nothing twice."""
    if any(isinstance(leaf.value, Fail) for leaf in leaves(tree)):
        return False
    uses = uses_in(merged)
    if any(uses[id(n)] > 1 and worth_a_name(n) for n in walk(merged)):
        return False
    return _all_read(Pool(), tree, frozenset())


def _all_read(pool: Pool, tree: Tree, pending: frozenset[int]) -> bool:
    """Whether all that may raise on a path is part of its tests, if they are kept, or its value."""
    pending |= {id(m.node) for m in tree.before}
    if isinstance(tree, Leaf):
        return pending <= {id(n) for n in walk(tree.value)}
    if merge(pool, tree.yes) is not merge(pool, tree.no):
        pending -= {id(n) for n in walk(tree.test)}
    return _all_read(pool, tree.yes, pending) and _all_read(pool, tree.no, pending)


def inlined(merged: Expr, arguments: Sequence[str], scope: dict[str, Any]) -> str:
    """The expression as Python for a larger program, in parentheses; `scope` gets what it uses."""
    scope.update(_SCOPE)
    return f"({Writer(scope, arguments).text(merged)})"


def compiled(arity: int, tree: Tree) -> Callable[..., Any]:
    """The tree as a Python function, which raises where the user's would."""
    scope: dict[str, Any] = dict(_SCOPE)
    source = function("traced", [f"a{i}" for i in range(arity)], tree, scope)
    exec(compile(source, "<traced>", "exec"), scope)
    found: Callable[..., Any] = scope["traced"]
    return found


@cache
def runner(name: str, arity: int) -> Callable[..., Any]:
    """One operation of the table as a Python function."""
    args = [Arg(object, i, "") for i in range(arity)]
    scope: dict[str, Any] = dict(_SCOPE)
    written = Writer(scope).op(name, args)[1]
    found: Callable[..., Any] = eval(
        f"lambda {', '.join(f'a{i}' for i in range(arity))}: {written}", scope
    )
    return found
