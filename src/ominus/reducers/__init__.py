"""The catalogue of reducers: `from ominus import reducers as r`."""

from ominus.reducers.extremes import arg_max, arg_min, bottom, first, last, max, min, top
from ominus.reducers.sets import count_distinct, list, multiset, set

__all__ = [
    "arg_max",
    "arg_min",
    "bottom",
    "count_distinct",
    "first",
    "last",
    "list",
    "max",
    "min",
    "multiset",
    "set",
    "top",
]
