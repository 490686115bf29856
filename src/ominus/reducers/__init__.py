"""The catalogue of reducers: `from ominus import reducers as r`."""

from ominus.reducers.combine import frequencies, group, record
from ominus.reducers.ends import bottom, first, last, top
from ominus.reducers.extremes import arg_max, arg_min, max, min
from ominus.reducers.moments import covariance, regression, stdev, variance, weighted_mean
from ominus.reducers.ranks import median, mode, quantile
from ominus.reducers.sets import count_distinct, list, multiset, set
from ominus.reducers.sketches import approx_count_distinct, approx_quantile
from ominus.reducers.totals import all, any, count, histogram, mean, product, sum

__all__ = [
    "all",
    "any",
    "approx_count_distinct",
    "approx_quantile",
    "arg_max",
    "arg_min",
    "bottom",
    "count",
    "count_distinct",
    "covariance",
    "first",
    "frequencies",
    "group",
    "histogram",
    "last",
    "list",
    "max",
    "mean",
    "median",
    "min",
    "mode",
    "multiset",
    "product",
    "quantile",
    "record",
    "regression",
    "set",
    "stdev",
    "sum",
    "top",
    "variance",
    "weighted_mean",
]
