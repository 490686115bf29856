"""Unions at the door: the first exact match, then the first that fits; what is missing is None."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, Optional, Union

import pytest

from ominus.algebra.value import NAN, canon
from ominus.errors import TypeMismatch
from ominus.flow.door import door

np = pytest.importorskip("numpy", reason="numpy is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")


@pytest.mark.parametrize("missing", [None, pd.NA, pd.NaT, np.datetime64("NaT", "s"), np.nan])
@pytest.mark.parametrize("kind", [int, float, str, datetime, Decimal, Any, list[int], int | str])
def test_what_is_missing_becomes_none_where_it_may(kind: Any, missing: Any) -> None:
    assert door(Optional[kind])(missing) is None


@pytest.mark.parametrize("nan", [math.nan, NAN, np.float64("nan"), np.float32("nan")])
def test_every_nan_is_missing_where_the_value_may_be_none(nan: Any) -> None:
    assert door(float | None)(nan) is None
    assert door(float | str)(nan) is NAN


def test_a_decimal_nan_is_missing_too() -> None:
    assert door(Decimal | None)(Decimal("NaN")) is None
    assert door(Decimal | None)(Decimal("sNaN")) is None


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        (int | float, 1, 1),
        (float | int, 1, 1),
        (int | float, 1.0, 1.0),
        (int | float, np.float64(1.0), 1.0),
        (int | float, np.int64(1), 1),
        (float | str, 1, 1.0),
        (bool | int, True, True),
        (int | bool, True, True),
        (int | bool, 1, 1),
        (float | Decimal, Decimal("1.0"), Decimal("1.0")),
        (str | None, "a", "a"),
        (float | None, 1, 1.0),
        (float | None, 0.0, 0.0),
        (float | None, -0.0, 0.0),
        (list[int] | list[float], [1.5], [1.5]),
        (list[float] | list[int], [1], [1]),
        (list[float] | tuple[float], (1,), (1.0,)),
        (Sequence[str] | str, "ab", "ab"),
        (Literal["a"] | int, 5, 5),
        (Union[tuple[int, int], tuple[float, float], None], (1, 2.0), (1.0, 2.0)),
    ],
)
def test_the_first_exact_match_then_the_first_that_fits(kind: Any, given: Any, kept: Any) -> None:
    found = door(kind)(given)
    assert repr(found) == repr(kept)
    assert canon(found) is found


@pytest.mark.parametrize(
    ("kind", "given", "found", "todo"),
    [
        (int | None, "a", "'a', a str, where int | None is declared", "Convert the text to int"),
        (int | None, 1.0, "1.0, a float, where int | None is declared", "Write int(1.0) if that"),
        (int | str, 1.5, "1.5, a float, where int | str is declared", "Give one of int, str."),
        (int | str, None, "None, where int | str is declared", "Give one of int, str."),
        (float | None, 2**53 + 1, "no float is exactly that", "Write float(...) if rounding"),
        (list[int] | None, ["a"], "its part [0] is 'a', a str, where int", "Convert the text"),
        (int | list[int], [1, "a"], "its part [1] is 'a', a str, where int", "Convert the text"),
        (int | Fraction | None, pd.Timestamp(1), "its 1 nanoseconds would", "Convert it"),
    ],
)
def test_what_is_of_no_member_is_refused(kind: Any, given: Any, found: str, todo: str) -> None:
    with pytest.raises(TypeMismatch) as refused:
        door(kind)(given)
    assert found in refused.value.found
    assert refused.value.todo.startswith(todo)
