"""Changes as they go in and come out."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from ominus.algebra.change import ABSENT, Change, Delete, GroupChange, Insert, Update, Upsert
from ominus.algebra.multiset import Multiset
from ominus.algebra.value import one


def test_an_update_has_a_new_row_and_perhaps_an_old_one() -> None:
    assert (Update(1, 2).old, Update(1, 2).new) == (1, 2)
    assert (Update(2).old, Update(2).new) == (ABSENT, 2)
    assert Update(old=1, new=2) == Update(1, 2)
    assert Update(new=2) == Update(2)
    assert Update(None, None).old is None


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ((), {}),
        ((1, 2, 3), {}),
        ((), {"old": 1}),
        ((2,), {"old": 1}),
        ((2,), {"new": 1}),
        ((1, 2), {"new": 3}),
        ((1, 2), {"old": 3}),
    ],
)
def test_an_update_that_cannot_be_meant_is_refused(rows: Any, named: Any) -> None:
    with pytest.raises(TypeError, match="Update\\(old, new\\), or Update\\(new\\)"):
        Update(*rows, **named)


def test_an_update_prints_as_it_is_written() -> None:
    assert repr(Update(1, 2)) == "Update(1, 2)"
    assert repr(Update("x", key=3, sequence=0)) == "Update('x', key=3, sequence=0)"


CHANGES: list[Any] = [
    Insert({"a": 1}),
    Insert(None, key=(), sequence=None),
    Delete(1),
    Delete(key=1),
    Update(1, 2),
    Update([2], key=None),
    Upsert(1, sequence=2),
    Change("k", ABSENT, 1),
    Change("k", 1, None),
    GroupChange("k", Multiset([1]), Multiset()),
]


@pytest.mark.parametrize("change", CHANGES, ids=repr)
def test_changes_are_values(change: Any) -> None:
    for again in (pickle.loads(pickle.dumps(change)), copy.deepcopy(change)):
        assert again == change
        assert one(again, change)
    assert [c for c in CHANGES if c == change] == [change]
    with pytest.raises(AttributeError):
        change.key = 0


def test_absent_is_no_value_and_never_none() -> None:
    assert not ABSENT
    assert ABSENT is not None
    assert repr(ABSENT) == "ABSENT"
    assert copy.deepcopy(ABSENT) is pickle.loads(pickle.dumps(ABSENT)) is ABSENT
    assert Insert(None).new is None
    assert not one(ABSENT, None)
