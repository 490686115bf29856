"""A node: one operator at work, and the errors of the functions that it calls."""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ominus import errors
from ominus.algebra.value import ident
from ominus.engine.embedded.store import Store
from ominus.engine.embedded.wave import Wave
from ominus.errors import DefinitionChanged, FunctionFailed, OminusError, RowChanged
from ominus.flow.ops import Op

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan

_HOME = os.path.dirname(os.path.abspath(errors.__file__)) + os.sep


class Node:
    """An operator at work: `step` turns the waves of its inputs into its own.

    `kept` is the store that holds the operator's collection, if this node keeps it.
    `counts` says what the last transaction touched.
    """

    kept: Store | None = None

    def __init__(self, plan: Plan, op: Op, *inputs: Node) -> None:
        self.plan = plan
        self.op = op
        self.inputs = inputs
        self.wave: Wave | None = None
        self.counts: dict[str, int] = {}

    @property
    def verb(self) -> str:
        """What the node is called in messages and trails."""
        return self.op.verb

    def dirty(self) -> bool:
        """Whether an input has changed in this transaction."""
        return any(node.wave for node in self.inputs)

    def step(self) -> Wave:
        """The wave of this transaction, from those of the inputs."""
        raise NotImplementedError

    def start(self) -> Wave | None:
        """What there is before any row came; None for nothing."""
        return None

    def undo(self) -> None:
        """Put back what no store could: after all stores have been restored."""

    def clear(self) -> None:
        """Forget the transaction, once it is over."""
        self.wave = None

    def count(self, what: str, n: int = 1) -> None:
        """Add to what this transaction touched."""
        self.counts[what] = self.counts.get(what, 0) + n

    def calling(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the user as it is called: watched engines see that it changes no row."""
        if self.plan.observer is None:
            return f
        self._as_defined(f)

        def watched(*values: Any) -> Any:
            before = list(map(ident, values))
            found = f(*values)
            if list(map(ident, values)) != before:
                raise RowChanged(
                    f"{self.verb} by {getattr(f, '__name__', f)!s}",
                    f"it left its row as {values[0]!r}",
                    "A row belongs to its source: give a changed copy instead.",
                )
            return found

        return watched

    def _as_defined(self, f: Callable[..., Any]) -> None:
        """Refuse a function that reads something else than when the flow was run."""
        now = self.plan.prints.read_by(f)
        then = self.plan.reads.setdefault(id(f), now)
        changed = [name for name in now if now[name] != then.get(name)]
        if changed:
            raise DefinitionChanged(
                f"{self.verb} by {getattr(f, '__name__', f)!s}",
                f"what it reads as {changed[0]!r} has changed since it was first called",
                "What a function reads belongs to the definition: make it a source, or run anew.",
            )

    def failed(self, cause: Exception, row: Any) -> Exception:
        """The error to raise when a function of this node raised on a row."""
        return failure(self.verb, cause, row)


def failure(verb: str, cause: Exception, row: Any) -> Exception:
    """A user's exception as ours: the operator, the row, and the user's own line."""
    if isinstance(cause, FunctionFailed):
        return cause
    line = user_line(cause)
    where = f" at {line}" if line else ""
    if isinstance(cause, OminusError):
        cause.add_note(f"In {verb}, on {row!r}{where}; the transaction was taken back.")
        return cause
    error = FunctionFailed(
        f"{verb} of {row!r}",
        f"{type(cause).__name__}: {cause}{where}",
        "The transaction was taken back; mend the function or the row.",
    )
    error.operator, error.row, error.line = verb, row, line
    error.__cause__ = cause
    return error


def user_line(cause: BaseException) -> str:
    """The last line outside ominus on the way to an exception."""
    found = ""
    trace = cause.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(_HOME):
            text = linecache.getline(file, trace.tb_lineno).strip()
            found = f"{file}:{trace.tb_lineno}" + (f": {text}" if text else "")
        trace = trace.tb_next
    return found
