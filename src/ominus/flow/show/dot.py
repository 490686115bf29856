"""A flow in DOT, the notation of Graphviz."""

from __future__ import annotations

from ominus.flow.show.graph import Graph, Node

WIDEST = 34
MOST_LINES = 5
_SOURCE = 'shape=cylinder, fillcolor="#e8f1fb", color="#3b76b5"'
_VIEW = 'style="filled,rounded,bold", fillcolor="#fdf0dc", color="#c77d1a"'


def dot(graph: Graph) -> str:
    """A digraph from left to right."""
    lines = [
        "digraph flow {",
        "    rankdir=LR;",
        '    node [shape=box, style="filled,rounded", fillcolor="#f6f7f8", color="#9aa5b1",'
        ' fontname="Helvetica", fontsize=11];',
        '    edge [color="#7b8794", fontname="Helvetica", fontsize=10];',
    ]
    lines += [f"    {_box(node)};" for node in graph.nodes]
    for arrow in graph.arrows:
        marks = f' [style=dashed, label="{arrow.role}"]' if arrow.is_read else ""
        lines.append(f"    {arrow.start} -> {arrow.end}{marks};")
    return "\n".join([*lines, "}"]) + "\n"


def _box(node: Node) -> str:
    head = [node.name] if node.name else []
    head += [] if node.is_source and node.name else [node.verb]
    label = "\\n".join(map(_escaped, head + node.lines(WIDEST, MOST_LINES)))
    look = _SOURCE if node.is_source else _VIEW if node.is_view else ""
    return f'{node.id} [label="{label}"{", " + look if look else ""}]'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
