"""Every false reducer is refuted, of the law that it breaks, by a small case that can be run."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from false_reducers import LIES, Lie
from ominus.contract.verdict import Raised, Refuted, Witness
from ominus.contract.verify import verify
from test_classic_lies import LIES as CLASSIC

SAMPLED = {
    name: Lie(r, values, min(laws), small=4 if "three" in name else 3)
    for name, (r, values, laws) in CLASSIC.items()
}
ALL = LIES | SAMPLED
FAR = {1e16, 1e100, -1e100}
"""Only floats so far away show how they round."""
BEHIND = {name for name in ALL if "does not say so" in name or "same list each time" in name}


def size(witness: Witness) -> int:
    """How many values a witness has."""
    return len(witness.values) + sum(
        len(given) if isinstance(given, list) else 1 for given in witness.given
    )


@pytest.mark.parametrize("name", ALL)
def test_it_is_refuted_of_the_law_that_it_breaks(name: str) -> None:
    lie = ALL[name]
    verdicts = verify(lie.reducer, lie.values)
    found = verdicts[lie.breaks]
    assert isinstance(found, Refuted), verdicts
    assert not verdicts.ok
    assert size(found.witness) <= lie.small
    assert all(abs(n) <= 1000 or n in FAR for n in numbers(found.witness))
    assert found.witness.todo


def numbers(witness: Witness) -> list[float]:
    """Every number in a witness."""
    found, queue = [], [*witness.values, *witness.given]
    for part in queue:
        if isinstance(part, list | tuple):
            queue += part
        elif isinstance(part, int | float):
            found.append(part)
    return found


@pytest.mark.parametrize("name", sorted(ALL.keys() - BEHIND))
def test_its_witness_can_be_run_again(name: str) -> None:
    lie = ALL[name]
    for found in verify(lie.reducer, lie.values).refuted:
        witness = found.witness
        names = {"reducer": lie.reducer, **vars(__import__("false_reducers"))}
        names |= {"datetime": __import__("datetime"), "nan": float("nan")}
        left, right = (run(text, names) for text in (witness.call, witness.expected))
        assert repr(left) == repr(witness.left)
        assert repr(right) == repr(witness.right)
        assert isinstance(left, Raised) or isinstance(right, Raised) or repr(left) != repr(right)


def run(text: str, names: dict[str, Any]) -> Any:
    if "<Size" in text:
        text = text.replace("<Size.L: 'l'>", "Size.L")
    try:
        return copy.deepcopy(eval(text, names))
    except Exception as error:
        return Raised(f"{type(error).__name__}: {error}")


def test_there_are_at_least_forty_of_them() -> None:
    assert len(LIES) >= 40
    assert {lie.breaks for lie in ALL.values()} == {
        "add_commutes",
        "inverse",
        "distributive",
        "same_respected",
    }


def test_a_changed_state_leaves_the_users_start_as_it_was() -> None:
    lie = LIES["a list that is appended to, and does not say so"]
    verify(lie.reducer, lie.values)
    assert lie.reducer.init == []
