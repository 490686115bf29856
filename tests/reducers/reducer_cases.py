"""Numbers and histories to hold reducers to, and a comparison that sees every bit."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from ominus.algebra.reducer import RECOMPUTE

TINY, HUGE = 5e-324, 1.7976931348623157e308
HARD_FLOATS = [
    0.0,
    -0.0,
    TINY,
    -TINY,
    2.2250738585072014e-308,
    1e-30,
    2.0**-180,
    2.0**-181,
    0.1,
    -0.1,
    0.2,
    1.0,
    -1.0,
    3.0,
    1e16,
    2.0**53 + 2,
    2.0**843,
    -(2.0**844),
    1e300,
    HUGE,
    -HUGE,
]
ints = (
    st.integers(-9, 9) | st.booleans() | st.integers() | st.sampled_from([2**70, -(2**70), 10**400])
)
small_ints = st.integers(-9, 9)
finite = st.sampled_from(HARD_FLOATS) | st.floats(allow_nan=False, allow_infinity=False)
near = st.floats(-1e6, 1e6)
specials = st.sampled_from([float("inf"), float("-inf"), float("nan")])
floats = finite | near | specials
finite_decimals = st.builds(
    lambda c, e: Decimal((int(c < 0), tuple(map(int, str(abs(c)))), e)),
    st.integers(-(10**40), 10**40) | st.integers(-999, 999),
    st.integers(-40, 20),
)
decimals = finite_decimals | st.sampled_from(
    [Decimal("Infinity"), Decimal("-Infinity"), Decimal("NaN"), Decimal("-0.00")]
)
fractions = st.fractions(max_denominator=10**6)

KINDS = {
    "ints": ints,
    "floats": floats,
    "ordinary floats": near,
    "finite floats": finite,
    "ints and floats": floats | ints,
    "fractions and ints": fractions | ints,
    "fractions and floats": fractions | floats,
    "decimals and ints": decimals | small_ints,
    "money": st.decimals(-(10**6), 10**6, places=2),
}


@st.composite
def histories(draw: Any, values: Any, *, size: int = 12) -> tuple[list[tuple[str, Any]], list[Any]]:
    """Adds and removes of what is there, in any order, and what is there in the end."""
    there: list[Any] = []
    steps: list[tuple[str, Any]] = []
    for _ in range(draw(st.integers(0, size))):
        if there and draw(st.integers(0, 9)) < 4:
            i = draw(st.integers(0, len(there) - 1))
            steps.append(("remove", there.pop(i)))
        else:
            there.append(draw(values))
            steps.append(("add", there[-1]))
    return steps, draw(st.permutations(there))


def run(reducer: Any, steps: list[tuple[str, Any]]) -> Any:
    """The state after a history; no step may need a recompute."""
    state = reducer.start()
    for what, value in steps:
        state = (reducer.adder if what == "add" else reducer.remover)(state, value)
        assert state is not RECOMPUTE
    return state


def bits(result: Any) -> Any:
    """A result in a form that is equal only where type and every bit are."""
    if isinstance(result, float):
        return (type(result), "nan" if result != result else struct.pack(">d", result))
    if isinstance(result, Decimal):
        return (type(result), "nan" if result.is_nan() else result.as_tuple())
    if isinstance(result, Mapping):
        return (type(result), [(bits(k), bits(v)) for k, v in result.items()])
    if isinstance(result, tuple):
        return (type(result), tuple(map(bits, result)))
    return (type(result), result)


def check_history(reducer: Any, history: tuple[list[tuple[str, Any]], list[Any]]) -> Any:
    """Hold a history to the fold of what is there in the end; give the result."""
    steps, there = history
    state, fresh = run(reducer, steps), reducer.fold(there)
    result = reducer.read(state)
    assert bits(result) == bits(reducer.fold_read(there))
    assert reducer.equal(state, fresh)
    if reducer.merge is not None:
        for cut in range(len(there) + 1):
            merged = reducer.merge(reducer.fold(there[:cut]), reducer.fold(there[cut:]))
            assert reducer.equal(merged, fresh)
            assert bits(reducer.read(merged)) == bits(result)
    return result


def exact(value: Any) -> Fraction:
    """A finite number as a Fraction."""
    return Fraction(value)


def endless(values: list[Any]) -> float | None:
    """What a sum of numbers tends to where one is infinite or NaN."""
    ends = [float(v) for v in values if isinstance(v, float | Decimal) and not _is_finite(v)]
    return sum(ends) if ends else None


def _is_finite(v: Any) -> bool:
    return v.is_finite() if isinstance(v, Decimal) else v - v == 0


def nearest(x: Fraction) -> float:
    """The float next to a Fraction; never a negative zero."""
    try:
        return float(x) + 0.0
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")


def kind_of(values: list[Any]) -> type:
    """The type of an exact result that need not be whole."""
    kinds = {type(v) for v in values}
    return (
        Decimal
        if Decimal in kinds
        else Fraction
        if Fraction in kinds and float not in kinds
        else float
    )
