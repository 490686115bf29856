"""How a value is refused: what was found where, what is declared, and what to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.errors import TypeMismatch
from ominus.flow.types import class_name, shown

_LONG = 200

Keep = Callable[[Any], Any]
"""A way in: the value as it is kept, or `Refused`."""


class Refused(Exception):
    """A value that may not come in; on its way out it learns where it was."""

    def __init__(self, value: Any, declared: Any, *, why: str = "", todo: str = "") -> None:
        super().__init__()
        self.value, self.declared, self.why, self.todo = value, declared, why, todo
        self.path = ""

    def inside(self, place: str) -> Refused:
        """The same refusal, of a part: a field's name, or an index in brackets."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        self.path = place + dot + self.path
        return self

    def mismatch(self, row: Any, source: str) -> TypeMismatch:
        """The error for the user."""
        where = f"its {'part' if self.path.startswith('[') else 'field'} {self.path}"
        kind = class_name(type(self.value))
        declared = self.declared if isinstance(self.declared, str) else shown(self.declared)
        found = (
            f"{where if self.path else 'it'} is {short(self.value)}, "
            + (f"{article(kind)} {kind}, " if self.value is not None else "")
            + f"where {declared} is declared"
        )
        return TypeMismatch(
            f"the row {short(row)}" + (f" of {source!r}" if source else ""),
            f"{found}: {self.why}" if self.why else found,
            self.todo or self.advice(declared, kind),
        )

    def advice(self, declared: str, kind: str) -> str:
        """What to write where nothing better is known."""
        if self.value is None:
            return f"Declare {declared} | None, or give a value."
        return f"Give {article(declared)} {declared}, or declare {kind}."


def article(noun: str) -> str:
    """The article that a name takes."""
    return "an" if noun[:1] in "aeioAEIO" else "a"


def short(value: Any) -> str:
    """A value as text, not longer than a line or two."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{class_name(type(value))}>"
    return text if len(text) <= _LONG else text[: _LONG - 3] + "..."


def told(keep: Keep, source: str) -> Keep:
    """The way in whose refusals are told to the user, with the whole row."""

    def checked(row: Any) -> Any:
        try:
            return keep(row)
        except Refused as no:
            raise no.mismatch(row, source) from None

    return checked
