"""A flow in Mermaid, the notation of diagrams that forges and notebooks render."""

from __future__ import annotations

from ominus.flow.show.graph import Graph, Node

WIDEST = 34
MOST_LINES = 4
_ESCAPES = {"&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;"}
_CLASSES = """\
    classDef source fill:#e8f1fb,stroke:#3b76b5,color:#12304f
    classDef view fill:#fdf0dc,stroke:#c77d1a,stroke-width:2px,color:#4a2c05
    classDef step fill:#f6f7f8,stroke:#9aa5b1,color:#24303c"""


def mermaid(graph: Graph) -> str:
    """A flowchart from left to right: sources as cylinders, named views emphasised."""
    lines = ["flowchart LR"]
    lines += [f"    {_box(node)}" for node in graph.nodes]
    for arrow in graph.arrows:
        line = "-.->" if arrow.is_read else "-->"
        role = f"|{arrow.role}|" if arrow.is_read else ""
        lines.append(f"    {arrow.start} {line}{role} {arrow.end}")
    lines.append(_CLASSES)
    for name in ("source", "view", "step"):
        found = [node.id for node in graph.nodes if _class(node) == name]
        if found:
            lines.append(f"    class {','.join(found)} {name}")
    return "\n".join(lines) + "\n"


def _class(node: Node) -> str:
    return "source" if node.is_source else "view" if node.is_view else "step"


def _box(node: Node) -> str:
    text = "<br/>".join(_label(node))
    if node.is_source:
        return f'{node.id}[("{text}")]'
    return f'{node.id}(["{text}"])' if node.is_view else f'{node.id}["{text}"]'


def _label(node: Node) -> list[str]:
    head = [f"<b>{_escaped(node.name)}</b>"] if node.name else []
    if not (node.is_source and node.name):
        head.append(f"<i>{node.verb}</i>" if node.name else f"<b>{node.verb}</b>")
    return head + [_escaped(line) for line in node.lines(WIDEST, MOST_LINES)]


def _escaped(text: str) -> str:
    # '#' begins an entity, so it is replaced first, and by one.
    text = text.replace("#", "#35;")
    return "".join(_ESCAPES.get(letter, letter) for letter in text)
