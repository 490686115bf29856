"""The catalogue of reducers: `from ominus import reducers as r`."""

from ominus.reducers.ends import bottom, first, last, top
from ominus.reducers.extremes import arg_max, arg_min, max, min
from ominus.reducers.ranks import median, mode, quantile
from ominus.reducers.sets import count_distinct, list, multiset, set
from ominus.reducers.sketches import approx_count_distinct, approx_quantile

__all__ = [
    "approx_count_distinct",
    "approx_quantile",
    "arg_max",
    "arg_min",
    "bottom",
    "count_distinct",
    "first",
    "last",
    "list",
    "max",
    "median",
    "min",
    "mode",
    "multiset",
    "quantile",
    "set",
    "top",
]
