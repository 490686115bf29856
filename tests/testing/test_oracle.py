"""The oracle on its own: what it is given, what it gives back, and what it never touches.

That each operator means what the page says is held in `tests/agree/test_named_*.py`, where the
same examples are asked of the oracle and of the engine.
"""

import subprocess
import sys

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import Circle, KeyPresent, KeysCollide, ShapeRefuses
from ominus.flow.ops import VERBS
from ominus.testing import recompute
from ominus.testing.oracle import RULES
from ominus.testing.reading import Groups, Rows, Table

t = om.source("t", key="k")
w = om.source("w")


def test_every_operator_there_is_has_a_rule():
    assert set(RULES) == set(VERBS)


def test_the_worked_example_by_hand():
    flow = om.flow(
        sums=t.group_by("g").reduce(r.sum("v")),
        best=t.group_by("g").top(1, by="v"),
        all=t.count(),
    )
    rows = [{"k": 1, "g": "a", "v": 3}, {"k": 2, "g": "a", "v": 4}, {"k": 3, "g": "b", "v": 5}]
    found = recompute(flow, t=rows)
    assert found["sums"] == {"a": 7, "b": 5}
    assert found["best"] == {"a": om.Multiset([rows[1]]), "b": om.Multiset([rows[2]])}
    assert found["all"].value == 3


def test_a_source_that_is_not_named_has_no_rows():
    found = recompute(om.flow(n=w.count(), t=t))
    assert found["n"].value == 0 and found["t"] == {}


def test_an_unknown_source_is_refused():
    with pytest.raises(KeyError, match="no source named 'v'"):
        recompute(om.flow(n=w.count()), v=[1])


def test_views_are_found_by_name_by_source_and_by_definition():
    doubled = w.map(lambda v: 2 * v)
    found = recompute(om.flow(doubled=doubled), w=[1])
    assert found["doubled"] == found[doubled] == om.Multiset([2])
    assert found["w"] == found[w] == om.Multiset([1])
    assert list(found) == ["doubled"] and len(found) == 1


def test_two_rows_of_one_key_are_refused():
    with pytest.raises(KeyPresent):
        recompute(om.flow(t=t), t=[{"k": 1, "v": 1}, {"k": 1, "v": 2}])


def test_keys_that_are_equal_and_yet_two_are_refused():
    with pytest.raises(KeysCollide):
        recompute(om.flow(t=t), t=[{"k": 1}, {"k": True}])


def test_what_a_function_raises_comes_as_it_is():
    error = ZeroDivisionError("of the user")

    def raises(_):
        raise error

    with pytest.raises(ZeroDivisionError) as raised:
        recompute(om.flow(v=w.map(raises)), w=[1])
    assert raised.value is error


def test_the_rows_that_are_given_are_left_alone():
    rows = [{"k": 1, "bag": [1]}]
    found = recompute(om.flow(t=t), t=iter(rows))
    rows[0]["bag"].append(2)
    assert found["t"][1] == {"k": 1, "bag": [1]}


def test_results_of_functions_are_made_one():
    found = recompute(om.flow(v=w.map(lambda v: -0.0), n=w.map(lambda v: {"b": 1, "a": 2})), w=[1])
    assert repr(next(iter(found["v"]))) == "0.0"
    assert list(next(iter(found["n"]))) == ["a", "b"]


def test_views_are_equal_only_where_their_values_are_one():
    assert Table([(1, 1.0)]) == {1: 1.0} != Table([(1, 1)])
    assert Table([(1, 2)]) != {True: 2}
    assert {1: 2} == Table([(1, 2)]) and Table([(1, float("nan"))]) == {1: float("nan")}
    assert Rows([1, 1]) == om.Multiset([1, 1]) != Rows([1])
    assert Groups([(1, om.Multiset([2]))]) == {1: om.Multiset([2])}
    assert Groups([(1, om.Multiset())]) == {}


def test_an_absent_key_reads_as_the_page_says():
    groups = w.group_by(lambda v: v % 2)
    found = recompute(
        om.flow(groups=groups, counts=groups.count(), lengths=groups.compute(len)), w=[1]
    )
    assert found["groups"][0] == om.Multiset() and found["counts"][0] == 0
    with pytest.raises(KeyError):
        found["lengths"][0]
    for name in found:
        assert 0 not in found[name] and found[name].get(0) is None and len(found[name]) == 1


def test_top_iterates_best_first():
    found = recompute(
        om.flow(rows=w.top(3), table=t.top(2, by="v")),
        w=[1, 5, 3, 5],
        t=[{"k": k, "v": v} for k, v in [(1, 1), (2, 3), (3, 3)]],
    )
    assert list(found["rows"]) == list(found["rows"].value) == [5, 5, 3]
    assert list(found["table"]) == [2, 3]


def test_a_lazy_value_is_computed_once_and_has_no_keys_of_its_own():
    asked = []

    def depth(key, self, at):
        asked.append(key)
        return 1 + self[at[key]["up"]] if key in at else 0

    found = recompute(om.flow(v=om.lazy(depth, reads=t)), t=[{"k": 1, "up": 2}, {"k": 2, "up": 3}])
    assert (found["v"][1], found["v"][2]) == (2, 1)
    assert sorted(asked) == [1, 2, 3]
    with pytest.raises(ShapeRefuses):
        list(found["v"])


def test_a_circle_is_named():
    found = recompute(om.flow(v=om.lazy(lambda key, self: self[1 - key])))
    with pytest.raises(Circle, match="0 -> 1 -> 0"):
        found["v"][0]


def test_the_oracle_knows_no_engine_and_no_hypothesis():
    program = (
        "import sys, ominus as om; w = om.source('w')\n"
        "om.recompute(om.flow(n=w.count()), w=[1])['n'].value\n"
        "print([m for m in sys.modules if 'engine' in m or m.startswith('hypothesis')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        check=True,
    )
    assert found.stdout.strip() == "[]"
