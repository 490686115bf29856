"""What is built for a kind: a way in, and a condition under which a value is in already.

The conditions of a row's fields are joined into one `if`, in a function made for its class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any

from ominus.flow.door.refuse import Keep, Refused

Test = Callable[[str, "Source"], str]
"""Given the text of an expression, the text of a condition on its value."""


@dataclass(frozen=True)
class Check:
    """How values of one kind come in.

    `keep` gives the value as it is kept.
    `test`, where there is one, is true only of values that `keep` gives back as they are.
    `front` puts it, laid open, before a slow path.
    `nan` says that `test` may be true of a NaN.
    """

    keep: Keep
    test: Test | None = None
    nan: bool = False
    front: Callable[[Keep], Keep] | None = None

    def before(self, slow: Keep) -> Keep:
        """The slow path with the quick one in front of it, if there is one."""
        if self.front is not None:
            return self.front(slow)
        if self.test is None:
            return slow
        source = Source()
        return source.function([self.test("row", source)], "row", slow)


@dataclass
class Source:
    """The text of a function in the making, and the objects that it names."""

    names: dict[str, Any] = field(default_factory=dict)
    locals: int = 0

    def name(self, thing: Any, called: str = "") -> str:
        """A name for an object, the same each time."""
        wanted = called or getattr(thing, "__name__", "thing")
        found, n = wanted, 1
        while not _free(found) or self.names.setdefault(found, thing) is not thing:
            n += 1
            found = f"{wanted if wanted.isidentifier() else 'thing'}_{n}"
        return found

    def local(self) -> str:
        """A fresh name for a part of the row."""
        self.locals += 1
        return f"part{self.locals}"

    def function(self, conditions: list[str], result: str, slow: Keep) -> Keep:
        """The function that gives `result` under the conditions, and takes the slow path else."""
        slow_name = self.name(slow, "slow")
        errors = f"({self.name(Refused)}, {self.name(AttributeError)})"
        text = (
            "def check(row):\n"
            "    try:\n"
            "        if (\n"
            f"            {(chr(10) + ' ' * 12 + 'and ').join(conditions)}\n"
            "        ):\n"
            f"            return {result}\n"
            f"    except {errors}:\n"
            "        pass  # the slow path finds where\n"
            f"    return {slow_name}(row)\n"
        )
        made: dict[str, Any] = {}
        exec(text, self.names, made)
        check: Keep = made["check"]
        check.__doc__ = text
        return check


def _free(name: str) -> bool:
    taken = name in ("row", "type", "len", "getattr") or name.startswith("part")
    return name.isidentifier() and not iskeyword(name) and not taken


def exactly(kind: type) -> Test:
    """The condition that a value is of this very class."""
    return lambda value, source: f"type({value}) is {source.name(kind)}"


def kept(keep: Keep) -> Test:
    """The condition that a way in gives the value back as it is."""

    def test(value: str, source: Source) -> str:
        local = source.local()
        return f"{source.name(keep, 'kept')}({local} := {value}) is {local}"

    return test
