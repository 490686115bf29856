"""The types of the three shapes: what each method takes, and what it gives.

The value of a `map`, an `into` or a reducer is the value of the collection that it makes.
Where a string names a field, its type is Any; the plugin `ominus.mypy` knows it.
"""

# A join of keys is told from a join of values by what is not said: its overloads come first.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Iterable
from typing import (
    Any,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    overload,
)

from ominus.algebra.change import Delete, Insert, Unchanged, Update
from ominus.algebra.multiset import Multiset
from ominus.algebra.recompute import Recompute
from ominus.algebra.record import Record
from ominus.algebra.reducer import Reducer
from ominus.algebra.select import Desc
from ominus.algebra.typevars import Part, Row, Value
from ominus.flow.ops import Kind, Op

K = TypeVar("K", covariant=True)
V = TypeVar("V", covariant=True)
W = TypeVar("W")
X = TypeVar("X")
Y = TypeVar("Y")
R = TypeVar("R")

One: TypeAlias = tuple[()]
"""The key of rows: there is one group."""
Field: TypeAlias = str | int | tuple[Any, ...]
By: TypeAlias = Part[Row] | Desc | None
Delta: TypeAlias = Callable[
    [Value, Insert[Row] | Delete[Row] | Update[Row]], Value | Unchanged | Recompute
]

class Match(TypedDict, Generic[Row, Value], total=False):
    """By what two collections are joined: values, or with nothing said, keys."""

    on: Part[Any]
    left_on: Part[Row]
    right_on: Part[Value]
    match_none: bool

class Shape:
    def __init__(self, op: Op) -> None: ...
    op: Op
    @property
    def kind(self) -> Kind: ...
    def show(self, form: str = "text") -> str: ...

class Fluent(Shape, Generic[V]):
    @overload
    def filter(self, f: Callable[[V], object] | Field, *, reads: None = None) -> Self: ...
    @overload
    def filter(self, f: Callable[[V, Any], object], *, reads: Shape) -> Self: ...
    @overload
    def group_by(self) -> Rows[V]: ...
    @overload
    def group_by(self, part: Callable[[V], X], /) -> Groups[X, V]: ...
    @overload
    def group_by(
        self, part: Callable[[V], X], another: Callable[[V], Y], /
    ) -> Groups[tuple[X, Y], V]: ...
    @overload
    def group_by(self, part: Part[V], /, *parts: Part[V], **named: Part[V]) -> Groups[Any, V]: ...
    @overload
    def group_by(self, **named: Part[V]) -> Groups[Any, V]: ...
    def top(self, n: int, by: By[V] = None) -> Self: ...

class Rows(Fluent[V], Generic[V]):
    @overload
    def map(self, f: Callable[[V], X], *, reads: None = None) -> Rows[X]: ...
    @overload
    def map(self, f: Field, *, reads: None = None) -> Rows[Any]: ...
    @overload
    def map(self, f: Callable[[V, Any], X], *, reads: Shape) -> Rows[X]: ...
    @overload
    def flat_map(self, f: Callable[[V], Iterable[X]], *, reads: None = None) -> Rows[X]: ...
    @overload
    def flat_map(self, f: Field, *, reads: None = None) -> Rows[Any]: ...
    @overload
    def flat_map(self, f: Callable[[V, Any], Iterable[X]], *, reads: Shape) -> Rows[X]: ...
    def union(self, *others: Rows[W] | Table[Any, W]) -> Rows[V | W]: ...
    def distinct(self) -> Rows[V]: ...
    @overload
    def reduce(self, reducer: Reducer[V, Any, R], /) -> Table[One, R]: ...
    @overload
    def reduce(self, **named: Reducer[V, Any, Any]) -> Table[One, Record]: ...
    def count(self) -> Table[One, int]: ...
    def compute(self, f: Callable[[Multiset[V]], R]) -> Table[One, R]: ...
    def maintain(
        self, full: Callable[[Multiset[V]], R], delta: Delta[R, V], *, check: bool = True
    ) -> Table[One, R]: ...
    # fmt: off
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["semi", "anti"], **by: Unpack[Match[V, W]]
    ) -> Self: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["inner"] = "inner",
        into: Callable[[V, W], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["inner"] = "inner",
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V, W]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["left"],
        into: Callable[[V, W | None], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["left"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V, W | None]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["right"],
        into: Callable[[V | None, W], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["right"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V | None, W]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["full"],
        into: Callable[[V | None, W | None], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["full"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V | None, W | None]]: ...
    # fmt: on

class Table(Fluent[V], Generic[K, V]):
    @overload
    def map(self, f: Callable[[V], X], *, reads: None = None) -> Table[K, X]: ...
    @overload
    def map(self, f: Field, *, reads: None = None) -> Table[K, Any]: ...
    @overload
    def map(self, f: Callable[[V, Any], X], *, reads: Shape) -> Table[K, X]: ...
    @overload
    def flat_map(self, f: Callable[[V], Iterable[X]], *, reads: None = None) -> Rows[X]: ...
    @overload
    def flat_map(self, f: Field, *, reads: None = None) -> Rows[Any]: ...
    @overload
    def flat_map(self, f: Callable[[V, Any], Iterable[X]], *, reads: Shape) -> Rows[X]: ...
    def union(self, *others: Rows[W] | Table[Any, W]) -> Rows[V | W]: ...
    def distinct(self) -> Rows[V]: ...
    @overload
    def reduce(self, reducer: Reducer[V, Any, R], /) -> Table[One, R]: ...
    @overload
    def reduce(self, **named: Reducer[V, Any, Any]) -> Table[One, Record]: ...
    def count(self) -> Table[One, int]: ...
    def compute(self, f: Callable[[Multiset[V]], R]) -> Table[One, R]: ...
    def maintain(
        self, full: Callable[[Multiset[V]], R], delta: Delta[R, V], *, check: bool = True
    ) -> Table[One, R]: ...
    def map_items(self, f: Callable[[K, V], X]) -> Table[K, X]: ...
    def items(self) -> Rows[Record]: ...
    def slice(self, lo: Any = ..., hi: Any = ...) -> Self: ...
    def slices(self, *ranges: tuple[Any, Any]) -> Self: ...
    def take(self, n: int) -> Self: ...
    def size(self) -> Table[One, int]: ...
    # fmt: off
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["semi", "anti"], **by: Unpack[Match[V, W]]
    ) -> Self: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["inner"] = "inner",
        into: Callable[[V, W], X], match_none: bool | None = None,
    ) -> Table[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["inner"] = "inner",
        into: None = None, match_none: bool | None = None,
    ) -> Table[K, tuple[V, W]]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["left"],
        into: Callable[[V, W | None], X], match_none: bool | None = None,
    ) -> Table[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["left"],
        into: None = None, match_none: bool | None = None,
    ) -> Table[K, tuple[V, W | None]]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["right"],
        into: Callable[[V | None, W], X], match_none: bool | None = None,
    ) -> Table[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["right"],
        into: None = None, match_none: bool | None = None,
    ) -> Table[K, tuple[V | None, W]]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["full"],
        into: Callable[[V | None, W | None], X], match_none: bool | None = None,
    ) -> Table[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W], *, how: Literal["full"],
        into: None = None, match_none: bool | None = None,
    ) -> Table[K, tuple[V | None, W | None]]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["inner"] = "inner",
        into: Callable[[V, W], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["inner"] = "inner",
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V, W]]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["left"],
        into: Callable[[V, W | None], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["left"],
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V, W | None]]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["right"],
        into: Callable[[V | None, W], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["right"],
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V | None, W]]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["full"],
        into: Callable[[V | None, W | None], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Groups[Any, W], *, how: Literal["full"],
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V | None, W | None]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["inner"] = "inner",
        into: Callable[[V, W], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["inner"] = "inner",
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V, W]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["left"],
        into: Callable[[V, W | None], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["left"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V, W | None]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["right"],
        into: Callable[[V | None, W], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["right"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V | None, W]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["full"],
        into: Callable[[V | None, W | None], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["full"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V | None, W | None]]: ...
    # fmt: on

class Groups(Fluent[V], Generic[K, V]):
    @overload
    def map(self, f: Callable[[V], X], *, reads: None = None) -> Groups[K, X]: ...
    @overload
    def map(self, f: Field, *, reads: None = None) -> Groups[K, Any]: ...
    @overload
    def map(self, f: Callable[[V, Any], X], *, reads: Shape) -> Groups[K, X]: ...
    @overload
    def flat_map(self, f: Callable[[V], Iterable[X]], *, reads: None = None) -> Groups[K, X]: ...
    @overload
    def flat_map(self, f: Field, *, reads: None = None) -> Groups[K, Any]: ...
    @overload
    def flat_map(self, f: Callable[[V, Any], Iterable[X]], *, reads: Shape) -> Groups[K, X]: ...
    def union(self, *others: Groups[K, W]) -> Groups[K, V | W]: ...
    def distinct(self) -> Groups[K, V]: ...
    @overload
    def reduce(self, reducer: Reducer[V, Any, R], /) -> Table[K, R]: ...
    @overload
    def reduce(self, **named: Reducer[V, Any, Any]) -> Table[K, Record]: ...
    def count(self) -> Table[K, int]: ...
    def compute(self, f: Callable[[Multiset[V]], R]) -> Table[K, R]: ...
    def maintain(
        self, full: Callable[[Multiset[V]], R], delta: Delta[R, V], *, check: bool = True
    ) -> Table[K, R]: ...
    def map_items(self, f: Callable[[K, V], X]) -> Groups[K, X]: ...
    def items(self) -> Rows[Record]: ...
    def slice(self, lo: Any = ..., hi: Any = ...) -> Self: ...
    def slices(self, *ranges: tuple[Any, Any]) -> Self: ...
    def take(self, n: int) -> Self: ...
    def size(self) -> Table[One, int]: ...
    # fmt: off
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["semi", "anti"], **by: Unpack[Match[V, W]]
    ) -> Self: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["inner"] = "inner",
        into: Callable[[V, W], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["inner"] = "inner",
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V, W]]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["left"],
        into: Callable[[V, W | None], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["left"],
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V, W | None]]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["right"],
        into: Callable[[V | None, W], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["right"],
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V | None, W]]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["full"],
        into: Callable[[V | None, W | None], X], match_none: bool | None = None,
    ) -> Groups[K, X]: ...
    @overload
    def join(
        self, other: Table[Any, W] | Groups[Any, W], *, how: Literal["full"],
        into: None = None, match_none: bool | None = None,
    ) -> Groups[K, tuple[V | None, W | None]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["inner"] = "inner",
        into: Callable[[V, W], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["inner"] = "inner",
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V, W]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["left"],
        into: Callable[[V, W | None], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["left"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V, W | None]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["right"],
        into: Callable[[V | None, W], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["right"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V | None, W]]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["full"],
        into: Callable[[V | None, W | None], X], **by: Unpack[Match[V, W]],
    ) -> Rows[X]: ...
    @overload
    def join(
        self, other: Fluent[W], *, how: Literal["full"],
        into: None = None, **by: Unpack[Match[V, W]],
    ) -> Rows[tuple[V | None, W | None]]: ...
    # fmt: on

class LazyTable(Shape, Generic[K, V]): ...

def wrap(op: Op) -> Any: ...
def read_op(shape: Any, *, lazy: bool = False) -> Any: ...
