"""What cannot be traced is a fact with the user's line; what is never traced never answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from not_traced import INLINE, OPAQUE, WITHOUT_LINE
from ominus.trace import Opaque, Traced, trace


@pytest.mark.parametrize("f", OPAQUE, ids=lambda f: f.__name__)
def test_a_function_is_opaque_and_says_why_and_where(f: Callable[..., Any]) -> None:
    kinds, why, line = OPAQUE[f]
    found = trace(f, *kinds)
    assert isinstance(found, Opaque), found
    assert why in found.why
    if f not in WITHOUT_LINE:
        assert found.line == f.__code__.co_firstlineno + line


@pytest.mark.parametrize("name", INLINE)
def test_an_inline_lambda_is_opaque_and_says_why(name: str) -> None:
    f, kind, why = INLINE[name]
    found = trace(f, kind)
    assert isinstance(found, Opaque), found
    assert why in found.why
    assert found.line == f.__code__.co_firstlineno


def test_a_handler_over_what_cannot_raise_is_no_obstacle() -> None:
    def f(x: int) -> int:
        try:
            y = x + 1
        except Exception:
            y = 0
        return y

    found = trace(f, int)
    assert isinstance(found, Traced)
    assert str(found) == "lambda x: x + 1"


def test_a_handler_over_what_raises_for_this_type_only_is_one() -> None:
    def f(x: Any) -> Any:
        try:
            return len(x)
        except TypeError:
            return 0

    assert isinstance(trace(f, str), Traced)
    assert isinstance(trace(f, int), Opaque)


def test_a_comprehension_over_a_few_values_needs_no_handler() -> None:
    found = trace(lambda x: [x * n for n in (1, 2)], int)
    assert isinstance(found, Traced)
    assert found(3) == [3, 6]


def test_an_unknown_version_is_opaque_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from ominus.trace import screen

    monkeypatch.setattr(screen, "VERSION", None)
    found = trace(lambda x: x, int)
    assert isinstance(found, Opaque)
    assert "bytecode" in found.why


def test_an_instruction_that_is_not_on_the_white_list_is_opaque(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ominus.trace.symbols import steps

    monkeypatch.delitem(steps.STEPS, "BINARY_OP")
    found = trace(lambda x: x + 1, int)
    assert isinstance(found, Opaque)
    assert found.why == "the instruction BINARY_OP is not known"
