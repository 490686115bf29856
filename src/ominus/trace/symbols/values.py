"""What stands on the symbolic stack besides expressions: what only exists while a function runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import TYPE_CHECKING, Any

from ominus.trace.expr import Expr

if TYPE_CHECKING:
    from ominus.trace.symbols.frame import Frame


class NotTraced(Exception):
    """The function cannot be traced; not an error, and it never leaves this package."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why, self.line = why, line


class Raises(Exception):
    """This path ends in an exception of the user's."""

    def __init__(self, error: type[BaseException]) -> None:
        super().__init__(error)
        self.error = error


class Null:
    """The empty place that a call leaves on the stack."""


NULL = Null()


@dataclass(slots=True)
class Bound:
    """A Python function with its first argument."""

    function: Any
    self: Any


@dataclass(slots=True)
class Method:
    """A method of a built-in type, or of a row, known by its name."""

    of: Expr
    name: str


@dataclass(slots=True)
class Closure:
    """A function made while tracing; its cells may hold symbols."""

    code: CodeType
    scope: dict[str, Any]
    builtins: dict[str, Any]
    defaults: tuple[Any, ...] = ()
    keywords: dict[str, Any] = field(default_factory=dict)
    cells: tuple[Any, ...] = ()


@dataclass(slots=True)
class Cell:
    """A variable that an inner function shares."""

    value: Any = NULL


@dataclass(slots=True)
class Items:
    """An iterator over values of a known number."""

    values: list[Any]
    position: int = 0

    def next(self) -> Any:
        if self.position == len(self.values):
            return NULL
        self.position += 1
        return self.values[self.position - 1]


@dataclass(slots=True)
class Generator:
    """A generator that runs on symbols, as far as it is asked to."""

    frame: Frame

    def next(self) -> Any:
        return self.frame.resume()


@dataclass(slots=True)
class Slice:
    """The bounds of a slice."""

    low: Any
    high: Any
    step: Any = None


@dataclass(slots=True)
class Special:
    """A callable that the tracer itself knows; `name` is what a reader calls it."""

    name: str
    call: Callable[..., Any]


@dataclass(slots=True)
class Made:
    """An exception that was made and not yet raised."""

    error: type[BaseException]
