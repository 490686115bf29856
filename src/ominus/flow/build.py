"""What the fluent methods do: check that an operator can be meant, and make its record.

Every refusal names the user's call, what it was given, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from ominus.algebra.select import Desc, Field, Order, Parts, selector
from ominus.errors import FlowError
from ominus.flow import ops
from ominus.flow.ops import Kind, Op
from ominus.flow.said import (
    asked_text,
    function,
    keyed,
    name_text,
    pair_of,
    unkeyed,
    whole_number,
    with_value,
)
from ominus.flow.types import ANY, part_type, result_type
from ominus.flow.window import Window, WindowKey


def filter_(of: Op, f: Any, reads: Op | None) -> Op:
    """Values kept where `f` is true."""
    asked = asked_text(of, "filter", f)
    part_type(of.kind.value, f, asked=asked)
    return ops.Filter(kind=of.kind, of=of, f=function(f, asked), reads=reads)


def map_(of: Op, f: Any, reads: Op | None) -> Op:
    """Values replaced by `f` of them."""
    asked = asked_text(of, "map", f)
    value = part_type(of.kind.value, f, asked=asked)
    return ops.Map(kind=with_value(of, value=value), of=of, f=function(f, asked), reads=reads)


def flat_map(of: Op, f: Any, reads: Op | None) -> Op:
    """Values replaced by all that `f` gives."""
    asked = asked_text(of, "flat_map", f)
    part_type(of.kind.value, f, asked=asked)
    kind = unkeyed(of.kind) if of.kind.shape == "table" else of.kind
    kind = Kind(kind.shape, kind.names, kind.key, ANY)
    return ops.FlatMap(kind=kind, of=of, f=function(f, asked), reads=reads)


def map_items(of: Op, f: Any) -> Op:
    """Values replaced by `f(key, value)`."""
    keyed(of, "map_items", "Use map: rows have no key.")
    return ops.MapItems(kind=with_value(of, value=result_type(f)), of=of, f=f)


def items(of: Op) -> Op:
    """Rows of records: the key's fields, then the value's."""
    keyed(of, "items", "Rows have no key; use them as they are.")
    return ops.Items(kind=Kind("rows", value=ANY), of=of)


def group_by(of: Op, parts: tuple[Any, ...], named: dict[str, Any]) -> Op:
    """Values under the keys that the parts give; without parts, rows."""
    if not parts and not named:
        return ops.GroupBy(kind=unkeyed(of.kind), of=of, by=None, many=False)
    asked = asked_text(of, "group_by", *parts, *named.values())
    names, chosen, types = [], [], []
    for i, part in enumerate(parts):
        names.append(_key_name(part, i, len(parts)))
        chosen.append(_key_part(part))
        types.append(_key_type(of.kind.value, part, asked))
    for name, part in named.items():
        names.append(name)
        chosen.append(_key_part(part))
        types.append(_key_type(of.kind.value, part, asked))
    if len(set(names)) < len(names):
        raise FlowError(
            asked,
            f"two parts of the key are named {names}",
            "Name them: group_by(first=..., second=...).",
        )
    by = chosen[0] if len(chosen) == 1 else Parts(tuple(chosen))
    many = any(isinstance(part, WindowKey) and part.many for part in chosen)
    key = types[0] if len(types) == 1 else pair_of(*types)
    kind = Kind("groups", tuple(names), key, of.kind.value)
    return ops.GroupBy(kind=kind, of=of, by=SeveralKeys(tuple(chosen)) if many else by, many=many)


def _key_name(part: Any, i: int, n: int) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Field):
        return part.name
    if isinstance(part, WindowKey):
        return "window"
    return "key" if n == 1 else f"key{i}"


def _key_part(part: Any) -> Callable[[Any], Any]:
    return selector(part)


def _key_type(kind: Any, part: Any, asked: str) -> Any:
    if isinstance(part, WindowKey):
        part_type(kind, part.of, asked=asked)
        return ANY if part.many else Window
    return part_type(kind, part, asked=asked)


@dataclass(frozen=True)
class SeveralKeys:
    """All the keys of a row that is in several groups: sliding windows, beside other parts."""

    parts: tuple[Callable[[Any], Any], ...]

    def __call__(self, row: Any) -> list[Any]:
        choices = [
            part.windows(row) if isinstance(part, WindowKey) else [part(row)] for part in self.parts
        ]
        return choices[0] if len(choices) == 1 else list(product(*choices))


def top(of: Op, n: int, by: Any) -> Op:
    """The highest of each group."""
    asked = f"{name_text(of)}.top({n!r})"
    whole_number(n, asked)
    _order_parts(of, by, asked)
    return ops.Top(kind=of.kind, of=of, n=n, by=Order(by))


def _order_parts(of: Op, by: Any, asked: str) -> None:
    """Refuse an order by fields that the rows lack."""
    if isinstance(by, Desc):
        _order_parts(of, by.of, asked)
    elif isinstance(by, tuple):
        for part in by:
            _order_parts(of, part, asked)
    else:
        part_type(of.kind.value, by, asked=asked)


def slices(of: Op, ranges: tuple[tuple[Any, Any], ...]) -> Op:
    """The keys within ranges."""
    keyed(of, "slice", "Rows have no key; group them first, or use filter.")
    for lo, hi in ranges:
        for bound in (lo, hi):
            if isinstance(bound, Op) and bound.kind.shape == "groups":
                raise FlowError(
                    f"{name_text(of)}.slice",
                    f"the bound {name_text(bound)} is groups",
                    "A bound is a value, or a view of one value.",
                )
    return ops.Slice(kind=of.kind, of=of, ranges=ranges)


def take(of: Op, n: int) -> Op:
    """The first keys."""
    keyed(of, "take", "Rows have no key; top(n, by=...) takes values.")
    whole_number(n, f"{name_text(of)}.take({n!r})")
    return ops.Take(kind=of.kind, of=of, n=n)


def size(of: Op) -> Op:
    """The number of keys."""
    keyed(of, "size", "Rows have no key; count() counts values.")
    return ops.Size(kind=Kind("table", value=int), of=of)
