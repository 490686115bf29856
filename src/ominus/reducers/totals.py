"""Counts, sums, means and products: reducers whose state is a few numbers, exact and invertible."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.algebra.select import Selector
from ominus.algebra.value import is_nan
from ominus.errors import FlowError
from ominus.reducers.catalogue import made
from ominus.reducers.exact import minus, plus, share, together, total
from ominus.reducers.factors import divided, multiplied, product_of, times

Where = Selector | None


def count(
    of: Selector | None = None, *, where: Where = None, skip_none: bool | None = None
) -> Reducer[Any, int, int]:
    """How many rows there are; with `of` and `skip_none=True`, how many where it is not `None`.

    >>> count().fold_read("abc"), count("x", skip_none=True).fold_read([{"x": 1}, {"x": None}])
    (3, 1)
    """
    return made(
        "count",
        (of,),
        {"where": where, "skip_none": skip_none},
        init=0,
        add=_one_more,
        remove=_one_less,
        merge=_sum,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=of is None,
    )


def _one_more(a: int, v: Any) -> int:
    return a + 1


def _one_less(a: int, v: Any) -> int:
    return a - 1


def _sum(a: int, b: int) -> int:
    return a + b


def sum(
    of: Selector | None = None, *, where: Where = None, skip_none: bool | None = None
) -> Reducer[Any, Any, Any]:
    """The sum of numbers, exact: rounded once, when read; 0 of none.

    Ints give an int, any float a float; Decimals and Fractions stay what they are, whatever the
    context.
    A Decimal's places are those of Python's `sum`.

    Law    remove(add(a, v), v) == a, for floats too, infinities and NaN included [inverse]
    Fails  NumberRefused, for a value that is no number, or a Decimal among floats or Fractions.

    >>> sum().fold_read([1e100, 1.0, -1e100]), sum("x").fold_read([{"x": 1}, {"x": 2}])
    (1.0, 3)
    """
    return made(
        "sum",
        (of,),
        {"where": where, "skip_none": skip_none},
        init=0,
        add=plus,
        remove=minus,
        finish=total,
        merge=together,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        none_spoils=True,
    )


def mean(
    of: Selector | None = None, *, where: Where = None, skip_none: bool | None = None
) -> Reducer[Any, Any, Any]:
    """The mean of numbers: their exact sum divided by their count, rounded once; None of none.

    Ints and floats give a float, Fractions a Fraction, Decimals a Decimal of 28 digits.

    Fails  NumberRefused, as `sum`.

    >>> mean().fold_read([1, 2]), mean().fold_read([1e308, 1e308])
    (1.5, 1e+308)
    """
    return made(
        "mean",
        (of,),
        {"where": where, "skip_none": skip_none},
        init=(0, 0),
        add=_mean_plus,
        remove=_mean_minus,
        finish=_mean_of,
        merge=_mean_together,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        none_spoils=True,
    )


def _mean_plus(a: tuple[Any, int], v: Any) -> tuple[Any, int]:
    return plus(a[0], v), a[1] + 1


def _mean_minus(a: tuple[Any, int], v: Any) -> tuple[Any, int]:
    return minus(a[0], v), a[1] - 1


def _mean_together(a: tuple[Any, int], b: tuple[Any, int]) -> tuple[Any, int]:
    return together(a[0], b[0]), a[1] + b[1]


def _mean_of(a: tuple[Any, int]) -> Any:
    return share(*a) if a[1] else None


def product(
    of: Selector | None = None, *, where: Where = None, skip_none: bool | None = None
) -> Reducer[Any, Any, Any]:
    """The product of numbers, exact: rounded once, when read; 1 of none.

    The type is that of Python's product; Decimals are exact, whatever the context.
    Zeros, infinities and NaN are counted apart, so that all can be taken away again.

    Cost   the state holds the exact product: about as many digits as all factors together, and a
           change costs as much; a group of thousands of floats is slow.
    Fails  NumberRefused, as `sum`.

    >>> r = product()
    >>> r.fold_read([2, 0, 3]), r.read(r.update(r.fold([2, 0, 3]), removed=[0]))
    (0, 6)
    """
    return made(
        "product",
        (of,),
        {"where": where, "skip_none": skip_none},
        init=1,
        add=multiplied,
        remove=divided,
        finish=product_of,
        merge=times,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        none_spoils=True,
    )


def any(of: Selector | None = None, *, where: Where = None) -> Reducer[Any, int, bool]:
    """Whether something is true of a row at least; False of none.

    >>> any(lambda n: n > 2).fold_read([1, 2]), any().fold_read([0, 3])
    (False, True)
    """
    return made(
        "any",
        (of,),
        {"where": where},
        init=0,
        add=_if_true,
        remove=_unless_true,
        finish=_some,
        merge=_sum,
        of=of,
        where=where,
    )


def all(of: Selector | None = None, *, where: Where = None) -> Reducer[Any, int, bool]:
    """Whether something is true of every row; True of none.

    >>> all(lambda n: n > 2).fold_read([1, 3]), all().fold_read([])
    (False, True)
    """
    return made(
        "all",
        (of,),
        {"where": where},
        init=0,
        add=_if_false,
        remove=_unless_false,
        finish=_none,
        merge=_sum,
        of=of,
        where=where,
    )


def _if_true(a: int, v: Any) -> int:
    return a + 1 if v else a


def _unless_true(a: int, v: Any) -> int:
    return a - 1 if v else a


def _if_false(a: int, v: Any) -> int:
    return a if v else a + 1


def _unless_false(a: int, v: Any) -> int:
    return a if v else a - 1


def _some(a: int) -> bool:
    return a > 0


def _none(a: int) -> bool:
    return a == 0


def histogram(
    of: Selector | None,
    edges: Iterable[Any],
    *,
    where: Where = None,
    skip_none: bool | None = None,
) -> Reducer[Any, tuple[int, ...], tuple[int, ...]]:
    """How many values lie below the first edge, from each edge on, and from the last edge on.

    NaN is above everything, as in the total order.

    Fails  FlowError, unless the edges ascend.

    >>> histogram(None, [0, 10]).fold_read([-1, 0, 9, 10, 11])
    (1, 2, 2)
    """
    at = tuple(edges)
    _check_edges(at)

    def place(v: Any) -> int:
        return len(at) if is_nan(v) else bisect_right(at, v)

    def add(a: tuple[int, ...], v: Any) -> tuple[int, ...]:
        i = place(v)
        return (*a[:i], a[i] + 1, *a[i + 1 :])

    def remove(a: tuple[int, ...], v: Any) -> tuple[int, ...]:
        i = place(v)
        return (*a[:i], a[i] - 1, *a[i + 1 :])

    return made(
        "histogram",
        (of, at),
        {"where": where, "skip_none": skip_none},
        init=(0,) * (len(at) + 1),
        add=add,
        remove=remove,
        merge=_each_sum,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        none_spoils=True,
    )


def _each_sum(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def _check_edges(at: tuple[Any, ...]) -> None:
    wrong = next((pair for pair in pairwise(at) if not pair[0] < pair[1]), None)
    if not at or is_nan(at[0]) or wrong is not None:
        raise FlowError(
            f"histogram with edges {at!r}",
            "there is none" if not at else f"{(wrong or at[:1])!r} does not ascend",
            "Give at least one edge, the lowest first, each once.",
        )
