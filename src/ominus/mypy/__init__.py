"""A plugin for mypy, for what the language cannot say: `plugins = ["ominus.mypy"]`.

It knows the fields of `om.record(...)` and of a named `reduce`, looks up the fields that strings
name, and with them the key of a source and of `group_by`.
What it does not know stays as the stubs have it.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AttributeContext, FunctionContext, MethodContext, Plugin
from mypy.types import Type

from ominus.mypy import operators, records, reducing
from ominus.mypy.calls import soft

SHAPES = "ominus.flow.shapes."

_FUNCTIONS = {
    "ominus.algebra.record.record": soft(records.record),
    "ominus.flow.define.source": soft(operators.source),
    "ominus.reducers.record": soft(reducing.record),
}
_METHODS = {
    "filter": soft(operators.filtered),
    "flat_map": soft(operators.filtered),
    "map": soft(operators.mapped),
    "group_by": soft(operators.grouped),
    "top": soft(operators.topped),
    "join": soft(operators.joined),
    "reduce": soft(reducing.reduced),
}


def plugin(version: str) -> type[Plugin]:
    """What mypy asks for."""
    return Ominus


class Ominus(Plugin):
    """The hooks, by the names of what they know."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Records, records of reducers, and the key of a source."""
        return _FUNCTIONS.get(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """The operators that take strings, and those that give records."""
        known = fullname.startswith(SHAPES)
        return _METHODS.get(fullname.rpartition(".")[2]) if known else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """The fields of records."""
        owner, _, name = fullname.rpartition(".")
        if owner != records.RECORD or name.startswith("_"):
            return None
        return lambda ctx: records.read(ctx, name)
