"""The catalogue of reducers: `from ominus import reducers as r`."""

from typing import Any

from ominus.reducers.catalogue import Example
from ominus.reducers.combine import frequencies, group, record
from ominus.reducers.moments import covariance, regression, stdev, variance, weighted_mean
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
