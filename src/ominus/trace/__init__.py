"""Tracing: what a user's Python function computes, as an expression, or why that is not known.

`expr` nodes and `kinds` of values are the data, `meaning` is the table of what each operation
means, `screen` and `opcodes` say which bytecode is known, `symbols` runs it, `trace` merges the
paths, `tree` and `show` keep and print them, `shape` says what a reducer is.
"""

from ominus.trace.evaluate import evaluate, leaves_columns
from ominus.trace.expr import Arg, Build, Cond, Const, Expr, Fail, Get, Op, RowPath, walk
from ominus.trace.kinds import Alien, Many, Row, Tuple, Type, Union
from ominus.trace.like import like
from ominus.trace.meaning import CAUSES, MEANING
from ominus.trace.records import record_type, records
from ominus.trace.shape import General, Linear, Semilattice, Shape, derive
from ominus.trace.trace import Opaque, Traced, trace
from ominus.trace.tree import Raise

__all__ = [
    "CAUSES",
    "MEANING",
    "Alien",
    "Arg",
    "Build",
    "Cond",
    "Const",
    "Expr",
    "Fail",
    "General",
    "Get",
    "Linear",
    "Many",
    "Op",
    "Opaque",
    "Raise",
    "Row",
    "RowPath",
    "Semilattice",
    "Shape",
    "Traced",
    "Tuple",
    "Type",
    "Union",
    "derive",
    "evaluate",
    "leaves_columns",
    "like",
    "record_type",
    "records",
    "trace",
    "walk",
]
