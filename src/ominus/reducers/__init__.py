"""The catalogue of reducers: `from ominus import reducers as r`."""

from typing import Any

from ominus.reducers.catalogue import Example
from ominus.reducers.combine import frequencies, group, record
from ominus.reducers.ends import bottom, first, last, top
from ominus.reducers.extremes import arg_max, arg_min, max, min
from ominus.reducers.moments import covariance, regression, stdev, variance, weighted_mean
from ominus.reducers.ranks import median, mode, quantile
from ominus.reducers.sets import count_distinct, list, multiset, set
from ominus.reducers.sketches import approx_count_distinct, approx_quantile
from ominus.reducers.totals import all, any, count, histogram, mean, product, sum

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

_PAIR: Any = tuple[float, float]

CATALOGUE: dict[str, Example] = {
    example.reducer.name: example
    for example in (
        Example(count(), int),
        Example(sum(), float),
        Example(mean(), float),
        Example(variance(), float),
        Example(stdev(), float),
        Example(product(), float),
        Example(any(), int),
        Example(all(), int),
        Example(min(), float),
        Example(max(), float),
        Example(arg_min(0), _PAIR),
        Example(arg_max(0), _PAIR),
        Example(first(0, by=1), _PAIR),
        Example(last(0, by=1), _PAIR),
        Example(top(2), float),
        Example(bottom(2, by=1), _PAIR),
        Example(median(), float),
        Example(quantile(0.9), float),
        Example(mode(), int),
        Example(approx_quantile(0.5), float),
        Example(set(), float),
        Example(list(), str),
        Example(multiset(), int),
        Example(count_distinct(), int),
        Example(approx_count_distinct(), int),
        Example(weighted_mean(0, 1), _PAIR),
        Example(covariance(0, 1), _PAIR),
        Example(regression(0, 1), _PAIR),
        Example(histogram(None, (0, 10)), float),
        Example(group(None, sum()), int),
        Example(frequencies(), float),
        Example(record(total=sum(), n=count()), float),
    )
}
"""One example of each reducer, by its name: tests, tables and engines go through them."""
