"""Nothing false is proved, nothing right is refuted: the corpora, and reducers made at random."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import strategies as st

from false_reducers import LIES
from right_reducers import RIGHT

pytest.importorskip("z3")

from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.contract.prove import prover
from ominus.contract.verdict import Proved, Refuted, Witness
from ominus.contract.witness import look

STEPS = 2_000_000
TYPED_LIES = [n for n, x in LIES.items() if not isinstance(x.values, st.SearchStrategy)]
TYPED_RIGHT = [n for n, x in RIGHT.items() if not isinstance(x.values, st.SearchStrategy)]


@cache
def verdicts(corpus: str, name: str) -> dict[str, Any]:
    one = (LIES if corpus == "lies" else RIGHT)[name]
    return asked(one.reducer, one.values)


def asked(reducer: Any, kind: Any, limit: int = STEPS) -> dict[str, Any]:
    found = prover(reducer, kind, steps=limit)
    assert found is not None
    return {n: found.prove(n, seconds=60) for n, law in LAWS.items() if law.asks(reducer)}


@pytest.mark.parametrize("name", TYPED_LIES)
def test_a_false_reducer_is_never_proved(name: str) -> None:
    found = verdicts("lies", name)[LIES[name].breaks]
    assert not isinstance(found, Proved), found


@pytest.mark.parametrize("name", TYPED_RIGHT)
def test_a_right_reducer_is_never_refuted(name: str) -> None:
    assert [str(v) for v in verdicts("right", name).values() if isinstance(v, Refuted)] == []


def test_most_of_both_are_decided() -> None:
    refuted = [n for n in TYPED_LIES if isinstance(verdicts("lies", n)[LIES[n].breaks], Refuted)]
    makes = {"add_commutes", "inverse"}
    proved = [
        n for n in TYPED_RIGHT
        if all(isinstance(v, Proved) for law, v in verdicts("right", n).items() if law in makes)
    ]  # fmt: skip
    assert (len(refuted), len(proved)) >= (38, 30)


@pytest.mark.parametrize("name", TYPED_LIES)
def test_a_witness_breaks_the_law_when_it_is_run_again(name: str) -> None:
    for law, found in verdicts("lies", name).items():
        if isinstance(found, Refuted):
            case = (list(found.witness.values), *found.witness.given)
            assert isinstance(look(LIES[name].reducer, LAWS[law], case), Witness)


# ---- reducers made at random: proved is what holds, refuted is what was run


def term(draw: random.Random, names: list[str], depth: int = 2) -> str:
    if depth == 0 or draw.random() < 0.25:
        return draw.choice([*names, *names, "0", "1", "2", "-1", "3"])
    x, y = term(draw, names, depth - 1), term(draw, names, depth - 1)
    return draw.choice(
        [
            f"({x} + {y})",
            f"({x} - {y})",
            f"({x} * {y})",
            f"({x} // 2)",
            f"({x} % 3)",
            f"min({x}, {y})",
            f"max({x}, {y})",
            f"abs({x})",
            f"({x} if {y} > 0 else {term(draw, names, 0)})",
            f"({x} // {y})",
        ]
    )


def twisted(draw: random.Random, text: str) -> str:
    """Most often the same, sometimes something near."""
    return text if draw.random() < 0.6 else term(draw, [text], 1)


ATOMS: dict[Any, list[str]] = {
    int: ["v"],
    bool: ["v", "(not v)", "(v or 2)"],
    int | None: ["(0 if v is None else v)", "(v is None)", "(v or 1)"],
    str: [
        "len(v)",
        "v.find('a')",
        "v.count('a')",
        "(v < 'b')",
        "v.startswith('a')",
        "len(v[1:])",
        "(v[0] == 'a')",
        "len(v.upper() + v)",
    ],
    float: ["(v > 0.5)", "round(v)", "int(v * 2)", "(v == v)", "(v + 0.1 == 0.3)"],
    tuple[int, str]: ["v[0]", "len(v[1])", "(v[1] != 'a')"],
}
POOLS: dict[Any, list[Any]] = {
    int: [-7, -3, -2, -1, 0, 0, 1, 1, 2, 3, 5, 10, 10**9],
    bool: [False, True],
    int | None: [None, None, -2, -1, 0, 1, 2, 3],
    str: ["", "a", "b", "ab", "ba", "aab", "c", "\U0001f600"],
    float: [0.0, -0.0, 0.1, 0.2, 0.5, 0.75, 1.5, -2.5, 1e16, float("nan"), float("inf")],
    tuple[int, str]: [(0, "a"), (1, ""), (1, "b"), (-2, "ab"), (3, "a")],
}


def one_number(draw: random.Random, atoms: list[str]) -> tuple[Any, str, str]:
    added = term(draw, atoms)
    kind = draw.randrange(4)
    if kind == 0:
        return 0, f"a + {added}", f"a - {twisted(draw, added)}"
    if kind == 1:
        return (
            None,
            f"{added} if a is None else min(a, {added})",
            (f"a if {twisted(draw, added)} > a else RECOMPUTE"),
        )
    if kind == 2:
        when = f"{term(draw, atoms, 1)} > 0"
        return 0, f"a + {added} if {when} else a", f"a - {added} if {twisted(draw, when)} else a"
    return draw.choice([0, 1]), term(draw, ["a", *atoms]), term(draw, ["a", *atoms])


def two_numbers(draw: random.Random, atoms: list[str]) -> tuple[Any, str, str]:
    one, other = term(draw, atoms), draw.choice(["1", term(draw, atoms)])
    back, back_too = twisted(draw, one), twisted(draw, other)
    clears = draw.choice(["", f" if a[1] {draw.choice(['>', '>=', '!='])} 1 else (0, 0)"])
    mixed = draw.choice(["", "", f" + a[1] * {draw.choice(atoms)}"])
    return (
        (0, 0),
        f"(a[0] + {one}{mixed}, a[1] + {other})",
        (f"(a[0] - {back}{mixed}, a[1] - {back_too}){clears}"),
    )


def made(seed: int, kind: Any) -> tuple[str, Reducer[Any, Any, Any]]:
    draw = random.Random(seed)
    init, add, remove = draw.choice([one_number, two_numbers])(draw, ATOMS[kind])
    text = f"init={init!r}, add=lambda a, v: {add}, remove=lambda a, v: {remove}"
    scope = {"RECOMPUTE": RECOMPUTE}
    f, g = (eval(f"lambda a, v: {body}", scope) for body in (add, remove))
    return text, Reducer(init, f, g)


def broken(reducer: Reducer[Any, Any, Any], law: str, pool: list[Any], cases: int = 250) -> Any:
    draw = random.Random(law)
    for _ in range(cases):
        m = [draw.choice(pool) for _ in range(draw.choice([0, 0, 1, 1, 2, 3, 5]))]
        if law.startswith("remove") and not m:
            continue
        picked = m if law.startswith("remove") else [*m, *pool]
        u, v = draw.choice(picked), draw.choice(pool if law == "remove_add_commute" else picked)
        found = look(reducer, LAWS[law], (m, u, v)[: 1 + LAWS[law].arity])
        if isinstance(found, Witness):
            return found
    return None


BLOCKS = [(int, 1), (int, 2), *((kind, 0) for kind in ATOMS)]


@pytest.mark.parametrize(("kind", "block"), BLOCKS)
def test_what_is_proved_of_a_random_reducer_holds_when_it_is_run(kind: Any, block: int) -> None:
    proved = refuted = 0
    for seed in range(block * 30, block * 30 + 30):
        text, reducer = made(seed, kind)
        for law, found in asked(reducer, kind, 100_000).items():
            if isinstance(found, Proved):
                proved += 1
                assert broken(reducer, law, POOLS[kind]) is None, (seed, text, law, found)
            refuted += isinstance(found, Refuted)
    assert proved > 5 and refuted > 5
