"""The types of the catalogue: of which rows a reducer is, and what it gives.

A function of the row says both; a field by name fits any row and gives Any, unless the plugin
`ominus.mypy` looks it up.
That a value may be None is let pass: `skip_none` is asked for when the flow is built, or meets one.
"""

# _N has no default, unlike the others: with one, a sum of what is no number would be Any.
# pyright: reportGeneralTypeIssues=false

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias, overload

from typing_extensions import TypeVar

from ominus.algebra.multiset import Multiset
from ominus.algebra.record import Record
from ominus.algebra.reducer import Reducer
from ominus.algebra.select import Desc
from ominus.algebra.typevars import Part, Row
from ominus.reducers.buckets import Buckets
from ominus.reducers.catalogue import Example
from ominus.reducers.collected import OrderedList, OrderedSet

__all__ = [
    "count",
    "sum",
    "mean",
    "variance",
    "stdev",
    "product",
    "any",
    "all",
    "min",
    "max",
    "arg_min",
    "arg_max",
    "first",
    "last",
    "top",
    "bottom",
    "median",
    "quantile",
    "mode",
    "approx_quantile",
    "set",
    "list",
    "multiset",
    "count_distinct",
    "approx_count_distinct",
    "weighted_mean",
    "covariance",
    "regression",
    "histogram",
    "group",
    "frequencies",
    "record",
]

_X = TypeVar("_X", default=Any)
_R = TypeVar("_R", default=Any)
_Number: TypeAlias = float | Decimal | Fraction
_N = TypeVar("_N", bound=_Number)
_Several: TypeAlias = tuple[_Number, ...]
_Field: TypeAlias = str | int | tuple[Any, ...]
_By: TypeAlias = str | int | tuple[Any, ...] | Callable[[Row], Any] | Desc | None
_Keep: TypeAlias = Literal["all", "one"]

def count(
    of: Part[Row] | None = None, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, int]: ...
@overload
def sum(
    of: None = None, *, where: Part[_Number | None] | None = None, skip_none: bool | None = None
) -> Reducer[_Number | None, Any, Any]: ...
@overload
def sum(
    of: Callable[[Row], _N | None], *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, _N]: ...
@overload
def sum(
    of: _Field, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Any]: ...
@overload
def product(
    of: None = None, *, where: Part[_Number | None] | None = None, skip_none: bool | None = None
) -> Reducer[_Number | None, Any, Any]: ...
@overload
def product(
    of: Callable[[Row], _N | None], *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, _N]: ...
@overload
def product(
    of: _Field, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Any]: ...
@overload
def mean(
    of: None = None, *, where: Part[_Number | None] | None = None, skip_none: bool | None = None
) -> Reducer[_Number | None, Any, Any]: ...
@overload
def mean(
    of: Callable[[Row], float | None],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, float | None]: ...
@overload
def mean(
    of: Callable[[Row], Decimal | None],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Decimal | None]: ...
@overload
def mean(
    of: Callable[[Row], Fraction | None],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Fraction | None]: ...
@overload
def mean(
    of: _Field, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Any]: ...
@overload
def variance(
    of: None = None,
    ddof: int = 1,
    *,
    where: Part[_Number | None] | None = None,
    skip_none: bool | None = None,
) -> Reducer[_Number | None, Any, Any]: ...
@overload
def variance(
    of: Callable[[Row], float | None],
    ddof: int = 1,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, float | None]: ...
@overload
def variance(
    of: Callable[[Row], Decimal | None],
    ddof: int = 1,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Decimal | None]: ...
@overload
def variance(
    of: Callable[[Row], Fraction | None],
    ddof: int = 1,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Fraction | None]: ...
@overload
def variance(
    of: _Field, ddof: int = 1, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Any]: ...
@overload
def stdev(
    of: None = None,
    ddof: int = 1,
    *,
    where: Part[_Number | None] | None = None,
    skip_none: bool | None = None,
) -> Reducer[_Number | None, Any, Any]: ...
@overload
def stdev(
    of: Callable[[Row], float | None],
    ddof: int = 1,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, float | None]: ...
@overload
def stdev(
    of: Callable[[Row], Decimal | None],
    ddof: int = 1,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Decimal | None]: ...
@overload
def stdev(
    of: Callable[[Row], Fraction | None],
    ddof: int = 1,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Fraction | None]: ...
@overload
def stdev(
    of: _Field, ddof: int = 1, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Any]: ...
@overload
def median(
    of: None = None,
    discrete: bool = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
@overload
def median(
    of: Callable[[Row], _X],
    discrete: Literal[True],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, _X | None]: ...
@overload
def median(
    of: Callable[[Row], float | None],
    discrete: Literal[False] = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, float | None]: ...
@overload
def median(
    of: Callable[[Row], Decimal | None],
    discrete: Literal[False] = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Decimal | None]: ...
@overload
def median(
    of: Callable[[Row], Fraction | None],
    discrete: Literal[False] = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Fraction | None]: ...
@overload
def median(
    of: _Field,
    discrete: bool = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
@overload
def quantile(
    q: _Several,
    of: Part[Row] | None = None,
    discrete: bool = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, tuple[Any, ...]]: ...
@overload
def quantile(
    q: _Number,
    of: None = None,
    discrete: bool = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
@overload
def quantile(
    q: _Number,
    of: Callable[[Row], _X],
    discrete: Literal[True],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, _X | None]: ...
@overload
def quantile(
    q: _Number,
    of: Callable[[Row], float | None],
    discrete: Literal[False] = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, float | None]: ...
@overload
def quantile(
    q: _Number,
    of: Callable[[Row], Decimal | None],
    discrete: Literal[False] = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Decimal | None]: ...
@overload
def quantile(
    q: _Number,
    of: Callable[[Row], Fraction | None],
    discrete: Literal[False] = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Fraction | None]: ...
@overload
def quantile(
    q: _Number,
    of: _Field,
    discrete: bool = False,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
@overload
def approx_quantile(
    q: _Several,
    of: Part[Row] | None = None,
    error: float = 0.01,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, tuple[Any, ...]]: ...
@overload
def approx_quantile(
    q: _Number,
    of: None = None,
    error: float = 0.01,
    *,
    where: Part[_Number | None] | None = None,
    skip_none: bool | None = None,
) -> Reducer[_Number | None, Any, Any]: ...
@overload
def approx_quantile(
    q: _Number,
    of: Callable[[Row], _Number | None],
    error: float = 0.01,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, float | None]: ...
@overload
def approx_quantile(
    q: _Number,
    of: _Field,
    error: float = 0.01,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
@overload
def mode(
    of: None = None, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Row | None]: ...
@overload
def mode(
    of: Callable[[Row], _X], *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, _X | None]: ...
@overload
def mode(
    of: _Field, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Any | None]: ...
def any(
    of: Part[Row] | None = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, bool]: ...
def all(
    of: Part[Row] | None = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, bool]: ...
@overload
def set(
    of: None = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, OrderedSet[Row]]: ...
@overload
def set(
    of: Callable[[Row], _X], *, where: Part[Row] | None = None
) -> Reducer[Row, Any, OrderedSet[_X]]: ...
@overload
def set(of: _Field, *, where: Part[Row] | None = None) -> Reducer[Row, Any, OrderedSet[Any]]: ...
@overload
def list(
    of: None = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, OrderedList[Row]]: ...
@overload
def list(
    of: Callable[[Row], _X], *, where: Part[Row] | None = None
) -> Reducer[Row, Any, OrderedList[_X]]: ...
@overload
def list(of: _Field, *, where: Part[Row] | None = None) -> Reducer[Row, Any, OrderedList[Any]]: ...
@overload
def multiset(
    of: None = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Multiset[Row]]: ...
@overload
def multiset(
    of: Callable[[Row], _X], *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Multiset[_X]]: ...
@overload
def multiset(of: _Field, *, where: Part[Row] | None = None) -> Reducer[Row, Any, Multiset[Any]]: ...
def count_distinct(
    of: Part[Row] | None = None, *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, int]: ...
def approx_count_distinct(
    of: Part[Row] | None = None,
    precision: int = 12,
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, int]: ...
@overload
def min(
    of: None = None,
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Row | None]: ...
@overload
def min(
    of: Callable[[Row], _X],
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, _X | None]: ...
@overload
def min(
    of: _Field,
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any | None]: ...
@overload
def max(
    of: None = None,
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Row | None]: ...
@overload
def max(
    of: Callable[[Row], _X],
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, _X | None]: ...
@overload
def max(
    of: _Field,
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any | None]: ...
def arg_min(
    of: Part[Row] | None = None,
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Row | None]: ...
def arg_max(
    of: Part[Row] | None = None,
    keep: _Keep = "all",
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Row | None]: ...
def weighted_mean(
    of: Part[Row],
    weight: Part[Row],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
def covariance(
    x: Part[Row],
    y: Part[Row],
    *,
    ddof: int = 1,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, Any]: ...
def regression(
    x: Part[Row], y: Part[Row], *, where: Part[Row] | None = None, skip_none: bool | None = None
) -> Reducer[Row, Any, Record]: ...
def top(
    n: int, by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, tuple[Row, ...]]: ...
def bottom(
    n: int, by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, tuple[Row, ...]]: ...
@overload
def first(
    of: None = None, by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Row | None]: ...
@overload
def first(
    of: Callable[[Row], _X], by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, _X | None]: ...
@overload
def first(
    of: _Field, by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Any | None]: ...
@overload
def last(
    of: None = None, by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Row | None]: ...
@overload
def last(
    of: Callable[[Row], _X], by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, _X | None]: ...
@overload
def last(
    of: _Field, by: _By[Row] = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Any | None]: ...
def histogram(
    of: Part[Row] | None,
    edges: Iterable[Any],
    *,
    where: Part[Row] | None = None,
    skip_none: bool | None = None,
) -> Reducer[Row, Any, tuple[int, ...]]: ...
@overload
def frequencies(
    of: None = None, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Buckets[Row, int]]: ...
@overload
def frequencies(
    of: Callable[[Row], _X], *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Buckets[_X, int]]: ...
@overload
def frequencies(
    of: _Field, *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Buckets[Any, int]]: ...
@overload
def group(
    by: Callable[[Row], _X], reducer: Reducer[Row, Any, _R], *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Buckets[_X, _R]]: ...
@overload
def group(
    by: _Field | None, reducer: Reducer[Row, Any, _R], *, where: Part[Row] | None = None
) -> Reducer[Row, Any, Buckets[Any, _R]]: ...
def record(**reducers: Reducer[Row, Any, Any]) -> Reducer[Row, Any, Record]: ...

CATALOGUE: dict[str, Example]
