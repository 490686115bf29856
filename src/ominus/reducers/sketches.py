"""Sketches: approximate answers from small states, which no order of changes can show in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.algebra.ordered import EMPTY
from ominus.algebra.reducer import Reducer
from ominus.errors import FlowError
from ominus.reducers.catalogue import made, unless
from ominus.reducers.counted import Tree, alike, merged_trees
from ominus.reducers.log_buckets import Buckets
from ominus.reducers.ranks import Several, interpolated, share
from ominus.reducers.registers import Registers


def approx_count_distinct(
    of: Any = None,
    precision: int = 12,
    *,
    where: Any = None,
    skip_none: bool | None = None,
) -> Reducer[Any, Any, int]:
    """About how many distinct values there are: a HyperLogLog of 2**precision registers.

    The standard error is 1.04 / 2**(precision / 2): 1.6% for 12, which takes 4 kB at most.

    Cost   O(1) a change; a new fold where the removed value may be the rarest of a register.
    Fails  NotAValue, if a value has no hash that is the same in every process.

    >>> approx_count_distinct().fold_read([*range(1000), *range(1000)])
    1010
    """
    if type(precision) is not int or not 4 <= precision <= 18:
        raise FlowError(
            f"approx_count_distinct(precision={precision!r})",
            "precision is a whole number from 4 to 18",
            "Write 12 for an error of 1.6%, 14 for 0.8%.",
        )
    registers = Registers(precision)
    return made(
        "approx_count_distinct",
        (of,),
        dict(precision=unless(12, precision), where=where, skip_none=skip_none),
        init=(),
        add=registers.add,
        remove=registers.remove,
        merge=registers.merge,
        finish=registers.estimate,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        inverse="partial",
    )


def approx_quantile(
    q: Any,
    of: Any = None,
    error: float = 0.01,
    *,
    where: Any = None,
    skip_none: bool | None = None,
) -> Reducer[Any, Any, Any]:
    """About what `quantile(q, of)` is, within a relative error; several shares give a tuple.

    Law    abs(approximate - exact) <= error * ((1 - w) * abs(low) + w * abs(high)), where the exact
           one lies a share `w` of the way from `low` to `high`
    Cost   O(log(buckets)) a change; a bucket for each 2% of growth that there is, at 1%.
    Fails  NumberRefused, if a value is no number.

    >>> approx_quantile(0.5).fold_read(range(1, 1002))
    497.7764532095449
    """
    given: Any = error
    if not isinstance(given, float) or not 1e-6 <= error <= 0.5:
        raise FlowError(
            f"approx_quantile(error={error!r})",
            "the error is a relative one, from 1e-6 to 0.5",
            "Write 0.01 for one in a hundred.",
        )
    buckets = Buckets(error)
    return made(
        "approx_quantile",
        (q, of),
        dict(error=unless(0.01, error), where=where, skip_none=skip_none),
        init=EMPTY,
        add=buckets.add,
        remove=buckets.remove,
        merge=merged_trees,
        same=alike,
        finish=_reader(q, buckets),
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        constant=False,
    )


def _reader(q: Any, buckets: Buckets) -> Callable[[Tree], Any]:
    if isinstance(q, tuple | list):
        return Several(tuple(BucketQuantile(part, buckets) for part in q))
    return BucketQuantile(q, buckets)


class BucketQuantile:
    """The function that reads the value at a share of a tree of buckets."""

    __slots__ = ("buckets", "of", "parts")

    def __init__(self, q: Any, buckets: Buckets) -> None:
        self.of, self.parts = share(q).as_integer_ratio()
        self.buckets = buckets

    def __call__(self, tree: Tree) -> Any:
        if not tree.total:
            return None
        rank, rest = divmod(self.of * (tree.total - 1), self.parts)
        bucket, _, copies, before = tree.at(rank)
        beyond = rest and rank + 1 == before + copies
        low = self.buckets.value(bucket)
        high = self.buckets.value(tree.at(rank + 1)[0]) if beyond else low
        return interpolated(low, high, rest, self.parts)
