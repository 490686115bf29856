"""What is known of collections, and how a user's call is named in a message."""

from __future__ import annotations

from collections.abc import Callable
from types import GenericAlias
from typing import Any

from ominus.algebra.select import selector
from ominus.errors import FlowError, ShapeRefuses
from ominus.flow import ops
from ominus.flow.ops import Kind, Op
from ominus.flow.types import shown


def function(f: Any, asked: str) -> Callable[..., Any]:
    """The function that an operator was given; a field's name or position serves as one."""
    if f is None or isinstance(f, Op):
        raise FlowError(asked, f"got {f!r}", "Give a function of the value, or a field's name.")
    return selector(f)


def single(of: Op, value: Any) -> Kind:
    """What is known of one result for each group."""
    if of.kind.shape == "groups":
        return Kind("table", of.kind.names, of.kind.key, value)
    return Kind("table", value=value)


def pair_of(*kinds: Any) -> Any:
    """The type of a tuple of these."""
    return GenericAlias(tuple, kinds)


def unkeyed(kind: Kind) -> Kind:
    """The same values as rows."""
    return Kind("rows", value=kind.value)


def with_value(of: Op, *, value: Any) -> Kind:
    """What is known, with values of another type."""
    return Kind(of.kind.shape, of.kind.names, of.kind.key, value)


def keyed(of: Op, verb: str, todo: str) -> None:
    """Refuse an operator about keys on rows."""
    if of.kind.shape == "rows":
        raise ShapeRefuses(
            f"{name_text(of)}.{verb}", f"{name_text(of)} is rows: one group, no keys", todo
        )


def whole_number(n: Any, asked: str) -> None:
    """Refuse what is no count."""
    if not isinstance(n, int) or isinstance(n, bool) or n < 0:
        raise FlowError(asked, f"n={n!r}", "Give a whole number, not negative.")


def arity(kind: Kind) -> int:
    """How many fields a key has."""
    return len(kind.names)


def keys_text(kind: Kind) -> str:
    """A key's fields, for a message."""
    return " and ".join(kind.names) or "none"


def type_text(kind: Any) -> str:
    """A type, for a message."""
    return shown(kind)


def name_text(op: Op) -> str:
    """An operator, for a message."""
    return op.name if isinstance(op, ops.Source) else f"{op.verb}(...)"


def asked_text(of: Op, verb: str, *given: Any) -> str:
    """A user's call, for a message."""
    texts = ", ".join(getattr(g, "__name__", None) or repr(g) for g in given)
    return f"{name_text(of)}.{verb}({texts})"
