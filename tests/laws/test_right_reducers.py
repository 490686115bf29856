"""No right reducer is refuted of anything: the hand-written ones, and the whole catalogue."""

from __future__ import annotations

from typing import Any

import pytest

from ominus.contract.verdict import Checked, Proved
from ominus.contract.verify import verify
from reference import catalogue_verdicts
from right_reducers import RIGHT
from test_catalogue_laws import VARIANTS

# Their state is a few numbers, or is made of such: over ints nothing is left to examples.
PROVED = (
    "count sum mean variance stdev product any all weighted_mean covariance regression histogram "
    "group frequencies record"
).split()


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_reducer_is_ok(name: str) -> None:
    right = RIGHT[name]
    all_hold(verify(right.reducer, right.values))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_of_the_catalogue_is_ok(name: str) -> None:
    all_hold(verify(VARIANTS[name].reducer, VARIANTS[name].values))


def all_hold(verdicts: Any) -> None:
    assert verdicts.ok, verdicts
    assert all(isinstance(verdict, Proved | Checked) for verdict in verdicts.values()), verdicts


def test_the_whole_catalogue_is_ok() -> None:
    for _, _, verdicts in catalogue_verdicts():
        all_hold(verdicts)


@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_of_the_catalogue_stays_so(name: str) -> None:
    found = [v for reducer, kind, v in catalogue_verdicts() if reducer.name == name]
    if not found:
        pytest.skip("there is no solver")
    of_ints = found[0]
    assert isinstance(of_ints["add_commutes"], Proved), of_ints
    assert isinstance(of_ints["inverse"], Proved), of_ints


def test_there_are_at_least_forty_of_them() -> None:
    assert len(RIGHT) >= 40
