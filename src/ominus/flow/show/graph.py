"""A flow as boxes and arrows: plain data for whatever draws them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap

from ominus.flow import ops
from ominus.flow.ops import Op
from ominus.flow.show.words import folded, gives, words
from ominus.flow.spec import closure


@dataclass(frozen=True)
class Node:
    """A box: an operator, the names of its view or source, and what it does."""

    id: str
    verb: str
    name: str
    details: tuple[str, ...]
    kind: str

    def lines(self, width: int, most: int) -> list[str]:
        """The details on at most so many lines of at most this width."""
        found = [line for each in folded(self.details, width) for line in wrap(each, width)]
        return found if len(found) <= most else [*found[: most - 1], "…"]

    @property
    def is_source(self) -> bool:
        """Whether rows come in here from outside, or from the definition."""
        return self.verb in ("source", "literal")

    @property
    def is_view(self) -> bool:
        """Whether it has a name that a user gave."""
        return bool(self.name) and not self.is_source


@dataclass(frozen=True)
class Arrow:
    """An input of an operator; `role` says which, where it is not the main one."""

    start: str
    end: str
    role: str

    @property
    def is_read(self) -> bool:
        """Whether it is read beside the flow: by a function, or as a bound."""
        return self.role in ("reads", "from", "to")


@dataclass(frozen=True)
class Graph:
    """Boxes, each after those that it reads, and the arrows between them."""

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]


def graph(views: Mapping[str, Op]) -> Graph:
    """The boxes and arrows of views by name."""
    all_ = closure(list(views.values()))
    ids = {id(op): f"n{i}" for i, op in enumerate(all_)}
    names: dict[int, list[str]] = {}
    for name, op in views.items():
        if name and not (isinstance(op, ops.Source) and op.name == name):
            names.setdefault(id(op), []).append(name)
    nodes, arrows = [], []
    for op in all_:
        said = words(op, lambda other: _called(other, names))
        own = [op.name] if isinstance(op, ops.Source) else []
        name = ", ".join(own + names.get(id(op), []))
        nodes.append(Node(ids[id(op)], op.verb, name, said.clauses, gives(op.kind)))
        inputs = [("", said.main), *said.sides] if said.main is not None else said.sides
        arrows += [Arrow(ids[id(read)], ids[id(op)], role) for role, read in inputs]
    return Graph(tuple(nodes), tuple(arrows))


def _called(op: Op, names: Mapping[int, list[str]]) -> str:
    if isinstance(op, ops.Source):
        return op.name
    return (names.get(id(op)) or [op.verb])[0]
