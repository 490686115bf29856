"""No right reducer is refuted of anything: the hand-written ones, and the whole catalogue."""

from __future__ import annotations

import pytest

from ominus.contract.verdict import Checked, Proved
from ominus.contract.verify import verify
from ominus.reducers import CATALOGUE
from right_reducers import RIGHT
from test_catalogue_laws import VARIANTS

EXAMPLES = CATALOGUE | VARIANTS


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_reducer_is_ok(name: str) -> None:
    right = RIGHT[name]
    verdicts = verify(right.reducer, right.values)
    assert verdicts.ok, verdicts
    assert all(isinstance(verdict, Proved | Checked) for verdict in verdicts.values()), verdicts


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_reducer_of_the_catalogue_is_ok(name: str) -> None:
    example = EXAMPLES[name]
    verdicts = verify(example.reducer, example.values)
    assert verdicts.ok, verdicts
    assert all(isinstance(verdict, Proved | Checked) for verdict in verdicts.values()), verdicts


def test_there_are_at_least_forty_of_them() -> None:
    assert len(RIGHT) >= 40
