"""A flow as a picture: boxes from left to right, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from ominus.flow.show.graph import Arrow, Graph, Node
from ominus.flow.show.layers import Layout, layout

WIDEST = 32
MOST_LINES = 5
SPACE = 44
"""The space between two columns."""
EDGE = 14
LINE = 15
PAD = 10
_SANS = "ui-sans-serif, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
_MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_WIDTH = {"name": 8.2, "verb": 7.4, "detail": 6.65}
"""How wide a letter is, a little too much rather than too little."""
_SIZE = {"name": 13.5, "verb": 12, "detail": 11}


@dataclass(frozen=True)
class Look:
    """The colours of a box."""

    fill: str
    line: str
    text: str
    width: float


SOURCE = Look("#e8f1fb", "#3b76b5", "#12304f", 1.2)
VIEW = Look("#fdf0dc", "#c77d1a", "#4a2c05", 1.8)
STEP = Look("#f6f7f8", "#9aa5b1", "#24303c", 1)
ARROW = "#7b8794"


@dataclass(frozen=True)
class Box:
    """A node with its lines of text, each of a kind, and the size that they ask for."""

    node: Node
    lines: tuple[tuple[str, str], ...]

    @property
    def width(self) -> float:
        """The width of its longest line, and space on both sides."""
        widest = max(len(text) * _WIDTH[kind] for kind, text in self.lines)
        return max(widest, 40) + 2 * PAD

    @property
    def height(self) -> float:
        """The height of its lines, and space above and below."""
        return len(self.lines) * LINE + 2 * PAD + (6 if self.node.is_source else 0)

    @property
    def look(self) -> Look:
        """Its colours."""
        return SOURCE if self.node.is_source else VIEW if self.node.is_view else STEP


def svg(graph: Graph, told: str) -> str:
    """The picture; `told` is what it says to those who do not see it."""
    boxes = {node.id: Box(node, tuple(_lines(node))) for node in graph.nodes}
    read = {arrow.start for arrow in graph.arrows}
    last = {node.id for node in graph.nodes if node.is_view and node.id not in read}
    made = layout(
        {name: box.height for name, box in boxes.items()},
        [(arrow.start, arrow.end) for arrow in graph.arrows],
        last,
    )
    lefts, widths = _columns(made, boxes)
    bottom = max(made.middle[name] + box.height / 2 for name, box in boxes.items())
    width, height = lefts[-1] + widths[-1] + EDGE, bottom + 2 * EDGE
    parts = [_head(width, height, told)]
    parts += _arrows(made, graph.arrows, boxes, lefts, widths)
    for column, left, wide in zip(made.columns, lefts, widths, strict=True):
        for name in column:
            if name in boxes:
                parts.append(_box(boxes[name], left, made.middle[name] + EDGE, wide))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _lines(node: Node) -> Iterator[tuple[str, str]]:
    if node.name:
        yield "name", node.name
    if not node.is_source or not node.name:
        yield "verb", node.verb
    yield from (("detail", line) for line in node.lines(WIDEST, MOST_LINES))


def _columns(made: Layout, boxes: dict[str, Box]) -> tuple[list[float], list[float]]:
    widths = [
        max((boxes[name].width for name in column if name in boxes), default=0.0)
        for column in made.columns
    ]
    lefts, x = [], float(EDGE)
    for width in widths:
        lefts.append(x)
        x += width + SPACE
    return lefts, widths


def _head(width: float, height: float, told: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" font-family="{_SANS}">\n'
        f"<desc>{escape(told)}</desc>\n"
        '<defs><marker id="ominus-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0,0.8 L7.4,4 L0,7.2 Z" '
        f'fill="{ARROW}"/></marker></defs>'
    )


def _arrows(
    made: Layout,
    arrows: tuple[Arrow, ...],
    boxes: dict[str, Box],
    lefts: list[float],
    widths: list[float],
) -> Iterator[str]:
    column = {name: n for n, names in enumerate(made.columns) for name in names}

    def point(name: str, *, entering: bool) -> tuple[float, float]:
        n = column[name]
        return lefts[n] + (0 if entering else widths[n]), made.middle[name] + EDGE

    for arrow, way in zip(arrows, made.ways, strict=True):
        path = ""
        for start, end in pairwise(way.stops):
            (x0, y0), (x1, y1) = point(start, entering=False), point(end, entering=True)
            path += f" L{x0:.1f},{y0:.1f}" if path else f"M{x0:.1f},{y0:.1f}"
            bend = (x0 + x1) / 2
            path += f" C{bend:.1f},{y0:.1f} {bend:.1f},{y1:.1f} {x1:.1f},{y1:.1f}"
        dashes = ' stroke-dasharray="4 3"' if arrow.is_read else ""
        yield (
            f'<path d="{path}" fill="none" stroke="{ARROW}" stroke-width="1.4"{dashes} '
            'marker-end="url(#ominus-arrow)"/>'
        )


def _box(box: Box, left: float, middle: float, width: float) -> str:
    top, look = middle - box.height / 2, box.look
    paint = f'fill="{look.fill}" stroke="{look.line}" stroke-width="{look.width}"'
    if box.node.is_source:
        shape = _cylinder(left, top, width, box.height, paint)
        y = top + PAD + 6 + LINE - 4
    else:
        round_ = 12 if box.node.is_view else 5
        shape = (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{box.height:.1f}" '
            f'rx="{round_}" {paint}/>'
        )
        y = top + PAD + LINE - 4
    texts = [
        _text(kind, text, left + PAD, y + i * LINE, look, bold=i == 0)
        for i, (kind, text) in enumerate(box.lines)
    ]
    return "\n".join(["<g>", shape, *texts, "</g>"])


def _cylinder(left: float, top: float, width: float, height: float, paint: str) -> str:
    bow, right, bottom = 6, left + width, top + height
    half = width / 2
    body = (
        f'<path d="M{left:.1f},{top + bow:.1f} V{bottom - bow:.1f} '
        f"A{half:.1f},{bow} 0 0 0 {right:.1f},{bottom - bow:.1f} V{top + bow:.1f} "
        f'A{half:.1f},{bow} 0 0 0 {left:.1f},{top + bow:.1f} Z" {paint}/>'
    )
    lid = (
        f'<path d="M{left:.1f},{top + bow:.1f} '
        f'A{half:.1f},{bow} 0 0 0 {right:.1f},{top + bow:.1f}" {paint}/>'
    )
    return f"{body}\n{lid}"


def _text(kind: str, text: str, x: float, y: float, look: Look, *, bold: bool) -> str:
    font = f' font-family="{_MONO}"' if kind == "detail" else ""
    weight = ' font-weight="600"' if bold else ""
    faint = ' fill-opacity="0.85"' if kind == "detail" else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{_SIZE[kind]}" fill="{look.text}"'
        f'{font}{weight}{faint} xml:space="preserve">{escape(text)}</text>'
    )
