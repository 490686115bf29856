"""Integers among reals: what no reals satisfy, no integers do; anything else is left as it is."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("z3")

import z3

from ominus.contract.prove.reals import of_reals
from ominus.contract.prove.solve import Budget

N, M, X, P = z3.Int("n"), z3.Int("m"), z3.Real("x"), z3.Bool("p")


def test_a_question_that_mixes_both_is_one_of_reals() -> None:
    (found,) = of_reals([z3.And(z3.ToReal(N) * X >= 1, N + 1 == M, P == (N > 2))]) or [None]
    assert "ToReal" not in found.sexpr() and "n as a real" in found.sexpr()


@pytest.mark.parametrize(
    "term",
    [N + 1 == M, z3.ToReal(N / 2) == X, z3.ToReal(N % 3) == X, z3.ToInt(X) == N],
    ids=["only ints", "floor", "modulo", "rounded"],
)
def test_what_reals_do_not_have_is_left_as_it_is(term: object) -> None:
    assert of_reals([term]) is None


def test_a_point_of_integers_satisfies_both_or_neither() -> None:
    draw = random.Random(3)
    terms = [
        z3.If(N >= 1, X / z3.ToReal(N), X) + z3.ToReal(M) * z3.ToReal(M) - 2,
        -X + z3.ToReal(3 * N - M),
    ]
    for _ in range(200):
        n, m, k = (draw.randrange(-3, 4) for _ in range(3))
        left, right = draw.choice(terms), z3.RealVal(draw.randrange(-3, 4))
        signs = [left <= right, left >= right, left == right, left != right, left < right]
        test = draw.choice(signs)
        asked = [test, N == n, M == m, X == z3.Q(k, 2)]
        over_reals = z3.Solver()
        over_reals.add(*(of_reals(asked) or []))
        over_ints = z3.Solver()
        over_ints.add(*asked)
        assert over_ints.check() == over_reals.check()


def test_integers_that_only_reals_lie_between_are_not_lost() -> None:
    half = [z3.ToReal(N) * 2 == X, X == 1]
    assert Budget(10).ask(half)[0] == "unsat"
    assert Budget(10).ask([z3.ToReal(N) * 2 == X, X == 2])[0] == "sat"
