"""The three shapes of a collection: rows, a table, groups. Their methods only build operators.

The types of the methods stand in `shapes.pyi`, beside this file.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ominus.algebra.change import ABSENT
from ominus.errors import FlowError
from ominus.flow import build, folding, joining
from ominus.flow.ops import Kind, Lazy, Op

K = TypeVar("K")
V = TypeVar("V")


class Shape:
    """A collection in a definition: what it is made of, without any data."""

    __slots__ = ("op",)

    def __init__(self, op: Op) -> None:
        self.op = op

    @property
    def kind(self) -> Kind:
        """What is known of the collection: its shape, its key, the type of its values."""
        return self.op.kind

    def show(self, form: str = "text") -> str:
        """The operators behind this collection, as text, `mermaid`, `dot` or `svg`."""
        from ominus.flow.show import draw

        return draw({"": self.op}, form)

    def __bool__(self) -> bool:
        raise FlowError(
            "the truth of a collection in a definition",
            "it holds no data",
            "Run the flow and ask the view: flow.run()['name'].",
        )

    def __iter__(self) -> Any:
        raise FlowError(
            "the values of a collection in a definition",
            "it holds no data",
            "Run the flow and read the view: flow.run()['name'].",
        )

    def __repr__(self) -> str:
        return self.show().rstrip()


class Fluent(Shape, Generic[V]):
    """A collection that operators can be built from."""

    __slots__ = ()

    def filter(self, f: Any, *, reads: Any = None) -> Any:
        """Keep the values for which `f` is true."""
        return wrap(build.filter_(self.op, f, read_op(reads, lazy=True)))

    def map(self, f: Any, *, reads: Any = None) -> Any:
        """Replace each value by `f` of it; keys stay."""
        return wrap(build.map_(self.op, f, read_op(reads, lazy=True)))

    def flat_map(self, f: Any, *, reads: Any = None) -> Any:
        """Replace each value by all that `f` gives for it."""
        return wrap(build.flat_map(self.op, f, read_op(reads, lazy=True)))

    def group_by(self, *parts: Any, **named: Any) -> Any:
        """Put the values under keys; without arguments, forget the key.

        One part gives the bare value as the key, several a tuple; a part that is computed is
        given by name, which becomes the field's.
        """
        return wrap(build.group_by(self.op, parts, named))

    def join(
        self,
        other: Any,
        *,
        on: Any = None,
        left_on: Any = None,
        right_on: Any = None,
        how: str = "inner",
        into: Any = None,
        match_none: bool | None = None,
    ) -> Any:
        """Pair the values that meet with those of another collection.

        Without `on` the keys are matched and kept; with it, or with rows, values are matched.
        """
        return wrap(
            joining.join(
                self.op,
                read_op(other),
                on=on,
                left_on=left_on,
                right_on=right_on,
                how=how,
                into=into,
                match_none=match_none,
            )
        )

    def union(self, *others: Any) -> Any:
        """All values of all, multiplicities added (UNION ALL)."""
        return wrap(joining.union(self.op, tuple(read_op(other) for other in others)))

    def distinct(self) -> Any:
        """Each value of a group once."""
        return wrap(folding.distinct(self.op))

    def reduce(self, reducer: Any = None, /, **named: Any) -> Any:
        """The result of a reducer for each group, or a record of several."""
        return wrap(folding.reduce(self.op, reducer, named))

    def count(self) -> Any:
        """How many values each group has: `reduce(r.count())`."""
        from ominus.reducers import count

        return wrap(folding.reduce(self.op, count(), {}))

    def top(self, n: int, by: Any = None) -> Any:
        """Keep the `n` highest of each group, copies counted, best first."""
        return wrap(build.top(self.op, n, by))

    def compute(self, f: Any) -> Any:
        """`f(multiset)` of each group, from scratch whenever it changes."""
        return wrap(folding.compute(self.op, f))

    def maintain(self, full: Any, delta: Any, *, check: bool = True) -> Any:
        """`full(multiset)` of each group, kept by `delta(current, change)`."""
        return wrap(folding.maintain(self.op, full, delta, check))

    def map_items(self, f: Any) -> Any:
        """Replace each value by `f(key, value)`; keys stay."""
        return wrap(build.map_items(self.op, f))

    def items(self) -> Any:
        """Rows of records: the key's fields, then the value's."""
        return wrap(build.items(self.op))

    def slice(self, lo: Any = ABSENT, hi: Any = ABSENT) -> Any:
        """Keep the keys with `lo <= key < hi`; a bound may be a view of one value."""
        return wrap(build.slices(self.op, ((_bound(lo), _bound(hi)),)))

    def slices(self, *ranges: tuple[Any, Any]) -> Any:
        """Keep the keys within any of several ranges."""
        return wrap(build.slices(self.op, tuple((_bound(lo), _bound(hi)) for lo, hi in ranges)))

    def take(self, n: int) -> Any:
        """Keep the first `n` keys."""
        return wrap(build.take(self.op, n))

    def size(self) -> Any:
        """How many keys there are."""
        return wrap(build.size(self.op))


class Rows(Fluent[V], Generic[V]):
    """A multiset of values: one group, whose key is `()`."""

    __slots__ = ()


class Table(Fluent[V], Generic[K, V]):
    """One value for each key."""

    __slots__ = ()


class Groups(Fluent[V], Generic[K, V]):
    """A multiset of values for each key."""

    __slots__ = ()


class LazyTable(Shape, Generic[K, V]):
    """Values that are computed for the keys that are asked for; read it by `reads=`."""

    __slots__ = ()


_SHAPES: dict[str, type[Shape]] = {"rows": Rows, "table": Table, "groups": Groups}


def wrap(op: Op) -> Any:
    """The shape of an operator's collection."""
    return LazyTable(op) if isinstance(op, Lazy) else _SHAPES[op.kind.shape](op)


def read_op(shape: Any, *, lazy: bool = False) -> Any:
    """The operator of a shape that was given as an argument; None stays None."""
    if isinstance(shape, LazyTable) and not lazy:
        raise FlowError(
            "a lazy collection",
            "it has values only for the keys that are asked for",
            "Read it: map(f, reads=lazy), where f(value, lazy) asks for keys.",
        )
    if shape is None or isinstance(shape, Shape):
        return None if shape is None else shape.op
    raise FlowError(
        "another collection", f"got {shape!r}", "Give a source or something built from one."
    )


def _bound(bound: Any) -> Any:
    if bound is None:
        raise FlowError(
            "slice with the bound None",
            "None is a value: the first of the order",
            "Leave the bound out for an open end: slice(lo), slice(hi=...).",
        )
    return read_op(bound) if isinstance(bound, Shape) else bound
