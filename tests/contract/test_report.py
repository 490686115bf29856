"""Every reducer of a module: a table, JSON, an exit status, and a test of each."""

from __future__ import annotations

import json
import unittest
from types import ModuleType
from typing import Any

import pytest

from ominus.algebra.reducer import Reducer
from ominus.contract.report import (
    ALL_RIGHT,
    NOTHING,
    REFUTED,
    UNKNOWN,
    reducers_in,
    report,
    verify_all,
)
from ominus.contract.verify import NotVerified
from ominus.errors import NothingToTest
from ominus.testing.reducers import reducers_of

TOTAL: Reducer[Any, Any, Any] = Reducer(
    0, lambda a, v: a + v, lambda a, v: a - v, merge=lambda a, b: a + b, values=int
)
WRONG = TOTAL.replace(remove=lambda a, v: a, merge=None)
SILENT = TOTAL.replace(values=None)


def shop(**reducers: Any) -> ModuleType:
    module = ModuleType("shop")
    vars(module).update(reducers)
    return module


def test_reducers_are_found_in_modules_classes_and_mappings() -> None:
    inner = type("Company", (), {"__module__": "shop", "pay": TOTAL})
    foreign = type("Other", (), {"__module__": "elsewhere", "pay": TOTAL})
    module = shop(total=TOTAL, n=3, Company=inner, Other=foreign, ALL={"wrong": WRONG, 3: TOTAL})
    assert list(reducers_in(module)) == ["total", "Company.pay", "ALL.wrong"]
    assert list(reducers_in({"total": TOTAL})) == ["total"]


def test_a_module_of_right_ones_is_a_table_and_status_0() -> None:
    text, status = report(verify_all(shop(total=TOTAL)))
    head, row = text.splitlines()
    assert status == ALL_RIGHT == 0
    assert head.split()[:2] == ["reducer", "add_commutes"] and row.split()[0] == "total"
    assert set(row.split()[1:]) <= {"proved", "checked"}


def test_a_refuted_one_is_status_1_and_told_why() -> None:
    text, status = report(verify_all(shop(total=TOTAL, wrong=WRONG)))
    assert status == REFUTED == 1
    assert "wrong: inverse refuted: reducer.update(" in text and "\ntotal:" not in text
    assert "-" in next(line for line in text.splitlines() if line.startswith("wrong")).split()


def test_an_unknown_one_is_status_3() -> None:
    with pytest.warns(NotVerified):
        text, status = report(verify_all(shop(silent=SILENT)))
    assert status == UNKNOWN == 3 and "no values" in text


def test_no_reducer_is_status_2() -> None:
    assert report(verify_all(shop())) == ("no reducer there", NOTHING) == ("no reducer there", 2)


def test_one_is_asked_by_name() -> None:
    assert list(verify_all(shop(total=TOTAL, wrong=WRONG), "total")) == ["total"]
    with pytest.raises(LookupError, match="no reducer is called 'sum' there: there are total"):
        verify_all(shop(total=TOTAL), "sum")


def test_json_has_the_verdicts_and_the_witness() -> None:
    text, status = report(verify_all(shop(total=TOTAL, wrong=WRONG)), as_json=True)
    found = json.loads(text)
    assert status == REFUTED
    assert found["total"]["ok"] is True and found["wrong"]["ok"] is False
    assert found["total"]["laws"]["inverse"]["verdict"] in ("proved", "checked")
    inverse = found["wrong"]["laws"]["inverse"]
    assert (inverse["verdict"], inverse["right"]) == ("refuted", "0")
    assert inverse["call"].startswith("reducer.update(")


def outcome(case: type) -> unittest.TestResult:
    found = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(found)  # type: ignore[type-var]
    return found


def test_one_line_makes_every_reducer_a_test() -> None:
    ran = outcome(reducers_of(shop(total=TOTAL, wrong=WRONG)))
    assert ran.testsRun == 2 and len(ran.failures) == 1 and not ran.errors
    assert "test_wrong" in str(ran.failures[0][0]) and "refuted" in ran.failures[0][1]


def test_values_are_given_to_those_that_do_not_say_theirs() -> None:
    assert outcome(reducers_of({"silent": SILENT}, values={"silent": int})).wasSuccessful()
    assert outcome(reducers_of({"silent": SILENT}, values=int)).wasSuccessful()
    with pytest.warns(NotVerified):
        assert not outcome(reducers_of({"silent": SILENT})).wasSuccessful()


def test_a_module_without_reducers_is_refused() -> None:
    with pytest.raises(NothingToTest, match="the reducers of shop"):
        reducers_of(shop())


TestHere = reducers_of({"total": TOTAL})
