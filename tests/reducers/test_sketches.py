"""Sketches stay within their errors, forget their history, and take back what they can."""

from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from math import log, sqrt
from random import Random
from typing import Any

import pytest

from ominus import reducers as r
from ominus.algebra.reducer import RECOMPUTE
from ominus.algebra.value import ident
from ominus.errors import InvalidDelta, NotAValue, NumberRefused
from ominus.reducers.digest import digest
from ominus.reducers.registers import Registers
from order_cases import INF, MIXED, NAN, NUMBERS, Silent, shown, walk

HUGE = 1.7976931348623157e308


@pytest.mark.parametrize("precision", [6, 10, 12])
def test_counts_of_distinct_values_are_within_four_standard_errors(precision: int) -> None:
    error = 1.04 / sqrt(2**precision)
    reducer = r.approx_count_distinct(precision=precision)
    for n in (1, 10, 100, 1000, 5000, 20_000):
        runs = [reducer.fold_read(range(k * 10**6, k * 10**6 + n)) for k in range(4)]
        assert all(abs(found - n) <= 4 * error * n for found in runs), (n, runs)
        mean = sum(runs) / len(runs)
        assert abs(mean - n) <= 4 * error * n / sqrt(len(runs)), (n, runs)


def test_very_many_distinct_values_are_counted_by_merging() -> None:
    registers = Registers(8)
    random = Random(1)
    state = registers.dense(())
    n = 10**12
    # A register's rank after n / 256 values has this distribution; to add them all takes too long.
    for register in range(256):
        u = random.random()
        rank = next(k for k in range(1, 58) if (1 - 2.0**-k) ** (n / 256) >= u)
        state = registers.merge(state, registers.raised((), register, rank))
    assert abs(registers.estimate(state) - n) <= 4 * 1.04 / 16 * n


def test_the_estimator_is_ertls_also_where_registers_are_full() -> None:
    registers = Registers(4)
    empty, full, half = 3 / 16, 5 / 16, 8
    state = bytes([0] * 3 + [61] * 5 + [50] * half)
    sigma = empty + sum(empty ** (2**k) * 2 ** (k - 1) for k in range(1, 9))
    tau = (full - sum((1 - (1 - full) ** 2.0**-k) ** 2 * 2.0**-k for k in range(1, 60))) / 3
    z = 16 * tau * 2.0**-60 + half * 2.0**-50 + 16 * sigma
    assert registers.estimate(state) == round(16 * 16 / (2 * log(2) * z))
    nearly = bytes([61] * 15 + [58])
    tau = (15 / 16 - sum((1 - (1 / 16) ** 2.0**-k) ** 2 * 2.0**-k for k in range(1, 60))) / 3
    exact = 16 * 16 / (2 * log(2) * (16 * tau * 2.0**-60 + 2.0**-58))
    assert registers.estimate(nearly) == pytest.approx(exact, rel=1e-12)


def test_a_few_distinct_values_are_counted_exactly() -> None:
    reducer = r.approx_count_distinct()
    for state, there in walk(reducer, [*range(20)], seed=2, steps=200):
        assert reducer.read(state) == len(set(there))


@pytest.mark.parametrize("n", [5, 300, 3000])
def test_a_sketch_of_distinct_values_forgets_order_copies_and_cuts(n: int) -> None:
    reducer = r.approx_count_distinct()
    values = [*range(n)]
    states = {reducer.fold(Random(k).sample(values * 2, n * 2)) for k in range(3)}
    assert reducer.merge is not None
    for cut in (0, n // 3, n):
        states.add(reducer.merge(reducer.fold(values[:cut]), reducer.fold(values[cut // 2 :])))
    assert len(states) == 1


def test_removing_a_value_recomputes_only_where_it_may_have_been_the_rarest() -> None:
    reducer = r.approx_count_distinct(precision=4)
    registers = Registers(4)
    values = [*range(1000)]
    state = reducer.fold(values)
    kept = [v for v in values if reducer.update(state, removed=[v]) is not RECOMPUTE]
    assert len(kept) >= 1000 - 40
    for v in values:
        register, rank = registers.find(v)
        assert (v in kept) == (registers.rank(state, register) > rank)
    assert all(reducer.update(state, removed=[v]) is state for v in kept)
    with pytest.raises(InvalidDelta):
        reducer.update(reducer.fold([1]), removed=[2])


def test_registers_are_sparse_until_a_sixteenth_of_them_is_used() -> None:
    reducer = r.approx_count_distinct()
    state, n = reducer.start(), 0
    while isinstance(state, tuple):
        assert len(state) <= 256
        state, n = reducer.adder(state, n), n + 1
    assert isinstance(state, bytes) and len(state) == 4096 and sum(map(bool, state)) == 257


def test_values_that_are_one_have_one_digest_and_others_have_others() -> None:
    found: dict[Any, int] = {ident(v): digest(v) for v in [*MIXED, *NUMBERS]}
    assert len(set(found.values())) == len(found)
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) and digest(-0.0) == digest(0.0)
    assert digest(r.multiset().fold_read([1, 2])) == digest(r.multiset().fold_read([2, 1]))
    assert digest(("a", "b")) != digest(("ab",)) and digest(((), ())) != digest((((),),))


def test_a_digest_is_the_same_in_every_process() -> None:
    code = (
        "import sys; sys.path[:0] = %r; from order_cases import *; "
        "from ominus.reducers.digest import digest; print([digest(v) for v in MIXED])"
    )
    path = [p for p in sys.path if p]
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code % path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == str([digest(v) for v in MIXED])


@pytest.mark.parametrize("value", [Silent(1), range(3), (1, Silent(2)), len], ids=repr)
def test_a_value_without_a_stable_hash_is_refused(value: Any) -> None:
    with pytest.raises(NotAValue, match="__ident__"):
        r.approx_count_distinct().fold([value])


def between(values: list[Any], q: float) -> tuple[Any, Any, float]:
    place = q * (len(values) - 1)
    low = int(place)
    return values[low], values[min(low + 1, len(values) - 1)], place - low


@pytest.mark.parametrize("error", [0.001, 0.01, 0.2])
@pytest.mark.parametrize("kind", ["uniform", "wide", "both signs", "ints"])
def test_approximate_quantiles_are_within_the_relative_error(error: float, kind: str) -> None:
    random = Random(f"{error} {kind}")
    draw = {
        "uniform": lambda: random.random(),
        "wide": lambda: 10.0 ** random.uniform(-300, 300),
        "both signs": lambda: random.choice([-1, 1, 0]) * random.lognormvariate(0, 4),
        "ints": lambda: random.randint(-(10**30), 10**30),
    }[kind]
    qs = (0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0)
    reducer = r.approx_quantile(qs, error=error)
    values = [draw() for _ in range(999)]
    state = reducer.fold(values)
    gone = values[::3]
    state = reducer.update(state, removed=gone)
    rest = sorted(v for i, v in enumerate(values) if i % 3)
    for q, found in zip(qs, reducer.read(state)):
        low, high, w = between(rest, q)
        exact = low * (1 - w) + high * w
        allowed = error * (abs(low) * (1 - w) + abs(high) * w)
        assert abs(found - exact) <= allowed * (1 + 1e-9) + 1e-300, (q, found, exact)


def test_each_value_stands_within_the_error_of_itself_however_near_an_edge() -> None:
    for error in (1e-6, 0.01, 0.5):
        reducer = r.approx_quantile(0.5, error=error)
        growth = Fraction(1 + Fraction(error)) / (1 - Fraction(error))
        edges = [float(growth**k) for k in range(-40, 41)]
        for v in [*edges, *(-e for e in edges), HUGE, -HUGE, 2.3e-308, 3, 10**300]:
            assert abs(Fraction(reducer.fold_read([v])) - Fraction(v)) <= Fraction(error) * abs(
                Fraction(v)
            ), (error, v)


def test_zero_infinities_and_nan_are_kept_as_they_are() -> None:
    for v in (0, 0.0, INF, -INF, NAN):
        assert shown(r.approx_quantile(0.5).fold_read([v])) == shown(float(v))
    assert r.approx_quantile(1.0).fold_read([NAN, INF, 0]) != INF
    assert r.approx_quantile(0).fold_read([NAN, 0, -INF]) == -INF
    assert r.approx_quantile(0.5).fold_read([10**400]) == INF
    assert r.approx_quantile(0.5).fold_read([Decimal("1e-9999")]) == 0.0
    assert r.approx_quantile(0.5).fold_read([]) is None
    assert r.approx_quantile(0.5, skip_none=False).fold_read([None]) is None


def test_a_history_leaves_no_trace_in_the_buckets() -> None:
    reducer = r.approx_quantile(0.5)
    for state, there in walk(reducer, [x / 3 for x in range(-30, 30)], seed=3, steps=200):
        assert list(state.entries()) == list(reducer.fold(there).entries())


def test_the_buckets_of_a_large_group_are_few() -> None:
    assert r.approx_quantile(0.5).fold(range(1, 20_000)).size < 500


def test_an_approximate_quantile_refuses_what_is_no_number() -> None:
    with pytest.raises(NumberRefused):
        r.approx_quantile(0.5).fold(["a"])
    with pytest.raises(InvalidDelta):
        r.approx_quantile(0.5).update(r.approx_quantile(0.5).fold([1]), removed=[2])
