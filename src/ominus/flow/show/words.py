"""An operator in words: what it does, and what it reads beside its main input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ominus.algebra.change import ABSENT
from ominus.algebra.select import Field, Parts, itself
from ominus.flow import ops
from ominus.flow.build import SeveralKeys
from ominus.flow.joining import RecordOfBoth
from ominus.flow.ops import Kind, Op
from ominus.flow.show.spelled import body, lasting, spelled
from ominus.flow.types import ANY, RecordType, shown
from ominus.flow.window import WindowKey

Named = Callable[[Op], str]
MOST_ROWS = 3


class Words(NamedTuple):
    """What an operator does, the input that it goes on from, and its others, each with its role."""

    clauses: tuple[str, ...] = ()
    main: Op | None = None
    sides: tuple[tuple[str, Op], ...] = ()


def gives(kind: Kind) -> str:
    """What is known of a collection, in words.

    >>> gives(Kind("groups", ("region",), str, int)), gives(Kind("table", value=float))
    ('groups by region of int', 'one value of float')
    """
    if kind.shape == "rows":
        text = "rows"
    elif kind.shape == "table" and not kind.names:
        text = "one value"
    else:
        text = f"{kind.shape} by {', '.join(kind.names)}"
    of = _type(kind.value)
    return f"{text} of {of}" if of else text


def _type(kind: Any) -> str:
    if isinstance(kind, RecordType):
        return f"record({', '.join(name for name, _ in kind.fields)})"
    return "" if kind is ANY or "Any" in shown(kind) else shown(kind)


def words(op: Op, named: Named) -> Words:
    """An operator in words; `named` gives the name by which another one is referred to."""
    rule = _RULES.get(type(op))
    if rule is not None:
        return rule(op, named)
    return Words((), op.inputs()[0])


def folded(clauses: Iterable[str], width: int) -> list[str]:
    """Clauses on one line, or, where they are too long together, on as few as there need be.

    >>> folded(["a", "b", "cccc"], 5)
    ['a, b,', 'cccc']
    """
    lines: list[str] = []
    for clause in clauses:
        if lines and len(lines[-1]) + len(clause) + 2 <= width:
            lines[-1] += f", {clause}"
        else:
            if lines:
                lines[-1] += ","
            lines.append(clause)
    return lines


def _source(op: ops.Source, named: Named) -> Words:
    said = [gives(op.kind)]
    if op.sequence is not None:
        said.append(f"in the order of {op.sequence}")
    if not op.keep:
        said.append("keeps no rows")
    return Words(tuple(said))


def _literal(op: ops.Literal_, named: Named) -> Words:
    rows = [repr(row) for row in op.rows[:MOST_ROWS]]
    more = len(op.rows) - len(rows)
    return Words((", ".join([*rows, f"and {more} more"] if more else rows) or "no rows",))


def _function(op: Any, named: Named) -> Words:
    return Words((body(op.f),), op.of, () if op.reads is None else (("reads", op.reads),))


def _simple(op: Any, named: Named) -> Words:
    return Words((body(op.f),), op.of)


def _group_by(op: ops.GroupBy, named: Named) -> Words:
    if op.by is None:
        return Words(("no key",), op.of)
    by = op.by
    parts = by.parts if isinstance(by, Parts | SeveralKeys) else (by,)
    # Only one part that is itself of several fields has fewer names than parts.
    if len(parts) != len(op.kind.names):
        parts = (by,)
    said = [_key(name, part) for name, part in zip(op.kind.names, parts, strict=True)]
    return Words((", ".join(said),), op.of)


def _key(name: str, part: Any) -> str:
    if isinstance(part, Field):
        return repr(name) if part.name == name else f"{name}={part!r}"
    text = _window(part) if isinstance(part, WindowKey) else body(part)
    return text if name in ("key", "window") or name[:3] == "key" else f"{name}={text}"


def _window(key: WindowKey) -> str:
    of, size = spelled(key.of), lasting(key.size)
    every = f", every={lasting(key.every)!r}" if key.many else ""
    return f"window({of}, {size!r}{every})"


def _join(op: ops.Join, named: Named) -> Words:
    clauses = [_matched(op)]
    if op.how != "inner":
        clauses.append(f"how={op.how!r}")
    if isinstance(op.into, RecordOfBoth):
        clauses.append("into record")
    elif op.into is not None:
        clauses.append(f"into {body(op.into, most=2)}")
    if op.match_none is not None:
        clauses.append(f"match_none={op.match_none}")
    return Words(tuple(clauses), op.left, (("with", op.right),))


def _matched(op: ops.Join) -> str:
    left = "key" if op.left_on is None else body(op.left_on)
    right = "key" if op.right_on is None else body(op.right_on)
    if isinstance(op.left_on, Parts) and not op.left_on.parts:
        return "every pair"
    if left == right == "key":
        return "on the key"
    if left == right and op.left_on is not itself:
        return f"on {left}"
    return f"on {left} = {right}"


def _union(op: ops.Union, named: Named) -> Words:
    return Words((), op.of[0], tuple(("with", other) for other in op.of[1:]))


def _reduce(op: ops.Reduce, named: Named) -> Words:
    call = op.reducer.call
    if call is not None and call[0] == "record" and call[2]:
        return Words(tuple(f"{name}={spelled(r)}" for name, r in call[2].items()), op.of)
    return Words((spelled(op.reducer),), op.of)


def _top(op: ops.Top, named: Named) -> Words:
    by = spelled(op.by)
    return Words((f"{op.n} by {by}" if by != "value" else str(op.n),), op.of)


def _slice(op: ops.Slice, named: Named) -> Words:
    said, sides = [], []
    for bounds in op.ranges:
        for word, bound in zip(("from", "to"), bounds, strict=True):
            if isinstance(bound, Op):
                sides.append((word, bound))
                said.append(f"{word} {named(bound)}")
            elif bound is not ABSENT:
                said.append(f"{word} {bound!r}")
    return Words((" ".join(said) or "all",), op.of, tuple(sides))


def _take(op: ops.Take, named: Named) -> Words:
    return Words((str(op.n),), op.of)


def _compute_views(op: Any, named: Named) -> Words:
    return Words((body(op.f),), None, tuple(("of", view) for view in op.of))


def _maintain(op: ops.Maintain, named: Named) -> Words:
    return Words((body(op.full), f"by {spelled(op.delta)}"), op.of)


def _maintain_views(op: ops.MaintainViews, named: Named) -> Words:
    by = ", ".join(map(spelled, op.deltas))
    return Words((spelled(op.full), f"by {by}"), None, tuple(("of", view) for view in op.of))


def _lazy(op: ops.Lazy, named: Named) -> Words:
    return Words((spelled(op.f),), None, tuple(("reads", view) for view in op.of))


_RULES: dict[type[Op], Callable[[Any, Named], Words]] = {
    ops.Source: _source,
    ops.Literal_: _literal,
    ops.Filter: _function,
    ops.Map: _function,
    ops.FlatMap: _function,
    ops.MapItems: _simple,
    ops.Compute: _simple,
    ops.GroupBy: _group_by,
    ops.Join: _join,
    ops.Union: _union,
    ops.Reduce: _reduce,
    ops.Top: _top,
    ops.Slice: _slice,
    ops.Take: _take,
    ops.ComputeViews: _compute_views,
    ops.Maintain: _maintain,
    ops.MaintainViews: _maintain_views,
    ops.Lazy: _lazy,
}
