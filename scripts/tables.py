"""Write the tables and pictures that stand inside pages which are written by hand.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; `--check` writes nothing, and
fails where one is stale.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ominus as om
from ominus import demo
from ominus import reducers as r
from ominus.errors import OminusError
from ominus.flow import ops
from reference import call, on_disk, sentence

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

ROWS = om.source("rows", int)
TABLE = om.source("table", dict, key="id")
GROUPS = TABLE.group_by("name")

OF_ONE: dict[type[ops.Op], Callable[[Any], Any]] = {
    ops.Filter: lambda c: c.filter(bool),
    ops.Map: lambda c: c.map(str),
    ops.FlatMap: lambda c: c.flat_map(list),
    ops.MapItems: lambda c: c.map_items(max),
    ops.Items: lambda c: c.items(),
    ops.GroupBy: lambda c: c.group_by(len),
    ops.Join: lambda c: c.join(c),
    ops.Union: lambda c: c.union(c),
    ops.Distinct: lambda c: c.distinct(),
    ops.Reduce: lambda c: c.reduce(r.count()),
    ops.Top: lambda c: c.top(3),
    ops.Slice: lambda c: c.slice(1, 9),
    ops.Take: lambda c: c.take(3),
    ops.Size: lambda c: c.size(),
    ops.Compute: lambda c: c.compute(len),
    ops.Maintain: lambda c: c.maintain(len, max),
}
"""How each operator of one collection is built, to see what it gives."""

OF_NONE = {
    ops.Source: om.source,
    ops.Literal_: om.literal,
    ops.ComputeViews: om.compute,
    ops.MaintainViews: om.maintain,
    ops.Lazy: om.lazy,
}
"""What begins a flow, or takes whole views."""


def operators() -> Iterator[str]:
    yield "| operator | what it gives | of rows | of a table | of groups |"
    yield "|---|---|---|---|---|"
    for kind in ops.VERBS:
        if kind in OF_ONE:
            build = OF_ONE[kind]
            gives = " | ".join(shape(build, of) for of in (ROWS, TABLE, GROUPS))
            name = call(ops.VERBS[kind], getattr(om.Table, ops.VERBS[kind])).replace("self, ", "")
            yield f"| `.{name.replace('self', '')}` | {sentence(kind.__doc__)} | {gives} |"


def beginnings() -> Iterator[str]:
    yield "| function | what it gives |"
    yield "|---|---|"
    for kind, function in OF_NONE.items():
        name = call(f"om.{ops.VERBS[kind]}", function)
        yield f"| `{name}` | {sentence(kind.__doc__)} |"


def shape(build: Callable[[Any], Any], of: Any) -> str:
    """The shape of what an operator gives, or a dash where it is refused."""
    try:
        found = build(of).kind
    except OminusError:
        return "–"
    one = found.shape == "table" and not found.names
    return "one value" if one else str(found.shape)


def reducers() -> Iterator[str]:
    yield "| reducer | what it gives | removes | state |"
    yield "|---|---|---|---|"
    for name, example in r.CATALOGUE.items():
        reducer = example.reducer
        told = sentence(getattr(r, name).__doc__)
        yield f"| `r.{name}` | {told} | {reducer.inverse} | {reducer.kind} |"


def mermaid() -> Iterator[str]:
    yield from ("```mermaid", demo.SHOP.show("mermaid").rstrip(), "```")


TABLES = {
    "mermaid": mermaid,
    "operators": operators,
    "beginnings": beginnings,
    "reducers": reducers,
}
PICTURES = {"shop.svg": lambda: demo.SHOP.show("svg")}


def filled(page: str) -> str:
    """A page with each of its tables as the code says."""
    return MARKED.sub(lambda m: f"{m[1]}{chr(10).join(TABLES[m[2]]())}\n{m[3]}", page)


def stale(docs: Path = DOCS) -> dict[Path, str]:
    """The pages and pictures that differ from what the code says, with what they should be."""
    pages = (
        sorted(docs.rglob("*.md")) if docs != DOCS else [ROOT / "README.md", *docs.rglob("*.md")]
    )
    wanted = {page: filled(on_disk(page)) for page in pages}
    wanted |= {docs / "pictures" / name: draw() for name, draw in PICTURES.items()}
    return {path: text for path, text in wanted.items() if text != on_disk(path)}


def main(*, check: bool) -> int:
    found = stale()
    for path, text in found.items():
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if check and found:
        print("run `make docs`")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
