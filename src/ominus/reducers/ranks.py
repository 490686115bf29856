"""Order statistics: values at a rank of the counted order, and the value that is there most often.

Between two ranks, a quantile is interpolated linearly, exactly, and rounded once.
A share is taken as it is written: `quantile(0.29)` of 101 values is the one at rank 29, although
the float 0.29 times 100 is less.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any

from ominus.algebra.order import order
from ominus.algebra.ordered import EMPTY
from ominus.algebra.reducer import Reducer
from ominus.algebra.value import NAN, canon
from ominus.errors import FlowError
from ominus.reducers.catalogue import made, unless
from ominus.reducers.counted import Tree, alike, changed
from ominus.reducers.number import number, quotient
from ominus.reducers.placed import ORDERED

AnyReducer = Reducer[Any, Any, Any]


def median(
    of: Any = None,
    discrete: bool = False,
    *,
    where: Any = None,
    skip_none: bool | None = None,
) -> AnyReducer:
    """The middle value, or the mean of the two in the middle; `None` where there is none.

    With `discrete`, a value that is there: of two in the middle the lower one.

    Cost   O(log n) a change.
    Fails  NumberRefused, if a value is no number (NotOrdered, if `discrete`).

    >>> low = median(discrete=True)
    >>> median().fold_read([4, 1, 2]), median().fold_read([4, 1]), low.fold_read("ab")
    (2.0, 2.5, 'a')
    """
    said = dict(discrete=unless(False, discrete), where=where, skip_none=skip_none)
    read = Quantile(Fraction(1, 2), discrete=discrete)
    return _ranked("median", (of,), said, read, of=of)


def quantile(
    q: Any,
    of: Any = None,
    discrete: bool = False,
    *,
    where: Any = None,
    skip_none: bool | None = None,
) -> AnyReducer:
    """The value below which a share `q` lies; several shares in a tuple give a tuple.

    Linear between two values, as in pandas and Spark's `percentile`, exact and rounded once.
    It is a float for ints and floats, else a Decimal or a Fraction.
    NaN is last in the order; `None`, where it counts, first: between it and a number lies `None`.
    With `discrete`, the first value at which the share is reached, of any type that has an order.

    Cost   O(log n) a change and a share.
    Fails  NumberRefused, if a value is no number (NotOrdered, if `discrete`).

    >>> quantile((0, 0.5, 0.9)).fold_read([10, 20, 30])
    (10.0, 20.0, 28.0)
    >>> quantile(0.9, discrete=True).fold_read("abc")
    'c'
    """
    said = dict(discrete=unless(False, discrete), where=where, skip_none=skip_none)
    return _ranked("quantile", (q, of), said, quantile_reader(q, discrete=discrete), of=of)


def mode(of: Any = None, *, where: Any = None, skip_none: bool | None = None) -> AnyReducer:
    """The value that is there most often, of several the smallest; `None` where there is none.

    Cost   O(log n) a change.
    Fails  NotOrdered, if a value is outside the total order.

    >>> mode().fold_read([2, 3, 1, 3, 2])
    2
    """
    return made(
        "mode",
        (of,),
        dict(where=where, skip_none=skip_none),
        init=(EMPTY, EMPTY),
        add=add_vote,
        remove=remove_vote,
        merge=merge_votes,
        same=same_votes,
        finish=winner,
        of=of,
        where=where,
        skip_none=skip_none,
        constant=False,
    )


# Quantiles.


def _ranked(
    name: str, args: tuple[Any, ...], said: dict[str, Any], read: Callable[[Tree], Any], *, of: Any
) -> AnyReducer:
    steps = dict(ORDERED) if said["discrete"] else dict(ORDERED, add=add_number, remove=take_number)
    none = dict(skip_none=said["skip_none"], nullable=False)
    return made(name, args, said, **steps, finish=read, of=of, where=said["where"], **none)


def add_number(tree: Tree, value: Any) -> Tree:
    """A tree of numbers with one more copy of one; `None` is smaller than all."""
    value = None if value is None else number(value)
    return tree.change(order(value), canon(value), 1)


def take_number(tree: Tree, value: Any) -> Tree:
    """A tree of numbers without one copy of one."""
    value = None if value is None else number(value)
    return changed(tree, order(value), value, -1)


def quantile_reader(q: Any, *, discrete: bool) -> Callable[[Tree], Any]:
    """What reads the value, or the tuple of values, at a share or several."""
    if isinstance(q, tuple | list):
        return Several(tuple(Quantile(share(part), discrete=discrete) for part in q))
    return Quantile(share(q), discrete=discrete)


def share(q: Any) -> Fraction:
    """A share from 0 to 1, as it is written: 0.1 is a tenth.

    Fails  FlowError, if it is not one.
    """
    if isinstance(q, int | float | Decimal | Fraction) and not isinstance(q, bool) and 0 <= q <= 1:
        return Fraction(str(q))
    raise FlowError(
        f"the quantile {q!r}", "not a share from 0 to 1", "Write 0.95, or (0.5, 0.95) for two."
    )


class Several:
    """The function that reads several things of a state, as a tuple."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Callable[[Any], Any], ...]) -> None:
        self.parts = parts

    def __call__(self, state: Any) -> tuple[Any, ...]:
        return tuple(part(state) for part in self.parts)


class Quantile:
    """The function that reads the value at a share of a tree of values."""

    __slots__ = ("discrete", "of", "parts")

    def __init__(self, at: Fraction, *, discrete: bool) -> None:
        self.of, self.parts, self.discrete = at.numerator, at.denominator, discrete

    def __call__(self, tree: Tree) -> Any:
        if not tree.total:
            return None
        if self.discrete:
            reached = -(-self.of * tree.total // self.parts)
            return tree.at(max(0, reached - 1))[1]
        rank, rest = divmod(self.of * (tree.total - 1), self.parts)
        _, low, copies, before = tree.at(rank)
        beyond = rest and rank + 1 == before + copies
        return interpolated(low, tree.at(rank + 1)[1] if beyond else low, rest, self.parts)


def interpolated(low: Any, high: Any, part: int, parts: int) -> Any:
    """What lies `part / parts` of the way from `low` to `high`, rounded once.

    Infinite where an end is, NaN between two infinities and before NaN.

    >>> interpolated(1, 2, 1, 4), interpolated(-1e308, 1e308, 3, 4), interpolated(1, None, 0, 1)
    (1.25, 5e+307, 1.0)
    """
    if not part or high is low:
        return itself(low)
    if low is None:
        return None
    kind = kind_of(low, high)
    if not (is_finite(low) and is_finite(high)):
        return _at_infinity(low, high, kind)
    a, b = low.as_integer_ratio()
    c, d = high.as_integer_ratio()
    return quotient(a * d * (parts - part) + c * b * part, b * d * parts, kind)


def itself(value: Any) -> Any:
    """A value as a quantile shows it: an int as a float."""
    return quotient(value, 1, float) if type(value) is int else value


def kind_of(low: Any, high: Any) -> type:
    """The type of what lies between two numbers."""
    kinds = {type(low), type(high)}
    if float in kinds:
        return float
    return Fraction if Fraction in kinds else Decimal if Decimal in kinds else float


def is_finite(value: Any) -> bool:
    """Whether a number is finite, also where it is too large for a float."""
    if isinstance(value, Decimal):
        return value.is_finite()
    return not isinstance(value, float) or isfinite(value)


def _at_infinity(low: Any, high: Any, kind: type) -> Any:
    if low == high:
        found = high
    elif is_finite(low) or is_finite(high):
        found = high if is_finite(low) else low
    else:
        found = NAN
    return canon(found if kind is Fraction else kind(found))


# The mode: the values with their counts, and the counts with their values.

Votes = tuple[Tree, Tree]


def add_vote(state: Votes, value: Any) -> Votes:
    """The votes and one more for a value."""
    return voted(state, order(value), canon(value), 1)


def remove_vote(state: Votes, value: Any) -> Votes:
    """The votes and one less for a value."""
    return voted(state, order(value), value, -1)


def voted(state: Votes, place: Any, value: Any, by: int) -> Votes:
    """The votes and `by` more for a value.

    Law    an entry of the second tree is (-count, *place of the value), so the winner is first.
    """
    votes, ranking = state
    held = votes.get(place)
    votes = changed(votes, place, value, by)
    if held is not None:
        value = held[0]
        ranking = ranking.put((-held[1], *place), value, 0)
    n = by if held is None else held[1] + by
    return votes, ranking.put((-n, *place), value, 1) if n else ranking


def merge_votes(a: Votes, b: Votes) -> Votes:
    """The votes of both."""
    large, small = (a, b) if a[0].size >= b[0].size else (b, a)
    for place, value, n in small[0].entries():
        large = voted(large, place, value, n)
    return large


def same_votes(a: Votes, b: Votes) -> bool:
    """Whether the votes are the same; the ranking follows from them."""
    return alike(a[0], b[0])


def winner(state: Votes) -> Any:
    """The value with the most votes, or `None`."""
    return state[1].first()[1] if state[1].size else None
