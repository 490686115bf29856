"""Views as text: the sources, then each view with its operators in the order of flow.

What several views share without having named it stands once, under a name such as `filter#1`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ominus.flow import ops
from ominus.flow.ops import Op
from ominus.flow.show.words import Words, folded, gives, words
from ominus.flow.spec import closure

WIDTH = 88
STEP = "  "


def outline(views: Mapping[str, Op]) -> str:
    """All sources and views, each on lines of its own."""
    return _Outline(views).text()


def names_of(views: Mapping[str, Op]) -> dict[int, str]:
    """The names of sources, of views, and of what is shared without a name, by identity."""
    all_ = closure(list(views.values()))
    names = {id(op): op.name for op in all_ if isinstance(op, ops.Source)}
    for name, op in views.items():
        if name:
            names.setdefault(id(op), name)
    readers = Counter(id(read) for op in all_ for read in op.inputs())
    shared: Counter[str] = Counter()
    for op in all_:
        if readers[id(op)] > 1 and id(op) not in names:
            shared[op.verb] += 1
            names[id(op)] = f"{op.verb}#{shared[op.verb]}"
    return names


class _Outline:
    def __init__(self, views: Mapping[str, Op]) -> None:
        self.views = views
        self.all = closure(list(views.values()))
        self.names = names_of(views)

    def name(self, op: Op) -> str:
        return self.names[id(op)]

    def text(self) -> str:
        sources = [op for op in self.all if isinstance(op, ops.Source)]
        parts = ["\n".join(map(self.source, sources))] if sources else []
        given = {id(op) for op in self.views.values()}
        for op in self.all:
            if id(op) in self.names and id(op) not in given and op not in sources:
                parts.append(self.view(self.names[id(op)], op))
        for name, op in self.views.items():
            if not (isinstance(op, ops.Source) and name in ("", op.name)):
                parts.append(self.view(name, op))
        return "\n\n".join(parts) + "\n"

    def source(self, op: Op) -> str:
        return f"{self.name(op)}: source, {', '.join(words(op, self.called).clauses)}"

    def view(self, name: str, op: Op) -> str:
        head = f"{name}: {gives(op.kind)}" if name else gives(op.kind)
        if self.names.get(id(op), name) != name:
            return f"{head}\n{STEP}{self.name(op)}"
        return "\n".join([head, *(STEP + line for line in self.chain(op))])

    def chain(self, end: Op) -> Iterator[str]:
        """The operators up to `end`, from the last thing before it that has a name."""
        found = [end]
        while (main := words(found[-1], self.called).main) is not None:
            found.append(main)
            if id(main) in self.names:
                break
        found.reverse()
        if id(found[0]) in self.names and found[0] is not end:
            yield self.name(found.pop(0))
        elif words(found[0], self.called).main is None:
            yield from self.operator(found.pop(0), 0)
        width = max((len(op.verb) for op in found), default=0)
        for op in found:
            yield from (STEP + line for line in self.operator(op, width))

    def operator(self, op: Op, width: int) -> Iterator[str]:
        """An operator on one line, then what does not fit, then the inputs without a name."""
        said = words(op, self.called)
        lines = folded(self.clauses(op, said), WIDTH - width - 6)
        for role, side in said.sides:
            if id(side) not in self.names:
                first, *rest = self.chain(side)
                lines += [f"{role} {first}", *(STEP + line for line in rest)]
        head = op.verb.ljust(width)
        yield f"{head}  {lines[0]}" if lines else op.verb
        yield from (" " * (len(head) + 2) + line for line in lines[1:])

    def clauses(self, op: Op, said: Words) -> list[str]:
        """What it does, and the other inputs that have a name."""
        if isinstance(op, ops.Slice):
            return list(said.clauses)
        together: dict[str, list[str]] = {}
        for role, side in said.sides:
            if id(side) in self.names:
                together.setdefault(role, []).append(self.name(side))
        reads = [f"{role} {', '.join(found)}" for role, found in together.items()]
        joins = isinstance(op, ops.Join | ops.Union)
        return [*reads, *said.clauses] if joins else [*said.clauses, *reads]

    def called(self, op: Op) -> str:
        return self.names.get(id(op), "(below)")
