"""The catalogue of reducers: `from ominus import reducers as r`."""

from ominus.reducers.combine import frequencies, group, record
from ominus.reducers.moments import covariance, regression, stdev, variance, weighted_mean
from ominus.reducers.totals import all, any, count, histogram, mean, product, sum

__all__ = [
    "all",
    "any",
    "count",
    "covariance",
    "frequencies",
    "group",
    "histogram",
    "mean",
    "product",
    "record",
    "regression",
    "stdev",
    "sum",
    "variance",
    "weighted_mean",
]
