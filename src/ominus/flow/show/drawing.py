"""Views in one of the forms there are, after sub-flows that are the same have become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ominus.errors import FlowError
from ominus.flow.ops import Op
from ominus.flow.same import Prints
from ominus.flow.show.dot import dot
from ominus.flow.show.graph import Graph, graph
from ominus.flow.show.mermaid import mermaid
from ominus.flow.show.outline import outline
from ominus.flow.show.svg import svg

FORMS: dict[str, Callable[[Mapping[str, Op]], str]] = {
    "text": outline,
    "mermaid": lambda views: mermaid(graph(views)),
    "dot": lambda views: dot(graph(views)),
    "svg": lambda views: svg(graph(views), outline(views)),
}
"""All forms that a flow can be shown in."""


def draw(views: Mapping[str, Op], form: str) -> str:
    """Views by name, in one of the forms; the name "" is that of a collection without one.

    Fails  FlowError, if there is no such form.
    """
    if form not in FORMS:
        raise FlowError(
            f"show({form!r})",
            "no such form",
            f"Write one of {', '.join(map(repr, FORMS))}.",
        )
    return FORMS[form](_one_of_each(views))


def operators(views: Mapping[str, Op]) -> list[dict[str, Any]]:
    """Each operator as plain data, after those that it reads."""
    made: Graph = graph(_one_of_each(views))
    return [
        {
            "id": node.id,
            "operator": node.verb,
            "name": node.name or None,
            "detail": list(node.details),
            "gives": node.kind,
            "reads": [arrow.start for arrow in made.arrows if arrow.end == node.id],
        }
        for node in made.nodes
    ]


def _one_of_each(views: Mapping[str, Op]) -> dict[str, Op]:
    prints = Prints()
    return {name: prints.intern(op) for name, op in views.items()}
