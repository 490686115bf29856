"""One path through a function: what was decided on it, and what on it may raise."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from ominus.trace.expr import Const, Expr, Op, Pool
from ominus.trace.hints import type_of_value
from ominus.trace.kinds import Alien, Type, Union, python_class, union
from ominus.trace.show import runner
from ominus.trace.symbols.values import NotTraced, Raises
from ominus.trace.tree import May

if TYPE_CHECKING:
    from ominus.trace.symbols.frame import Frame

BOUND_PATHS = 64
BOUND_STEPS = 4000
BOUND_DEPTH = 24
BOUND_NESTING = 150  # interpreters walk expressions by recursion

Constructor = Callable[["Path", "list[Expr]", "dict[str, Expr]"], "Expr | None"]


@dataclass(frozen=True, slots=True)
class Read:
    """A global, closure cell or attribute that was read, once, when the function was traced."""

    name: str
    value: Any
    now: Callable[[], Any]


@dataclass(slots=True)
class Shared:
    """What the paths of one function share."""

    constructors: Mapping[Any, Constructor]
    pool: Pool = field(default_factory=Pool)
    reads: dict[Any, Read] = field(default_factory=dict)
    frozen: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    spelled: dict[int, str] = field(default_factory=dict)
    unshadowed: set[tuple[type, str]] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    inlined: set[CodeType] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Branch:
    """At this point the path depends on `test`, and went one way."""

    test: Expr
    taken: bool


class Path:
    """The symbolic state of one path; `choices` says which way it goes at each branch."""

    def __init__(self, shared: Shared, prefix: tuple[bool, ...]) -> None:
        self.shared, self.pool = shared, shared.pool
        self.prefix = prefix
        self.choices: list[bool] = []
        self.forks: list[tuple[bool, ...]] = []
        self.events: list[May | Branch] = []
        self.facts: dict[int, bool] = {}
        self.equal: dict[int, Any] = {}
        self.raised: set[int] = set()
        self.frames: list[Frame] = []
        self.steps = 0
        self.last_line = 0

    # ---- what may go wrong

    @property
    def line(self) -> int:
        """The innermost line in the file of the function that is traced."""
        if not self.frames:
            return self.last_line
        file = self.frames[0].program.code.co_filename
        inner = next(f for f in reversed(self.frames) if f.program.code.co_filename == file)
        return inner.program.line(inner.at)

    def opaque(self, why: str) -> NoReturn:
        raise NotTraced(why, self.line)

    def fail(self, error: type[BaseException]) -> NoReturn:
        self.must_not_be_covered(error.__name__)
        if issubclass(error, StopIteration):  # a generator makes another error of it
            self.opaque("raises StopIteration")
        self.last_line = self.line
        raise Raises(error)

    def may(self, node: Expr, causes: tuple[str, ...]) -> None:
        if id(node) not in self.raised:
            self.must_not_be_covered(causes[0])
            self.raised.add(id(node))
            self.events.append(May(node, causes, self.line))

    def must_not_be_covered(self, what: str) -> None:
        for frame in self.frames:
            if frame.covered:
                raise NotTraced(f"a `try` or `with` covers what may raise ({what})", self.line)

    # ---- what is outside

    def call(self, function: Any, args: list[Any], keywords: dict[str, Any] | None = None) -> Any:
        """Call a value of the stack."""
        from ominus.trace.symbols.calls import call

        return call(self, function, args, keywords or {})

    def read(self, key: Any, name: str, value: Any, now: Callable[[], Any]) -> Expr:
        """What was read from outside, as a constant, and on record."""
        if key not in self.shared.reads:
            self.shared.reads[key] = Read(name, value, now)
        return self.known(self.shared.reads[key].value, name)

    # ---- nodes

    def const(self, value: Any) -> Expr:
        return self.pool.const(value, _type_of(value))

    def known(self, value: Any, name: str) -> Expr:
        """A value from outside as a constant; a mutable one as it is now."""
        if type(value) in (list, dict, set, bytearray):
            kept = self.shared.frozen.get(id(value))
            if kept is None:
                if len(value) > 10_000:
                    self.opaque(f"reads `{name}`, a mutable collection of {len(value)} items")
                try:
                    kept = self.shared.frozen[id(value)] = (value, copy.deepcopy(value))
                except Exception:
                    self.opaque(f"reads `{name}`, which cannot be copied")
            value = kept[1]
        node = self.const(value)
        self.shared.spelled.setdefault(id(node), name)
        return node

    def op(self, kind: Type, name: str, *args: Expr, causes: tuple[str, ...] = ()) -> Expr:
        if all(isinstance(a, Const) for a in args) and _may_fold(name, args, causes):
            try:
                return self.const(runner(name, len(args))(*(a.value for a in args)))  # type: ignore[attr-defined]
            except Exception as error:
                self.fail(type(error))
        node = self.pool.op(kind, name, args)
        if causes:
            self.may(node, causes)
        return node

    def negate(self, test: Expr) -> Expr:
        if isinstance(test, Op) and test.name == "not":
            return test.args[0]
        return self.op(bool, "not", test)

    def cond(self, test: Expr, then: Expr, other: Expr) -> Expr:
        if isinstance(test, Const):
            return then if test.value else other
        if then is other:
            return then
        return self.pool.cond(union(then.type, other.type), test, then, other)

    # ---- decisions

    def decide(self, test: Expr) -> bool:
        """Which way this path goes where `test`, a bool, is asked."""
        if isinstance(test, Op) and test.name == "not":
            return not self.decide(test.args[0])
        known = self.settled(test)
        if known is None:
            known = self._choose(test)
            asked, flipped = canonical(self.pool, test)
            self.facts[id(asked)] = known is not flipped
            if known is not flipped:
                self._learn(asked)
        return known

    def settled(self, test: Expr) -> bool | None:
        """What this path has already decided about a bool, if it has."""
        asked, flipped = canonical(self.pool, test)
        known = bool(asked.value) if isinstance(asked, Const) else self.facts.get(id(asked))
        if known is None:
            known = self._implied(asked)
        return None if known is None else known is not flipped

    def _choose(self, test: Expr) -> bool:
        at = len(self.choices)
        taken = self.prefix[at] if at < len(self.prefix) else True
        if at >= len(self.prefix):
            self.forks.append((*self.choices, False))
        if at > BOUND_PATHS:
            self.opaque(f"has more than {BOUND_PATHS} paths")
        self.choices.append(taken)
        self.events.append(Branch(test, taken))
        return taken

    def _learn(self, test: Expr) -> None:
        if isinstance(test, Op) and test.name == "==" and isinstance(test.args[1], Const):
            self.equal[id(test.args[0])] = test.args[1].value

    def _implied(self, test: Expr) -> bool | None:
        if isinstance(test, Op) and test.name == "==" and isinstance(test.args[1], Const):
            if id(test.args[0]) in self.equal:
                return bool(self.equal[id(test.args[0])] == test.args[1].value)
        return None

    def is_a(self, x: Expr, kind: Type) -> Expr:
        """Whether a value that has one of several types has this one."""
        if kind is type(None):
            return self.op(bool, "is None", x)
        cls = python_class(kind)
        if cls is None:
            self.opaque(f"the type of `{x}` is not known")
        return self.pool.op(bool, "is a", (x, self.const(cls)))

    def pick(self, x: Expr) -> Expr:
        """The same value with the one type that it has on this path."""
        if not isinstance(x.type, Union):
            return x
        kinds = sorted(x.type.members, key=_asked_late)
        classes = [python_class(k) for k in kinds]
        if len(set(classes)) < len(classes):
            self.opaque(f"two types of `{x}` have one class")
        for kind in kinds[:-1]:
            if self.decide(self.is_a(x, kind)):
                return self.the(x, kind)
        return self.the(x, kinds[-1])

    def the(self, x: Expr, kind: Type) -> Expr:
        return self.const(None) if kind is type(None) else self.pool.op(kind, "the", (x,))


def _asked_late(kind: Type) -> int:
    return 0 if kind is type(None) else 2 if isinstance(kind, Alien) else 1


def _type_of(value: Any) -> Type:
    if isinstance(value, (type, FunctionType, BuiltinFunctionType, ModuleType)):
        return Alien(str(type(value).__name__))
    return type_of_value(value)


def _may_fold(name: str, args: tuple[Expr, ...], causes: tuple[str, ...]) -> bool:
    """Only what is small, and depends on no context, is computed at the definition."""
    if "decimal" in causes or name in ("concat", "the"):
        return False
    values = [a.value for a in args]  # type: ignore[attr-defined]
    if name in ("**", "power", "<<", "*"):
        return all(
            type(v) is float or (type(v) in (int, bool) and abs(v) < 2**64) for v in values
        ) and (name == "*" or type(values[1]) is float or -64 < values[1] < 1024)
    return True


_TOTAL = (int, bool, str)


def canonical(pool: Pool, test: Expr) -> tuple[Expr, bool]:
    """The same question asked one way, and whether the answer is turned round."""
    flipped = False
    while isinstance(test, Op):
        a = test.args
        if test.name == "not":
            test, flipped = a[0], not flipped
        elif test.name == "!=":
            test, flipped = pool.op(bool, "==", a), not flipped
        elif test.name == ">":
            test = pool.op(bool, "<", (a[1], a[0]))
        elif test.name == ">=" and _total(a):
            test, flipped = pool.op(bool, "<", a), not flipped
        elif test.name == "<=" and _total(a):
            test, flipped = pool.op(bool, "<", (a[1], a[0])), not flipped
        else:
            break
    return test, flipped


def _total(args: tuple[Expr, ...]) -> bool:
    return args[0].type in _TOTAL and args[1].type in _TOTAL
