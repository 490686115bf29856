"""Two classes of one name, two zones of one name: the places of their values are still two."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import make_dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from decimal import Decimal

import pytest

from ominus.algebra.multiset import Multiset
from ominus.algebra.order import arrange, arranged, order
from ominus.algebra.value import is_nan, one


class Zone(tzinfo):
    """One of several offsets of a zone, as those of pytz are."""

    def __init__(self, hours: int) -> None:
        self.hours = hours

    def utcoffset(self, when: datetime | None) -> timedelta:
        return timedelta(hours=self.hours)

    def __str__(self) -> str:
        return "Somewhere"


class Named(OrderedDict[str, int]):
    pass


Elsewhere = type("Named", (OrderedDict,), {"__module__": "elsewhere", "__qualname__": "Named"})


def twice() -> list[type]:
    return [make_dataclass("Row", ["a"], frozen=True) for _ in range(2)]


@pytest.mark.parametrize(
    "a_b",
    [
        [kind(1) for kind in twice()],
        [Named(a=1), Elsewhere(a=1)],
        [datetime(2020, 1, 1, 12, tzinfo=Zone(1)), datetime(2020, 1, 1, 13, tzinfo=Zone(2))],
        [datetime(2020, 1, 1, 12, tzinfo=Zone(0)), datetime(2020, 1, 1, 12, tzinfo=timezone.utc)],
    ],
    ids=repr,
)
def test_values_that_are_two_have_two_places(a_b: list[object]) -> None:
    a, b = a_b
    assert not one(a, b)
    assert order(a) != order(b)
    assert (order(a) < order(b)) != (order(b) < order(a))


def test_a_multiset_has_a_place_among_sets() -> None:
    sets = [{1}, Multiset([1]), Multiset([1, 1]), Multiset([1, 2]), {1, 2}, Multiset([2]), {2}]
    places = [order(v) for v in arranged(sets)]
    assert places == sorted(places) and len(set(places)) == len(sets)


def test_where_an_object_lies_says_nothing_about_its_place() -> None:
    assert arrange(object()) == arrange(object())
    assert arrange((object(), 1)) < arrange((object(), 2))


def test_a_signalling_nan_is_a_nan() -> None:
    assert is_nan(Decimal("sNaN")) and is_nan(Decimal("NaN")) and not is_nan(Decimal(1))
