"""Each corner of Python is traced, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict

import pytest

from against_python import check
from corners import CORNERS
from ominus.trace import Opaque, Traced, trace


class Partly(TypedDict, total=False):
    k: int


def name_of(value: Any) -> str:
    return getattr(value, "__name__", type(value).__name__)


@pytest.mark.parametrize(("f", "kinds"), CORNERS, ids=name_of)
def test_a_corner_of_python_is_kept(f: Callable[..., Any], kinds: tuple[Any, ...]) -> None:
    assert check(f, kinds, pickled=False) is None


def test_where_only_python_can_tell_the_row_leaves() -> None:
    found = trace(lambda x, y: (x, 1) == (y, 1), float, float)
    assert isinstance(found, Traced)
    nan, other = float("nan"), float("nan")
    assert found(nan, nan) is True
    assert found(nan, other) is False


def test_an_assertion_raises_where_it_does_not_hold() -> None:
    scope: dict[str, Any] = {}  # pytest writes the assertions of a test module anew
    exec("def f(x):\n assert x > 0, 'positive'\n return x", scope)
    found = trace(scope["f"], int)
    assert isinstance(found, Traced) and found(1) == 1
    with pytest.raises(AssertionError, match="positive"):
        found(0)


def test_a_key_that_may_be_absent_is_no_field() -> None:
    assert isinstance(trace(lambda p: p["k"], Partly), Opaque)


def test_an_answer_that_is_complex_leaves_the_columns() -> None:
    found = trace(lambda x: x**0.5, float)
    assert isinstance(found, Traced) and found.type is float
    assert isinstance(found(-4.0), complex)
