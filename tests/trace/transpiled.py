"""What Spark's own transpiler of Python UDFs makes of the everyday functions.

`pyspark/sql/transpile.py` is experimental and off by default. It is asked through `udf` itself,
with its flag on, ANSI mode on, and without Arrow, which are the only UDFs that it looks at.
Lowered is what leaves no Python in the optimized plan of `select(udf(f)(columns))`.

It takes scalars only, so a function on a row is written anew with one parameter for each field
that it reads (`o.amount`, `p["name"]` and `pair[0]` become `o_amount`, `p_name` and `pair_0`), in
the form that it has: a `def` gets the types of the fields, an inline lambda stays inline. What
else a function does with its row (a property, a method, taking it apart) is left as it is. The
columns and the type of the result are those that the `def` declares.
"""

from __future__ import annotations

import ast
import functools
import linecache
import re
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints, is_typeddict

from everyday import EVERYDAY, FORMS, Everyday

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FLAGS = {
    "spark.sql.experimental.optimizer.transpilePyUDFs": "true",
    "spark.sql.ansi.enabled": "true",
}
COLUMNS = {
    int: "bigint",
    float: "double",
    str: "string",
    bool: "boolean",
    date: "date",
    datetime: "timestamp",
    Decimal: "decimal(38,18)",
}
ANNOTATED = (int, float, str, bool)
OF_THE_TYPE = "does not match the declared return type"


def verdicts(spark: SparkSession) -> dict[tuple[str, str], str | None]:
    """For each function and form: None where it is lowered, else why it is not."""
    found = {}
    with transpiling(spark):
        for case in EVERYDAY:
            gives = column(get_type_hints(case.forms[0])["return"])
            for form, written in zip(FORMS, case.forms, strict=True):
                asked, columns = as_scalars(case, written, form)
                found[case.name, form] = why_not(spark, asked, columns, gives)
    return found


@contextmanager
def transpiling(spark: SparkSession) -> Iterator[None]:
    before = {name: spark.conf.get(name) for name in FLAGS}
    for name, value in FLAGS.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            spark.conf.set(name, str(old))


def why_not(
    spark: SparkSession, f: Callable[..., Any], columns: list[str], gives: str
) -> str | None:
    from pyspark.sql.functions import udf

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of each that it does not lower
        asked = udf(f, gives, useArrow=False)
    if not asked._unwrapped.transpiled:
        return refusal(spark, f, gives)
    table = spark.createDataFrame([], ", ".join(f"c{i} {t}" for i, t in enumerate(columns)))
    plan = table.select(asked(*table.columns))._jdf.queryExecution().optimizedPlan().toString()
    return "no variant fits the columns" if "EvalPython" in plan else None


def refusal(spark: SparkSession, f: Callable[..., Any], gives: str) -> str:
    """The first thing that it says; of the type of the result only where it says no more.

    It takes what it does not know for a number, and refuses the number before it looks again.
    """
    from pyspark.sql.transpile import _transpile_func

    tried = [gives, "bigint"] if gives in COLUMNS.values() else [gives]
    errors = [error for kind in tried for error in _transpile_func(spark, f, kind)[1]]
    better = [error for error in errors if OF_THE_TYPE not in error]
    return brief((better or errors or ["it was not asked"])[0])


def brief(error: str) -> str:
    """What it says, without its examples and dumps."""
    without = re.sub(r" \(e\.g\.[^)]*\)", "", error)
    return re.split(r"[;(]| -- |, which ", without)[0].strip()


# ---- functions on rows, written for scalars


def column(kind: Any) -> str:
    """The type of a column for a type of Python's."""
    if kind in COLUMNS:
        return COLUMNS[kind]
    if isinstance(kind, types.UnionType) or type(None) in get_args(kind):
        return column(next(k for k in reversed(get_args(kind)) if k is not type(None)))
    fields = fields_of(kind) or {"anything": str}
    return f"struct<{', '.join(f'_{name}: {column(of)}' for name, of in fields.items())}>"


def fields_of(kind: Any) -> dict[str, Any]:
    """The fields of a row, none for a scalar; those of a tuple are called by number."""
    if get_origin(kind) is tuple:
        return {str(i): item for i, item in enumerate(get_args(kind))}
    a_row = is_dataclass(kind) or is_typeddict(kind) or hasattr(kind, "_fields")
    return get_type_hints(kind) if a_row else {}


class ByField(ast.NodeTransformer):
    """Reads each field of the rows from a parameter of its own, and remembers which."""

    def __init__(self, rows: dict[str, Any]) -> None:
        self.rows = rows
        self.read: dict[str, Any] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self.field(node.value, node.attr) or self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node.slice:
            case ast.Constant(str(name)):
                return self.field(node.value, name) or self.generic_visit(node)
            case ast.Constant(int(at)):
                name = list(self.of(node.value))[at : at + 1]
                return self.field(node.value, *name) or self.generic_visit(node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.rows:  # the row itself is still read
            self.read[node.id] = self.rows[node.id]
        return node

    def of(self, row: ast.expr) -> dict[str, Any]:
        return fields_of(self.rows.get(row.id)) if isinstance(row, ast.Name) else {}

    def field(self, row: ast.expr, name: str = "") -> ast.Name | None:
        if name not in self.of(row) or not isinstance(row, ast.Name):
            return None
        self.read[f"{row.id}_{name}"] = self.of(row)[name]
        return ast.Name(f"{row.id}_{name}", ast.Load())


@functools.cache
def sources() -> dict[int, ast.FunctionDef | ast.Lambda]:
    """The functions of the corpus, by the line on which they begin."""
    text = (Path(__file__).parent / "everyday.py").read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(text))
    return {n.lineno: n for n in nodes if isinstance(n, ast.FunctionDef | ast.Lambda)}


def as_scalars(
    case: Everyday, f: Callable[..., Any], form: str
) -> tuple[Callable[..., Any], list[str]]:
    """The function as it is asked, and its columns."""
    if not any(map(fields_of, case.types)):
        return f, [column(kind) for kind in case.types]
    node = sources()[f.__code__.co_firstlineno]
    given = dict(zip((arg.arg for arg in node.args.args), case.types, strict=True))
    by_field = ByField({name: kind for name, kind in given.items() if fields_of(kind)})
    inner = node.body if isinstance(node, ast.Lambda) else ast.Module(node.body, [])
    body = ast.unparse(by_field.visit(ast.parse(ast.unparse(inner))))
    scalars = {name: kind for name, kind in given.items() if name not in by_field.rows}
    parameters = by_field.read | scalars
    return written(case.name, parameters, body, form), [*map(column, parameters.values())]


def written(name: str, parameters: dict[str, Any], body: str, form: str) -> Callable[..., Any]:
    """A function with a source that can be read, as the transpiler reads it."""
    if form == "def":
        typed = [f"{p}: {t.__name__}" if t in ANNOTATED else p for p, t in parameters.items()]
        text = f"def {name}({', '.join(typed)}):\n" + re.sub("^", "    ", body, flags=re.MULTILINE)
    else:
        text = f"lambda {', '.join(parameters)}: {body}"
        text = f"{name} = {text}" if form == "named lambda" else f"{name} = as_it_is({text})"
    file = f"<{name}, {form}, by field>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"as_it_is": lambda f: f}
    exec(compile(text, file, "exec"), scope)
    return scope[name]
