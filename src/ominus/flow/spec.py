"""A flow: named views, built from sources, with each operator there once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ominus.errors import FlowError, NameTaken
from ominus.flow import port
from ominus.flow.ops import Op, Source
from ominus.flow.same import Prints
from ominus.flow.shapes import Shape, wrap


class Flow(Mapping[str, Any]):
    """Views by name, over sources by name; it holds no data, and runs on any engine."""

    def __init__(self, views: Mapping[str, Shape]) -> None:
        self.prints = Prints()
        self.views: dict[str, Op] = {}
        self.sources: dict[str, Source] = {}
        for name, shape in views.items():
            if not isinstance(shape, Shape):
                raise FlowError(
                    f"flow({name}=...)",
                    f"got {shape!r}",
                    "Give a source or something built from one.",
                )
            self.add(name, shape.op)

    def add(self, name: str, op: Op) -> Op:
        """Take in another view; the operator that stands for it."""
        own = self.prints.intern(op)
        for one in closure([own]):
            if isinstance(one, Source):
                self._add_source(one)
        taken = self.sources.get(name, self.views.get(name, own))
        if taken is not own:
            raise NameTaken(
                f"a view named {name!r}",
                "another source or view has that name",
                "Choose another name.",
            )
        self.views[name] = own
        return own

    def _add_source(self, source: Source) -> None:
        taken = self.sources.get(source.name, self.views.get(source.name, source))
        if taken is not source:
            raise NameTaken(
                f"a source named {source.name!r}",
                "another source or view has that name, with another definition",
                "Define each source once, or give the two their own names.",
            )
        self.sources[source.name] = source

    def op(self, which: str | Shape) -> Op:
        """The operator of a view or source, by name or by what defined it."""
        if isinstance(which, Shape):
            return self.prints.intern(which.op)
        found = self.views.get(which) or self.sources.get(which)
        if found is None:
            known = ", ".join(dict.fromkeys([*self.sources, *self.views]))
            raise KeyError(f"no view or source named {which!r}: there are {known}")
        return found

    def order(self) -> list[Op]:
        """All operators, each after those that it reads."""
        return closure([*self.sources.values(), *self.views.values()])

    def __getitem__(self, name: str) -> Any:
        return wrap(self.op(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.views)

    def __len__(self) -> int:
        return len(self.views)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def run(self, **options: Any) -> port.Live:
        """Run it in this process: a `Live`, to be changed and read."""
        live: port.Live = port.engine("embedded")(self, **options)
        return live

    def show(self, form: str = "text") -> str:
        """The flow as text, `mermaid`, `dot` or `svg`."""
        from ominus.flow.show import draw

        return draw(self.views, form)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from ominus.flow.show import draw

        return {"image/svg+xml": draw(self.views, "svg"), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"flow({', '.join(self.views)})"


def flow(**views: Shape) -> Flow:
    """Name views, and make them one flow.

    Fails  NameTaken, if two sources or views have one name and are not the same.
    """
    if not views:
        raise FlowError("flow()", "no view", "Name at least one: flow(total=...).")
    return Flow(views)


def closure(ops: list[Op]) -> list[Op]:
    """The operators and all that they read, each after what it reads, each once."""
    found: dict[int, Op] = {}
    stack: list[tuple[Op, bool]] = [(op, False) for op in reversed(ops)]
    while stack:
        op, done = stack.pop()
        if done:
            found.setdefault(id(op), op)
        elif id(op) not in found:
            stack.append((op, True))
            stack += [(i, False) for i in reversed(op.inputs())]
    return list(found.values())
