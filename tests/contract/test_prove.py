"""Laws that are proved, laws that are refuted, and what is neither, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Flag
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("z3")

from ominus import reducers as r
from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.contract.prove import prove, prover
from ominus.contract.verdict import Proved, Refuted, Unknown, Witness
from ominus.contract.witness import look
from ominus.trace import Opaque, trace

STEPS = 30_000_000
AnyReducer = Reducer[Any, Any, Any]


@dataclass(frozen=True)
class Sale:
    cents: int
    region: str
    paid: bool


def asked(reducer: AnyReducer, kind: Any, *laws: str) -> dict[str, Any]:
    """The verdicts; the solver's own count of work bounds them, never the clock."""
    found = prover(reducer, kind, steps=STEPS)
    assert found is not None
    names = laws or [name for name, law in LAWS.items() if law.asks(reducer)]
    return {name: found.prove(name, seconds=60) for name in names}


def steps(init: Any, add: Any, remove: Any = None, **more: Any) -> AnyReducer:
    return Reducer(init, add, remove, **more)


def lowest_and_copies(a: Any, v: int) -> Any:
    if a is None or v < a[0]:
        return (v, 1)
    return (a[0], a[1] + 1) if v == a[0] else a


def without_copy(a: Any, v: int) -> Any:
    if v != a[0]:
        return a
    return (a[0], a[1] - 1) if a[1] > 1 else RECOMPUTE


CATALOGUE: dict[str, tuple[AnyReducer, Any]] = {
    "count": (r.count(), int),
    "count of anything": (r.count(), object),
    "count of what is there": (r.count("n", skip_none=True), {"n": int | None}),
    "sum": (r.sum(), int),
    "sum of booleans": (r.sum(), bool),
    "sum that skips None": (r.sum(skip_none=True), int | None),
    "sum of a field": (r.sum("cents", where="paid"), Sale),
    "sum of an item": (r.sum(1, where=lambda row: row[0] != "x"), tuple[str, int]),
    "mean": (r.mean(), int),
    "variance": (r.variance(), int),
    "stdev": (r.stdev(), int),
    "weighted mean": (r.weighted_mean(0, 1), tuple[int, int]),
    "covariance": (r.covariance(0, 1), tuple[int, int]),
    "regression": (r.regression(0, 1), tuple[int, int]),
    "histogram": (r.histogram(None, [0, 10, 20]), int),
    "histogram of a field": (r.histogram("cents", [0, 100]), Sale),
    "any": (r.any(lambda n: n > 2), int),
    "all": (r.all("paid"), Sale),
    "min of one": (r.min(keep="one"), int),
    "max of one word": (r.max(keep="one"), str),
    "min of one day": (r.min(keep="one"), date),
    "record": (r.record(n=r.count(), total=r.sum("cents")), Sale),
    "record with a mean": (r.record(s=r.sum(), n=r.count()).finish(lambda x: x.s), int),
    "group": (r.group("region", r.sum("cents")), Sale),
    "group of records": (r.group("paid", r.record(n=r.count(), m=r.mean("cents"))), Sale),
    "frequencies": (r.frequencies("region", where="paid"), Sale),
}


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_law_of_the_catalogue_is_proved(name: str) -> None:
    verdicts = asked(*CATALOGUE[name])
    assert {n: str(v) for n, v in verdicts.items() if not isinstance(v, Proved)} == {}


@pytest.mark.parametrize("law", ["add_commutes", "inverse", "remove_commutes"])
def test_the_product_is_proved_with_its_zeros(law: str) -> None:
    assert isinstance(asked(r.product(), int, law)[law], Proved)


HAND_WRITTEN: dict[str, tuple[AnyReducer, Any, str]] = {
    "a partial minimum": (
        steps(
            None,
            lambda a, v: v if a is None else min(a, v),
            lambda a, v: a if v > a else RECOMPUTE,
        ),
        int,
        "for all states",
    ),
    "a minimum and its copies": (steps(None, lowest_and_copies, without_copy), int, "for all"),
    "a clamp on what is not negative": (
        steps(0, lambda a, v: max(0, a + abs(v)), lambda a, v: max(0, a - abs(v))),
        int,
        "state >= 0",
    ),
    "a product with its zeros counted": (
        steps(
            (1, 0),
            lambda a, v: (a[0] * v, a[1]) if v else (a[0], a[1] + 1),
            lambda a, v: (a[0] // v, a[1]) if v else (a[0], a[1] - 1),
        ),
        int,
        "for all states",
    ),
    "a mean that clears itself at its last removal": (
        steps(
            (0, 0),
            lambda a, v: (a[0] + v, a[1] + 1),
            lambda a, v: (a[0] - v, a[1] - 1) if a[1] > 1 else (0, 0),
        ),
        int,
        "state[1]",
    ),
    "a sum modulo 97": (
        steps(0, lambda a, v: (a + v) % 97, lambda a, v: (a - v) % 97),
        int,
        "state <= 96",
    ),
    "a filter that the solver does not know": (
        steps(
            0,
            lambda a, v: a + len(v) if v.strip().casefold() > "k" else a,
            lambda a, v: a - len(v) if v.strip().casefold() > "k" else a,
        ),
        str,
        "for all states",
    ),
    "a filter by floats": (
        steps(
            (0, 0),
            lambda a, v: (a[0] + 1, a[1] + round(v[1] * 100)) if v[0] > 0.5 else a,
            lambda a, v: (a[0] - 1, a[1] - round(v[1] * 100)) if v[0] > 0.5 else a,
        ),
        tuple[float, float],
        "for all states",
    ),
    "a value that raises on every path": (
        steps(
            None,
            lambda a, v: 100 // v if a is None else min(a, 100 // v),
            lambda a, v: a if 100 // v > a else RECOMPUTE,
        ),
        int,
        "for all states",
    ),
    "a value that raises, which no collection holds": (
        steps(0, lambda a, v: a + 100 // v, lambda a, v: a - 100 // v),
        int,
        "for all states",
    ),
}


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_a_right_reducer_is_proved(name: str) -> None:
    reducer, kind, how = HAND_WRITTEN[name]
    verdicts = asked(reducer, kind)
    assert {n: str(v) for n, v in verdicts.items() if not isinstance(v, Proved)} == {}
    assert how in verdicts["inverse"].how


ZERO = Fraction(0)


def welford(a: tuple[int, Fraction, Fraction], v: Fraction) -> tuple[int, Fraction, Fraction]:
    n = a[0] + 1
    mean = a[1] + (v - a[1]) / n
    return n, mean, a[2] + (v - a[1]) * (v - mean)


def back(a: tuple[int, Fraction, Fraction], v: Fraction) -> tuple[int, Fraction, Fraction]:
    if a[0] <= 1:
        return 0, ZERO, ZERO
    mean = a[1] - (v - a[1]) / (a[0] - 1)
    return a[0] - 1, mean, a[2] - (v - a[1]) * (v - mean)


@pytest.mark.skipif(
    isinstance(trace(lambda a: a + a, Fraction), Opaque), reason="Fractions are not traced"
)
def test_a_variance_after_welford_is_proved_of_fractions() -> None:
    verdicts = asked(steps((0, ZERO, ZERO), welford, back), Fraction)
    assert {n: str(v) for n, v in verdicts.items() if not isinstance(v, Proved)} == {}
    assert "state[0] >= 0" in verdicts["inverse"].how


FALSE: dict[str, tuple[AnyReducer, Any, str, int]] = {
    "a mean that keeps count 1": (
        steps(
            (0, 0),
            lambda a, v: (a[0] + v, a[1] + 1),
            lambda a, v: (a[0] - v, max(1, a[1] - 1)),
        ),
        int,
        "inverse",
        1,
    ),
    "a minimum that forgets ties": (
        steps(None, lambda a, v: v if a is None else min(a, v), lambda a, v: None if v == a else a),
        int,
        "inverse",
        2,
    ),
    "a concatenation": (
        steps("", lambda a, v: a + v, lambda a, v: a[: len(a) - len(v)]),
        str,
        "add_commutes",
        2,
    ),
    "a sum that is wrong for 777": (
        steps(0, lambda a, v: a + v, lambda a, v: a - v + (v == 777)),
        int,
        "inverse",
        1,
    ),
    "a sum of floats": (steps(0.0, lambda a, v: a + v, lambda a, v: a - v), float, "inverse", 2),
    "a moving mean of ints": (
        steps(
            (0.0, 0),
            lambda a, v: ((a[0] * a[1] + v) / (a[1] + 1), a[1] + 1),
            lambda a, v: ((a[0] * a[1] - v) / (a[1] - 1), a[1] - 1) if a[1] > 1 else (0.0, 0),
        ),
        float,
        "inverse",
        3,
    ),
    "a removal that raises": (
        steps((0, 0), lambda a, v: (a[0] + v, a[1] + 1), lambda a, v: (a[0] // v, a[1] - 1)),
        int,
        "inverse",
        1,
    ),
    "a merge that takes the larger": (
        steps(0, lambda a, v: a + v, lambda a, v: a - v, merge=lambda a, b: max(a, b)),
        int,
        "distributive",
        2,
    ),
    "a merge of sides that do not commute": (
        steps("", lambda a, v: a + v, merge=lambda a, b: a + b),
        str,
        "distributive",
        2,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_reducer_is_refuted_by_a_small_case(name: str) -> None:
    reducer, kind, law, most = FALSE[name]
    found = asked(reducer, kind, law)[law]
    assert isinstance(found, Refuted), found
    flat = [x for g in found.witness.given for x in (g if isinstance(g, list) else [g])]
    assert len(found.witness.values) + len(flat) <= most
    case = (list(found.witness.values), *found.witness.given)
    assert isinstance(look(reducer, LAWS[law], case), Witness)


def test_a_part_that_is_false_refutes_the_whole() -> None:
    bad = steps(0, lambda a, v: a + v, lambda a, v: a)
    for whole in (r.record(n=r.count(), bad=bad), r.group(None, bad), r.record(x=bad).finish(str)):
        found = asked(whole, int, "inverse")["inverse"]
        assert isinstance(found, (Refuted, Unknown)) and not isinstance(found, Proved)
    assert isinstance(asked(r.record(bad=bad), int, "inverse")["inverse"], Refuted)


# ---- what is not known


def unknown(reducer: AnyReducer, kind: Any, law: str = "inverse") -> str:
    found = asked(reducer, kind, law)[law]
    assert isinstance(found, Unknown), found
    return found.why


def test_floats_are_found_by_running() -> None:
    low = steps(None, lambda a, v: v if a is None else min(a, v), lambda a, v: RECOMPUTE)
    assert unknown(low, float, "add_commutes").startswith("floats: found by running")
    assert unknown(r.sum(), float).startswith("floats: found by running")


def test_what_is_opaque_says_why() -> None:
    add: Callable[..., Any] = lambda a, v: tuple(sorted((*a, v)))
    why = unknown(steps((), add, lambda a, v: a[:-1]), int)
    assert "line" in why


def test_a_path_that_is_opaque_is_named_if_states_reach_it() -> None:
    reducer = steps(
        0,
        lambda a, v: a + v if v > 0 else a + len(sorted(str(v))),
        lambda a, v: a - v if v > 0 else a - len(sorted(str(v))),
    )
    assert "a path that may be reached" in unknown(reducer, int)


def test_a_sum_of_decimals_depends_on_the_context() -> None:
    total = steps(Decimal(0), lambda a, v: a + v, lambda a, v: a - v)
    assert "context" in unknown(total, Decimal)


def test_a_state_that_is_changed_in_place_is_not_traced() -> None:
    def add(a: list[int], v: int) -> list[int]:
        a.append(v)
        return a

    assert "in place" in unknown(Reducer(list, add, mutates=True), int, "add_commutes")


def test_a_bug_after_ten_adds_is_neither_proved_nor_refuted() -> None:
    reducer = steps(0, lambda a, v: min(a + 1, 10), lambda a, v: a - 1)
    assert "nothing says whether adds reach them" in unknown(reducer, int)


def test_the_limit_that_was_met_is_named() -> None:
    hard = steps(
        1, lambda a, v: (a * a * v + v * a) % 1009, lambda a, v: (a * v * v * v + a * a) % 1013
    )
    found = prove(hard, "add_commutes", int, seconds=60, steps=50)
    assert isinstance(found, Refuted) or "50 solver steps" in str(found)
    found = prove(steps(1, lambda a, v: a * v), "add_commutes", int, seconds=0.0)
    assert found == Unknown("the time limit of 0 s was met")


def test_a_law_is_not_asked_of_what_is_not_there() -> None:
    assert prove(r.min(keep="one").replace(remove=None), "inverse", int, seconds=1) == Unknown(
        "it has no remove"
    )


# ---- nothing is proved that is not so


def test_an_opaque_bucket_is_not_proved() -> None:
    import random

    anywhere = r.group(lambda row: random.random() > 0.5, r.count())
    assert "by calls" in unknown(anywhere, int, "inverse")


def test_a_record_is_not_proved_of_a_part_that_is_unknown() -> None:
    assert unknown(r.record(n=r.count(), s=r.sum()), float).startswith("s: ")


def test_a_wide_equality_needs_more_than_its_laws() -> None:
    up_to_tens = steps(
        0, lambda a, v: a + v, lambda a, v: a - v, same=lambda a, b: a // 10 == b // 10
    )
    verdicts = asked(up_to_tens, int)
    assert isinstance(verdicts["inverse"], Proved)
    assert not isinstance(verdicts["same_respected"], Proved)
    assert not isinstance(verdicts["remove_commutes"], Proved)


def test_an_equality_that_every_step_respects_is_proved() -> None:
    plus_and_minus = steps(
        (0, 0),
        lambda a, v: (a[0] + v, a[1]) if v > 0 else (a[0], a[1] - v),
        lambda a, v: (a[0], a[1] + v) if v > 0 else (a[0] - v, a[1]),
        same=lambda a, b: a[0] - a[1] == b[0] - b[1],
        finish=lambda a: a[0] - a[1],
        merge=lambda a, b: (a[0] + b[0], a[1] + b[1]),
    )
    verdicts = asked(plus_and_minus, int)
    assert {n: str(v) for n, v in verdicts.items() if not isinstance(v, Proved)} == {}


def test_states_of_two_types_are_two_states() -> None:
    starts_at_int = steps(0, lambda a, v: a + v, lambda a, v: a - v)
    assert isinstance(asked(starts_at_int, bool, "inverse")["inverse"], Proved)
    makes_true = steps(False, lambda a, v: a or v, lambda a, v: int(a))
    assert not isinstance(asked(makes_true, bool, "inverse")["inverse"], Proved)


def test_a_raise_that_depends_on_the_state_is_not_waved_through() -> None:
    fragile = steps(0, lambda a, v: a + v + 0 * (1 // (a - 7)), lambda a, v: a - v)
    assert not isinstance(asked(fragile, int, "add_commutes")["add_commutes"], Proved)


class May(Flag):
    READ = 1
    WRITE = 2


def test_a_flag_has_more_values_than_members() -> None:
    """`May.READ | May.WRITE` is neither, and `remove` takes it back all the same."""
    reducer = steps(
        0, lambda a, v: a + 1 if v is May.READ or v is May.WRITE else a, lambda a, v: a - 1
    )
    assert not isinstance(asked(reducer, May, "inverse")["inverse"], Proved)


def test_the_types_of_a_merge_are_those_of_states() -> None:
    merged = steps(0, lambda a, v: a + v, merge=lambda a, b: (a + b) * 1.0)
    assert not isinstance(asked(merged, int, "distributive")["distributive"], Proved)
    pairs = steps((0, 0), lambda a, v: (a[0] + v, 1), merge=lambda a, b: (a[0] + b[0], a[1]))
    assert isinstance(asked(pairs, int, "distributive")["distributive"], Refuted)


def test_an_object_that_can_be_called_is_traced_by_its_call() -> None:
    class Times:
        def __init__(self, by: int) -> None:
            self.by = by

        def __call__(self, row: int) -> int:
            return row * self.by

    assert isinstance(asked(r.sum(Times(3)), int, "inverse")["inverse"], Proved)


def test_a_search_among_edges_that_do_not_ascend_is_not_traced() -> None:
    from bisect import bisect_right

    edges = (5, 1, 3)
    reducer = steps(0, lambda a, v: a + bisect_right(edges, v), lambda a, v: a)
    assert not isinstance(asked(reducer, int, "add_commutes")["add_commutes"], Proved)
