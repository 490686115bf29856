"""Verify: each law where it applies, proved where it can be, and never an exception."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from math import isqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from ominus import reducers as r
from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.contract import verify as module
from ominus.contract.verdict import Checked, Proved, Refuted, Unknown, Verdict, Verdicts, Witness
from ominus.contract.verify import NotVerified, verify

Any3 = Reducer[Any, Any, Any]
TOTAL: Any3 = Reducer(0, lambda a, v: a + v, lambda a, v: a - v)
WRONG: Any3 = TOTAL.replace(remove=lambda a, v: a - abs(v))


def unproved(monkeypatch: pytest.MonkeyPatch, prove: Any = None) -> None:
    monkeypatch.setattr(module, "_prover", lambda: prove)


def test_it_asks_what_applies(monkeypatch: pytest.MonkeyPatch) -> None:
    unproved(monkeypatch)
    add_only: Any3 = Reducer(0, max)
    assert list(verify(add_only, int)) == ["add_commutes"]
    assert set(verify(TOTAL, int)) == {
        "add_commutes",
        "inverse",
        "remove_commutes",
        "remove_add_commute",
    }
    whole = TOTAL.replace(merge=lambda a, b: a + b, same=lambda a, b: a == b)
    assert set(verify(whole, int)) == set(LAWS)


def test_what_follows_is_not_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    unproved(monkeypatch)
    found = verify(TOTAL, int)
    asked = [found[law] for law in ("add_commutes", "inverse")]
    assert all(isinstance(v, Checked) for v in asked)
    assert found["remove_commutes"] == Checked(min(v.examples for v in asked))
    broken = verify(WRONG, int)
    assert isinstance(broken["remove_commutes"], Unknown) and not broken.ok


def test_a_law_is_asked_by_name() -> None:
    assert list(verify(WRONG, int, laws=["add_commutes"])) == ["add_commutes"]
    assert not verify(WRONG, int, laws=["add_commutes"]).ok  # inverse was not asked
    forgets: Any3 = Reducer((), lambda a, v: (*a, v), lambda a, v: a[:-1])
    assert isinstance(
        verify(forgets, int, laws=["remove_add_commute"])["remove_add_commute"], Refuted
    )
    with pytest.raises(ValueError, match="no law is called 'inverses'"):
        verify(TOTAL, int, laws=["inverses"])


def test_without_values_it_warns_and_skips() -> None:
    with pytest.warns(NotVerified, match="no values: give values="):
        found = verify(TOTAL)
    assert set(map(type, found.values())) == {Unknown} and not found.ok


def test_with_values_it_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert verify(TOTAL.replace(values=int)).ok
        assert verify(TOTAL, [1, 2, 3]).ok
        assert verify(TOTAL, st.integers()).ok


def test_a_partial_remove_is_right_where_it_answers() -> None:
    low: Any3 = Reducer(
        None, lambda a, v: v if a is None else min(a, v), lambda a, v: a if v > a else RECOMPUTE
    )
    assert verify(low, int).ok
    assert not verify(low.replace(remove=lambda a, v: a if v >= a else RECOMPUTE), int).ok
    assert verify(low.replace(remove=lambda a, v: RECOMPUTE), int).ok


def test_combinators_are_reducers_like_any() -> None:
    assert verify(r.record(total=TOTAL, n=r.count()), int).ok
    assert not verify(r.record(total=WRONG, n=r.count()), int).ok
    assert verify(r.group(lambda v: v % 2, TOTAL), int).ok
    assert not verify(r.group(lambda v: v % 2, WRONG), int).ok


def test_floats_that_are_added_are_refuted_by_a_pair_and_offered_the_exact_sum() -> None:
    for init in (0, 0.0):
        for law in ("inverse", "add_commutes"):
            found = verify(TOTAL.replace(init=init), float)[law]
            assert isinstance(found, Refuted) and "r.sum()" in found.witness.todo
            assert len(found.witness.values) + len(found.witness.given) <= 3
    assert verify(r.sum(), float).ok


def test_samples_are_all_that_is_drawn() -> None:
    clamp: Any3 = Reducer(0, lambda a, v: a + v, lambda a, v: max(0, a - v))
    assert verify(clamp, [0, 1, 5]).ok and verify(clamp, st.integers(0)).ok
    assert not verify(clamp, int).ok


def test_it_never_takes_much_longer_than_it_may() -> None:
    def slow(a: int, v: int) -> int:
        time.sleep(0.01)
        return a + v

    started = time.monotonic()
    verify(Reducer(0, slow, lambda a, v: a - v), int, seconds=0.3)
    assert time.monotonic() - started < 20


def test_a_state_that_doubles_with_each_value_does_not_hang_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unproved(monkeypatch)
    started = time.monotonic()
    squared: Any3 = Reducer(2, lambda a, v: a * a, lambda a, v: isqrt(a))
    assert not verify(squared, int, seconds=0.3).refuted
    assert time.monotonic() - started < 60


def test_the_same_question_has_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    unproved(monkeypatch)
    rare: Any3 = TOTAL.replace(remove=lambda a, v: a - v + (a * v == 35))
    assert verify(rare, int, seconds=60) == verify(rare, int, seconds=60)
    assert verify(TOTAL, int, seconds=60) == verify(TOTAL, int, seconds=60)


# With a solver.


def test_a_proof_is_taken_and_stops_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, Any]] = []

    class StandIn:
        def __init__(self, reducer: Any3, kind: Any) -> None:
            self.kind = kind

        def prove(self, law: str, *, seconds: float) -> Proved:
            asked.append((law, self.kind))
            return Proved("by a stand-in")

    unproved(monkeypatch, StandIn)
    found = verify(TOTAL, int)
    assert found.ok and set(map(type, found.values())) == {Proved}
    assert asked == [("add_commutes", int), ("inverse", int)]
    assert "follows" in str(found["remove_commutes"])
    verify(TOTAL, [1, 2])
    assert len(asked) == 4  # what holds of all ints holds of these
    verify(Reducer(0, lambda a, v: a + 1), [1, None])
    assert len(asked) == 4  # nobody knows a type of these


def answering(answer: Verdict) -> Any:
    class StandIn:
        def __init__(self, reducer: Any3, kind: Any) -> None: ...

        def prove(self, law: str, *, seconds: float) -> Verdict:
            return answer

    return StandIn


def test_what_the_solver_does_not_know_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    unproved(monkeypatch, answering(Unknown("opaque")))
    assert {type(v) for v in verify(TOTAL, int).values()} == {Checked}


def test_a_case_of_the_solver_is_run_before_it_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    far: Any3 = TOTAL.replace(remove=lambda a, v: a - v + (v * v == 5041 * 10**8))
    case = Witness((), (710_000,), None, None, "", "")
    unproved(monkeypatch, answering(Refuted("inverse", case)))
    found = verify(far, int)["inverse"]
    assert isinstance(found, Refuted) and abs(found.witness.given[0]) == 710_000
    assert {type(v) for v in verify(TOTAL, int).values()} == {Checked}
    assert verify(far, [1, 2]).ok  # the case is none of the samples


def test_a_function_that_raises_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    unproved(monkeypatch, answering(Proved()))
    shares: Any3 = Reducer(0, lambda a, v: a + 6 // v, lambda a, v: a - 6 // v)
    assert isinstance(verify(shares, int)["inverse"], Unknown)
    assert verify(shares, st.integers(1, 9)).ok


# Without what may not be installed.

ALONE = """
import sys
for name in ("hypothesis", "z3"):
    sys.modules[name] = None
from ominus.algebra.reducer import Reducer
from ominus.contract.verify import verify
total = Reducer(0, lambda a, v: a + v, lambda a, v: a - v)
print(verify(total, int).ok, verify(total.replace(remove=lambda a, v: a), int).ok)
"""


def test_it_works_without_hypothesis_and_without_a_solver() -> None:
    source = Path(module.__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", ALONE],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(source)},
        check=False,
    )
    assert run.stdout.split() == ["True", "False"], run.stderr


def test_verdicts_say_which_reducer() -> None:
    assert verify(r.count(), int).reducer == "count()"
    assert isinstance(verify(r.count(), int), Verdicts)


def test_a_state_that_grows_without_end_is_let_go():
    squares = Reducer(2, lambda a, v: a * a, lambda a, v: isqrt(a))
    sizes: list[int] = []

    def remembered(a: int, v: int) -> int:
        sizes.append(a.bit_length())
        return a * a

    verify(squares, int)
    verify(Reducer(2, remembered, lambda a, v: isqrt(a)), int)
    assert max(sizes) <= 200_000
