"""Trace a function: run its bytecode on symbols, path by path, and merge the paths."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

from ominus.trace import screen, show
from ominus.trace.expr import Build, Const, Expr, depth
from ominus.trace.fits import checker
from ominus.trace.freeze import Packed, freeze
from ominus.trace.hints import type_of
from ominus.trace.kinds import Type
from ominus.trace.symbols import calls
from ominus.trace.symbols.path import (
    BOUND_NESTING,
    BOUND_PATHS,
    Branch,
    Constructor,
    Path,
    Read,
    Shared,
)
from ominus.trace.symbols.values import Closure, NotTraced, Raises
from ominus.trace.tree import Fork, Leaf, May, Raise, Tree, merge, raises


@dataclass(frozen=True, slots=True)
class Opaque:
    """Why a function runs as it is: a fact with the user's line, never an error."""

    why: str
    line: int

    def __str__(self) -> str:
        return f"opaque: {self.why} (line {self.line})"


@dataclass(frozen=True, eq=False)
class Traced:
    """A function that is known as an expression.

    `expr` is its value wherever nothing in `raises` does; `tree` has the paths in Python's order.
    `run` follows the tree without looking at types; a call looks, and where a value is not exactly
    of its declared type, or anything raises, it is the function itself that answers.

    Law    traced(*args) is what the function gives or raises.
    """

    name: str
    parameters: tuple[str, ...]
    types: tuple[Type, ...]
    tree: Tree
    expr: Expr
    raises: tuple[Raise, ...]
    reads: tuple[tuple[str, Any], ...]
    function: Callable[..., Any]
    _live: tuple[Read, ...] = field(default=(), repr=False, compare=False)
    _unshadowed: frozenset[tuple[type, str]] = field(default=frozenset(), repr=False, compare=False)

    @property
    def type(self) -> Type:
        """The type of what the function gives."""
        return self.expr.type

    @cached_property
    def run(self) -> Callable[..., Any]:
        """The paths as one Python function, for values of exactly the declared types."""
        return show.compiled(len(self.parameters), self.tree)

    @cached_property
    def fits(self) -> Callable[..., bool]:
        """Whether values are exactly of the declared types; no instance of a subclass is."""
        return checker(self.types, self._unshadowed)

    def __call__(self, *args: Any) -> Any:
        if self.fits(*args):
            try:
                return self.run(*args)
            except Exception:  # the function itself says what is wrong, with the user's line
                pass
        return self.function(*args)

    def inline(self, arguments: Sequence[str], scope: dict[str, Any]) -> str | None:
        """The function as one Python expression for generated code, or None: then call `run`.

        `arguments` are the texts of its arguments, names as a rule; `scope` gets the constants,
        and the classes and modules that the text refers to. Where it raises, so does the function.
        """
        if not show.says_all(self.tree, self.expr):
            return None
        return show.inlined(self.expr, arguments, scope)

    def changed(self) -> tuple[str, ...]:
        """The names of what was read at the trace and is another value now."""
        return tuple(r.name for r in self._live if _differs(r))

    @property
    def source(self) -> str:
        """The function as Python `def`, shared parts named, each path as it runs."""
        return show.function(self.name, self.parameters, self.tree)

    def __str__(self) -> str:
        return show.one_line(self.parameters, self.tree, self.expr) or self.source

    def __reduce__(self) -> Any:
        reads = tuple(r for r in self.reads if not isinstance(r[1], (ModuleType, FunctionType)))
        rest = (self.name, self.parameters, self.types, self.tree, self.expr, self.raises, reads)
        return _restore, (*rest, Packed(self.function), self._unshadowed)


def _restore(*parts: Any) -> Traced:
    return Traced(*parts[:-1], (), parts[-1])  # type: ignore[call-arg]


def _differs(read: Read) -> bool:
    try:
        now = read.now()
    except Exception:
        return True
    return now is not read.value and not (type(now) is type(read.value) and bool(now == read.value))


def trace(
    f: Callable[..., Any], *types: Any, constructors: Mapping[Any, Constructor] | None = None
) -> Traced | Opaque:
    """Say what a function computes for arguments of exactly these types, or why that is not known.

    Law    trace(f, *types)(*args) is f(*args), in value, type and exception.
    Cost   the bytecode of each path once; at most 64 paths.
    """
    return trace_in(Shared(constructors or {}), f, *map(type_of, types))


def trace_in(shared: Shared, f: Callable[..., Any], *kinds: Type) -> Traced | Opaque:
    """Trace several functions of the same arguments into one pool of nodes."""
    try:
        return _trace(f, kinds, shared)
    except NotTraced as fact:
        return Opaque(fact.why, fact.line or _first_line(f))
    except RecursionError:
        return Opaque("nests too deeply", _first_line(f))
    except Exception as error:  # a fault of the tracer must cost speed, never an answer
        return Opaque(f"the tracer does not cope ({error!r})", _first_line(f))


def _trace(f: Callable[..., Any], kinds: tuple[Type, ...], shared: Shared) -> Traced:
    if screen.VERSION is None:
        raise NotTraced("this Python's bytecode is not known", _first_line(f))
    parameters = _parameters(f, len(kinds))
    args = [
        shared.pool.arg(k, i, p) for i, (k, p) in enumerate(zip(kinds, parameters, strict=True))
    ]
    called = calls.closure_of(f) if isinstance(f, FunctionType) else f
    paths = _explore(shared, called, args)
    function = freeze(f, inlined=shared.inlined, modules=shared.modules)
    tree = _grow(paths, 0)
    expr = merge(shared.pool, tree)
    if max(depth(*show.roots_of(tree)), depth(expr)) > BOUND_NESTING:
        raise NotTraced("nests too deeply", paths[0].line)
    pool = shared.pool
    return Traced(
        name=_name(f),
        parameters=parameters,
        types=kinds,
        tree=tree,
        expr=expr,
        raises=raises(pool, tree),
        reads=tuple((r.name, r.value) for r in shared.reads.values()),
        function=function,
        _live=tuple(shared.reads.values()),
        _unshadowed=frozenset(shared.unshadowed),
    )


def _name(f: Callable[..., Any]) -> str:
    name = getattr(f, "__name__", type(f).__name__)
    return name if name.isidentifier() else "traced"


def _first_line(f: Callable[..., Any]) -> int:
    return getattr(getattr(f, "__code__", None), "co_firstlineno", 0)


def _parameters(f: Callable[..., Any], count: int) -> tuple[str, ...]:
    if isinstance(f, FunctionType):
        code = f.__code__
        names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
        if len(names) >= count:
            return names[:count]
    try:
        found = tuple(p.name for p in inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        found = ()
    return found[:count] if len(found) >= count else tuple(f"x{i}" for i in range(count))


@dataclass(frozen=True, slots=True)
class _Path:
    events: tuple[May | Branch, ...]
    value: Expr
    line: int


def _explore(shared: Shared, called: Any, args: list[Expr]) -> list[_Path]:
    """Every path, in order: where a branch is met for the first time, first as if it held."""
    found: list[_Path] = []
    todo: list[tuple[bool, ...]] = [()]
    while todo:
        if len(found) == BOUND_PATHS:
            raise NotTraced(f"has more than {BOUND_PATHS} paths", found[0].line)
        path = Path(shared, todo.pop())
        found.append(_follow(path, called, args))
        todo.extend(path.forks)
    return found


def _follow(path: Path, called: Any, args: list[Expr]) -> _Path:
    try:
        called = called if isinstance(called, Closure) else path.const(called)
        value = calls.call(path, called, list(args), {})
        value = _settled(path, value)
    except Raises as end:
        value = path.pool.fail(end.error)
    return _Path(tuple(path.events), value, path.last_line)


def _settled(path: Path, value: Any) -> Expr:
    """What a path gives, with what it has decided already put in."""
    if not isinstance(value, Expr):
        raise NotTraced(f"returns a {type(value).__name__.lower()}", path.last_line)
    if isinstance(value, Const) and type(value.value) in (list, dict, set):
        raise NotTraced("returns a mutable value of a global variable", path.last_line)
    if isinstance(value, Build):
        parts = tuple(_settled(path, p) for p in value.parts)
        return path.pool.build(value.type, parts) if parts != value.parts else value
    known = path.settled(value) if value.type is bool else None
    return value if known is None else path.const(known)


def _grow(paths: list[_Path], at: int) -> Tree:
    """The tree of these paths, whose events are the same up to `at`."""
    before: list[May] = []
    for event in paths[0].events[at:]:
        at += 1
        if isinstance(event, May):
            before.append(event)
            continue
        yes = [p for p in paths if p.events[at - 1].taken]  # type: ignore[union-attr]
        no = [p for p in paths if not p.events[at - 1].taken]  # type: ignore[union-attr]
        return Fork(tuple(before), event.test, _grow(yes, at), _grow(no, at))
    return Leaf(tuple(before), paths[0].value, paths[0].line)
