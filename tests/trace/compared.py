"""The everyday functions, as ominus traces them and as Spark's own transpiler lowers them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from everyday import EVERYDAY, FORMS
from ominus.trace import Opaque, trace
from transpiled import verdicts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Compared:
    """One form of a function: why ominus does not trace it, and Spark not lower it, or None."""

    name: str
    form: str
    ominus: str | None
    spark: str | None


@functools.cache
def compared(spark: SparkSession) -> list[Compared]:
    lowered = verdicts(spark)
    found = []
    for case in EVERYDAY:
        for form, written in zip(FORMS, case.forms, strict=True):
            traced = trace(written, *case.types)
            why = traced.why if isinstance(traced, Opaque) else None
            found.append(Compared(case.name, form, why, lowered[case.name, form]))
    return found


@dataclass(frozen=True)
class Counts:
    """How many forms and functions there are, and how many of them come through."""

    forms: int
    traced: int
    lowered: int
    functions: int
    traced_in_every_form: int
    lowered_in_some_form: int


def counts(found: list[Compared]) -> Counts:
    names = {each.name for each in found}
    return Counts(
        forms=len(found),
        traced=sum(each.ominus is None for each in found),
        lowered=sum(each.spark is None for each in found),
        functions=len(names),
        traced_in_every_form=len(names - {each.name for each in found if each.ominus}),
        lowered_in_some_form=len({each.name for each in found if each.spark is None}),
    )
