"""Debug mode watches the flows that are run."""

from __future__ import annotations

import pytest

import ominus as om
from ominus.errors import ContractBroken, Diverged

numbers = om.source("numbers", int)


@pytest.fixture
def debugging():
    om.debug()
    yield
    om.debug(False)


def grown(group):
    return len(group)


def test_a_flow_that_is_run_in_debug_mode_is_watched(debugging):
    live = om.flow(n=numbers.maintain(grown, lambda current, change: current + 1)).run()
    live["numbers"].insert_many([1, 2])
    with pytest.raises(Diverged):
        live["numbers"].delete(1)
    assert live["n"].value == 2


def test_a_false_reducer_is_an_error_where_it_is_defined(debugging):
    with pytest.raises(ContractBroken, match="inverse"):
        om.Reducer(0, max, lambda a, v: a, values=int)


def test_nothing_is_watched_otherwise():
    live = om.flow(n=numbers.maintain(grown, lambda current, change: current + 1)).run()
    live["numbers"].insert_many([1, 2])
    live["numbers"].delete(1)
    assert live["n"].value == 3
