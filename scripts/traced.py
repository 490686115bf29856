"""Write the page that says which everyday functions are traced, beside Spark's own transpiler.

The functions are a test's data, and the test and the page ask in one and the same way.
"""

import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
NOTE = "<!-- Written by `make docs` from tests/trace/everyday.py and its test; edit those. -->"


def of_the_tests(name: str) -> Any:
    """A module that stands beside the tests."""
    for folder in ("trace", "spark"):
        if str(TESTS / folder) not in sys.path:
            sys.path.append(str(TESTS / folder))
    return importlib.import_module(name)


def not_judged() -> str | None:
    """Why the page can be neither written nor compared here, if it cannot."""
    return of_the_tests("spark_session").missing()  # type: ignore[no-any-return]


def page() -> Iterator[str]:
    compared = of_the_tests("compared")
    found = compared.compared(of_the_tests("spark_session").session())
    yield from ("# Everyday functions, traced", "", NOTE, "")
    yield from summary(compared.counts(found))
    yield from reasons(found)
    yield from ("## Each form of each function", "")
    yield from ("| function | written as | ominus | Spark's transpiler |", "|---|---|---|---|")
    for each in found:
        ours = f"runs as it is: {cell(each.ominus)}" if each.ominus else "traced"
        spark = cell(each.spark) if each.spark else "lowered"
        yield f"| `{each.name}` | {each.form} | {ours} | {spark} |"


def summary(counts: Any) -> Iterator[str]:
    yield f"The suite holds {counts.functions} functions as people write them, on scalars and rows."
    yield "Each is written as a `def`, as a named lambda and as an inline lambda."
    yield "What is traced answers as Python does; what is not runs as it is."
    yield "Beside it stands Spark's own experimental transpiler of UDFs, asked by the same test."
    yield "It takes scalars only: a function on a row is asked with one argument for each field."
    yield from ("", "| | of | ominus | Spark's transpiler |", "|---|---|---|---|")
    yield f"| forms | {counts.forms} | {counts.traced} | {counts.lowered} |"
    ours, theirs = counts.traced_in_every_form, counts.lowered_in_some_form
    yield f"| functions | {counts.functions} | {ours} in every form | {theirs} in some form |"
    yield ""


def reasons(found: list[Any]) -> Iterator[str]:
    yield from ("## Why Spark's does not", "", "| what it says | forms |", "|---|---|")
    said = Counter(each.spark for each in found if each.spark)
    for why, times in sorted(said.items(), key=lambda pair: (-pair[1], pair[0])):
        yield f"| {cell(why)} | {times} |"
    yield ""


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<")
