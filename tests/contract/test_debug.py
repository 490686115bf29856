"""Debug mode: a false reducer is an error where it is defined, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ominus import reducers as r
from ominus.algebra.reducer import Reducer
from ominus.contract import debug as module
from ominus.contract.debug import debug, from_environment, is_on
from ominus.contract.verdict import Verdicts
from ominus.contract.verify import NotVerified
from ominus.errors import ContractBroken, OminusError


@pytest.fixture(autouse=True)
def off() -> Iterator[None]:
    debug(False)
    yield
    debug(False)


def wrong() -> Reducer[Any, Any, Any]:
    return Reducer(0, lambda a, v: a + v, lambda a, v: a - abs(v), values=int)


def test_a_false_reducer_is_an_error_at_its_definition() -> None:
    wrong()
    debug()
    with pytest.raises(ContractBroken) as raised:
        wrong()
    error = raised.value
    assert isinstance(error, OminusError) and isinstance(error.verdicts, Verdicts)
    assert error.asked.startswith("inverse of Reducer(init=0)")
    assert error.found.endswith("removed=[-1]) is -2, and reducer.fold([]) is 0")
    assert error.todo.startswith("Let remove undo add")
    debug(False)
    wrong()


def test_a_right_one_is_none() -> None:
    debug()
    total = Reducer(0, lambda a, v: a + v, lambda a, v: a - v, values=int)
    assert total.finish(str).fold_read([1]) == "1"


def test_it_warns_of_a_reducer_that_nobody_knows_the_values_of() -> None:
    debug()
    with pytest.warns(NotVerified) as warned:
        Reducer(0, lambda a, v: a + v, lambda a, v: a)
    assert warned[0].filename == __file__


def test_an_unknown_law_is_no_error() -> None:
    debug()
    Reducer(0, lambda a, v: a + 6 // v, lambda a, v: a - 6 // v, values=int)


def test_the_catalogue_is_not_verified_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    debug()
    monkeypatch.setattr(module, "verify", None)
    assert r.sum().fold_read([1, 2]) == 3
    r.record(total=r.sum(), n=r.count())


def test_it_is_turned_on_once_and_off_once() -> None:
    debug()
    debug()
    assert is_on()
    debug(False)
    assert not is_on()
    debug(False)


@pytest.mark.parametrize(("value", "on"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_environment_turns_it_on(monkeypatch: pytest.MonkeyPatch, value: str, on: bool) -> None:
    monkeypatch.setenv("OMINUS_DEBUG", value)
    from_environment()
    assert is_on() is on


def test_all_wrong_laws_are_named() -> None:
    debug()
    with pytest.raises(ContractBroken, match="it breaks inverse as well"):
        Reducer(0, lambda a, v: max(0, a + v), lambda a, v: a - v, values=int)


def test_debug_mode_does_not_load_hypothesis_until_it_is_needed() -> None:
    code = (
        "import sys; from ominus.contract.debug import debug; debug();"
        "print([n for n in ('hypothesis', 'z3') if n in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(module.__file__).parents[2])},
        check=False,
    )
    assert run.stdout.strip() == "[]", run.stderr
