"""What an operation is to the solver is what it is to Python: run on values, edges included."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest

pytest.importorskip("z3")

import z3

from ominus.algebra.order import order
from ominus.algebra.reducer import Reducer
from ominus.algebra.value import canon, one
from ominus.contract.prove import prove
from ominus.contract.prove.concrete import concrete, unescaped
from ominus.contract.prove.hooks import Hooks
from ominus.contract.prove.smt import Reading
from ominus.contract.prove.terms import both, either, equal, fresh, lift, text
from ominus.contract.verdict import Proved
from ominus.trace.hints import type_of
from ominus.trace.trace import Traced, trace

INTS = [-(10**20), -7, -3, -2, -1, 0, 1, 2, 3, 5, 8, 10**20]
BOOLS = [False, True]
WORDS = ["", "a", "ab", "ba", "aab", "é", "\U0001f600", "\\u{61}", "a\x00", "Z"]
DAYS = [date(1, 1, 1), date(2024, 2, 29), date(9999, 12, 31)]


class Size(Enum):
    SMALL = "s"
    LARGE = "l"


@dataclass(frozen=True)
class Row:
    n: int
    word: str
    paid: bool


class Pair(NamedTuple):
    x: int
    y: int


def early(a: int, b: int) -> int:
    if a < 0:
        return -a
    if b == 0 or a // b > 2:
        return b
    return a * b


def match(a: int) -> str:
    match a:
        case 0:
            return "none"
        case 1 | 2:
            return "few"
    return "many"


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "floor": (lambda a, b: a // b, (int, int)),
    "modulo": (lambda a, b: a % b, (int, int)),
    "modulo 7": (lambda a: (a % 7, a % -7, a // 7, a // -7), (int,)),
    "floor of a product": (lambda a, b: (a * b) // b, (int, int)),
    "arithmetic": (lambda a, b: a * 3 - b + abs(a) - (-b), (int, int)),
    "booleans count": (lambda a, b: a + b + True, (bool, int)),
    "powers": (lambda a: (a**2, a**3, a << 3, a >> 2, ~a), (int,)),
    "comparisons": (lambda a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b), (int, int)),
    "bools compared": (lambda a, b: (a < b, a == b, a & b, a | b, a ^ b), (bool, bool)),
    "a chain": (lambda a, b: 0 < a <= b < 10, (int, int)),
    "extremes": (lambda a, b: (min(a, b), max(a, b, 2)), (int, int)),
    "among": (lambda a: a in (1, 2, 3), (int,)),
    "early returns": (early, (int, int)),
    "match": (match, (int,)),
    "words": (lambda a, b: (a + b, len(a + b), a in b, a < b, a <= b, a == b), (str, str)),
    "smaller word": (lambda a, b: (min(a, b), max(a, b)), (str, str)),
    "starts and ends": (lambda a, b: (a.startswith(b), a.endswith(b), a.find(b)), (str, str)),
    "item": (lambda a, i: a[i], (str, int)),
    "slices": (lambda a, i, j: (a[i:j], a[i:], a[:j], a[:]), (str, int, int)),
    "strings of strings": (lambda a, b: f"{a}-{b}", (str, str)),
    "word among": (lambda a: a in ("a", "é"), (str,)),
    "optional": (lambda a, b: b if a is None else a + b, (int | None, int)),
    "either type": (lambda a: a if isinstance(a, str) else a + 1, (int | str,)),
    "row": (lambda r: (r.n + 1, r.word if r.paid else ""), (Row,)),
    "a row again": (lambda p: Pair(p.y, p.x), (Pair,)),
    "day": (lambda a, b: (a < b, a == b, min(a, b)), (date, date)),
    "a member": (lambda a: a is Size.SMALL or a == Size.LARGE, (Size,)),
    "kept": (lambda a: canon(a), (int | str | None,)),
    "ordered": (lambda a: order(a), (int,)),
    "ordered word": (lambda a: order(a), (str,)),
    "ordered day": (lambda a: order(a), (date,)),
}

VALUES: dict[Any, list[Any]] = {
    int: INTS,
    bool: BOOLS,
    str: WORDS,
    int | None: [*INTS, None],
    int | str: [*INTS, *WORDS],
    int | str | None: [*INTS, *WORDS, None],
    Row: [Row(n, w, p) for n, w, p in zip(INTS, WORDS, BOOLS * 6, strict=False)],
    Pair: [Pair(a, b) for a, b in pairwise(INTS)],
    date: DAYS,
    Size: list(Size),
}


def shown(term: Any, *known: Any) -> bool:
    """Whether a term is true where these are, which settle it."""
    solver = z3.Solver()
    solver.add(*known)
    answers = [solver.check(side) == z3.sat for side in (term, z3.Not(term))]
    assert answers[0] is not answers[1], term
    return bool(answers[0])


def some(types: tuple[Any, ...], most: int = 150) -> list[tuple[Any, ...]]:
    every = list(product(*(VALUES[t] for t in types)))
    return every if len(every) <= most else random.Random(5).sample(every, most)


@pytest.mark.parametrize("name", CASES)
def test_the_terms_of_a_function_give_what_python_gives(name: str) -> None:
    f, types = CASES[name]
    traced = trace(f, *types, constructors=Hooks())
    assert isinstance(traced, Traced), traced
    given = [fresh(type_of(t), f"x{i}") for i, t in enumerate(types)]
    for args in some(types):
        # Variables that are known to be these values: constants would be computed on the way.
        known = [equal(value, lift(a)) for (value, _), a in zip(given, args, strict=True)]
        reading = Reading([value for value, _ in given])
        raised = either(*(reading.raised(r) for r in traced.raises))
        try:
            expected = f(*args)
        except (ArithmeticError, IndexError):
            assert shown(raised, *known), args
            continue
        assert not shown(raised, *known), args
        found = reading.value(traced.expr)
        assert shown(equal(found, lift(expected)), *known), args


def test_any_value_of_a_type_is_one_of_it() -> None:
    for kind in VALUES:
        value, known = fresh(type_of(kind), "v")
        for given in VALUES[kind]:
            solver = z3.Solver()
            solver.add(*known, equal(value, lift(given)))
            assert solver.check() == z3.sat, given
            assert one(concrete(value, solver.model()), given)


def test_values_of_two_types_are_never_equal() -> None:
    for a, b in product([0, False, None, "", 0.0, (0,), [0], Pair(0, 0)], repeat=2):
        assert shown(equal(lift(a), lift(b))) is one(a, b) or type(a) is type(b) is float


def test_a_string_is_not_read_as_an_escape() -> None:
    for word in WORDS:
        assert unescaped(z3.simplify(text(word)).as_string()) == word
        assert shown(z3.Length(text(word)) == len(word))


def test_what_is_not_known_is_a_function_of_its_arguments_and_of_nothing_else() -> None:
    traced = trace(lambda a: (a.upper(), a.upper(), a.lower()), str)
    assert isinstance(traced, Traced)
    value, _ = fresh(str, "v")
    once, again, other = Reading([value]).value(traced.expr).items  # type: ignore[union-attr]
    assert shown(equal(once, again))
    solver = z3.Solver()
    solver.add(z3.Not(equal(once, other)))
    assert solver.check() == z3.sat


def test_arguments_in_another_place_are_other_arguments() -> None:
    traced = trace(lambda a: (a - 0.5, 0.5 - a), float)
    assert isinstance(traced, Traced)
    value, _ = fresh(float, "v")
    left, right = Reading([value]).value(traced.expr).items  # type: ignore[union-attr]
    solver = z3.Solver()
    solver.add(z3.Not(both(equal(left, right))))
    assert solver.check() == z3.sat


def test_nothing_is_proved_about_the_last_character_that_the_solver_has() -> None:
    def beyond(v: str) -> bool:
        return v > "\U0002ffff" and not v.startswith("\U0002ffff")

    wrong: Reducer[int, str, int] = Reducer(
        0, lambda a, v: a + 1, lambda a, v: a - (2 if beyond(v) else 1)
    )
    assert wrong.update(wrong.fold(["\U00030000"]), removed=["\U00030000"]) != 0
    assert not isinstance(prove(wrong, "inverse", str, seconds=2), Proved)
