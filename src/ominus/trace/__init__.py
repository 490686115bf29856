"""Tracing: what a user's Python function computes, as an expression, or why that is not known.

`expr` nodes and `kinds` of values are the data, `meaning` is the table of what each operation
means, `screen` and `opcodes` say which bytecode is known, `symbols` runs it, `trace` merges the
paths, `tree` and `show` keep and print them, `shape` says what a reducer is.
"""

from ominus.trace.expr import Arg, Build, Cond, Const, Expr, Fail, Get, Op, RowPath
from ominus.trace.trace import Opaque, Traced, trace

__all__ = [
    "Arg", "Build", "Cond", "Const", "Expr", "Fail", "Get", "Op", "Opaque", "RowPath", "Traced", "trace",
]  # fmt: skip
