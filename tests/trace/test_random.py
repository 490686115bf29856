"""Random small programs: where one is traced, it answers as Python does; where not, it says why."""

from __future__ import annotations

import pytest

from against_python import check_programs
from edges import EDGES
from programs import without_slow_ints


@pytest.mark.parametrize("seed", range(6))
def test_a_random_program_that_is_traced_answers_as_python_does(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EDGES, int, without_slow_ints())
    wrong, traced = check_programs(seed, 250)
    assert wrong == []
    assert traced > 100
