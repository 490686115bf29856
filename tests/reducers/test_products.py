"""Products: what is multiplied in can be divided out again, zeros and infinities included."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ominus import reducers as r
from reducer_cases import KINDS, bits, check_history, histories, kind_of, nearest

INF, NAN = float("inf"), float("nan")


def product_of(values: list[Any]) -> Any:
    kind = kind_of(values)
    ends = [v for v in values if isinstance(v, float | Decimal) and not math.isfinite(v)]
    if ends:
        zero = any(not v for v in values)
        if zero or any(map(math.isnan, ends)):
            return kind("nan")
        return kind("inf") * math.prod(1 if v > 0 else -1 for v in values)
    exact = math.prod(map(Fraction, values), start=Fraction(1))
    if kind is Decimal:
        place = sum(v.as_tuple().exponent for v in values if type(v) is Decimal)
        whole = int(exact * Fraction(10) ** -place)
        return Decimal((int(whole < 0), tuple(map(int, str(abs(whole)))), place))
    if kind is float and float not in map(type, values):
        return int(exact)
    return exact if kind is Fraction else nearest(exact)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100)
@given(st.data())
def test_a_product_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history = data.draw(histories(KINDS[kind]))
    assert bits(check_history(r.product(), history)) == bits(product_of(history[1]))


def test_a_zero_comes_and_goes() -> None:
    p = r.product()
    for rest in ([2, 3], [0.5, 3], [Fraction(1, 3)], [Decimal("1.50")]):
        zero = rest[0] * 0
        state = p.fold([*rest, zero, zero])
        assert not p.read(state)
        assert not p.read(p.update(state, removed=[zero]))
        assert p.update(state, removed=[zero, zero]) == p.fold(rest)


def test_what_rounds_away_comes_back() -> None:
    p = r.product()
    state = p.fold([1e-200, 1e-200, 3.0])
    assert bits(p.read(state)) == bits(0.0)
    assert p.read(p.update(state, removed=[1e-200])) == 1e-200 * 3
    assert p.fold_read([1e200, 1e200, -1.0]) == -INF


def test_a_product_forgets_all_it_was_of() -> None:
    p = r.product()
    state = p.fold([7, 0, 0.3, INF, NAN])
    assert p.update(state, removed=[NAN, 0.3, INF, 0, 7]) == p.init
