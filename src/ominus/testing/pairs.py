"""A collection as pairs of a key and a value, and as groups: how the oracle's rules see it.

One pair for each copy; the key of rows is `()`; and where groups are meant rows are one group,
and so is a table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from ominus.algebra.multiset import Multiset
from ominus.algebra.order import arrange
from ominus.algebra.value import canon, ident
from ominus.flow.ops import Kind
from ominus.testing.reading import Groups, Pairs, Rows, Table, View


def pairs(view: View) -> Iterator[tuple[Any, Any]]:
    """Each copy of each value, with its key."""
    if isinstance(view, Rows):
        yield from (((), value) for value in view)
    elif isinstance(view, Groups):
        yield from ((key, value) for key, group in view.items() for value in group)
    else:
        yield from view.items()


def collect(kind: Kind, found: Pairs) -> View:
    """The collection of these pairs, in the shape that the operator gives, in order of its keys."""
    kept = [(canon(key), canon(value)) for key, value in found]
    kept.sort(key=lambda pair: arrange(pair[0]))
    if kind.shape == "rows":
        return Rows(value for _, value in kept)
    return Table(kept) if kind.shape == "table" else Groups(gather(kept))


def gather(found: Pairs) -> Iterator[tuple[Any, Multiset[Any]]]:
    """Each key once, with the multiset of all its values."""
    together: dict[Hashable, tuple[Any, list[Any]]] = {}
    for key, value in found:
        together.setdefault(ident(key), (key, []))[1].append(value)
    return ((key, Multiset(values)) for key, values in together.values())


def groups(view: View) -> dict[Any, Multiset[Any]]:
    """The groups that are not empty; rows are one, and so is a table."""
    if isinstance(view, Groups):
        return {key: Multiset(group) for key, group in view.items()}
    values = Multiset(value for _, value in pairs(view))
    return {(): values} if values else {}
