"""Values of every kind, random histories of them, and what must hold after each step of one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from ominus.algebra.multiset import Multiset
from ominus.algebra.record import record
from ominus.algebra.reducer import RECOMPUTE
from ominus.algebra.value import ident

NAN, INF = float("nan"), float("inf")


class Silent:
    """Equal by its number, although each copy prints as another."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Silent) and self.number == other.number

    def __hash__(self) -> int:
        return hash(("Silent", self.number))


class Lookalike(Silent):
    """Prints as all of its like do, and two are still two."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lookalike) and self.number == other.number

    def __hash__(self) -> int:
        return hash(("Lookalike", self.number))

    def __repr__(self) -> str:
        return "Lookalike()"


class Crowded(Lookalike):
    """Has the hash that all of its like have."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Crowded) and self.number == other.number

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return f"Crowded({self.number})"


INTS = [*range(-6, 7), 2**70, -(10**400)]
FLOATS = [0.0, -0.0, 0.1, -0.1, 1.0, 2.5, 1e308, -1e308, 5e-324, INF, -INF, NAN, 1e16]
NUMBERS = [*INTS[:-1], *FLOATS, Fraction(1, 3), Decimal("1.0"), Decimal("1.00"), Decimal("NaN")]
WORDS = ["", "a", "b", "ab", "ß", "z" * 50]
MIXED = [
    *(None, True, False, 1, 1.0, Decimal(1), Fraction(1), 0, 0.0, -0.0, NAN, 10**400, INF),
    *("a", "", b"a", bytearray(b"a"), date(2020, 1, 1), datetime(2020, 1, 1)),
    *((), (1,), (1.0,), [1], [1, "x"], {1, 2}, frozenset({1}), {"a": 1}, {"a": [1], "b": 0.5}),
    *(record(a=1), record(a=1.0), record(b=None), Multiset([1, 1])),
]
OUTSIDE = [Silent(1), Silent(2), Lookalike(1), Lookalike(2), Lookalike(3), 1j, range(3), (1, 2j)]
CROWD = [Crowded(1), Crowded(2), Crowded(3)]
ALL = [*MIXED, *OUTSIDE, *CROWD]
ROWS = [{"id": i % 5, "at": at} for i, at in enumerate([1, 1.0, 2, NAN, True, -0.0, 0, "x", 3, 3])]


def fresh(value: Any) -> Any:
    """Another object that is the same value, where it is one of those that print by address."""
    return type(value)(value.number) if isinstance(value, Silent) else value


def walk(
    reducer: Any, pool: list[Any], *, seed: int, steps: int
) -> Iterator[tuple[Any, list[Any]]]:
    """The states of a random history, each with the values that are there."""
    random = Random(seed)
    there: list[Any] = []
    state = reducer.start()
    for _ in range(steps):
        if there and random.random() < 0.45:
            gone = there.pop(random.randrange(len(there)))
            state = reducer.remover(state, fresh(gone))
            if state is RECOMPUTE:
                state = reducer.fold(there)
        else:
            there.append(fresh(random.choice(pool)))
            state = reducer.adder(state, there[-1])
        yield state, list(there)


def shown(result: Any) -> Any:
    """A result so that it is equal only where the values are one, and of one type."""
    return type(result), ident(result)


def check_walks(reducer: Any, pool: list[Any], *, walks: int = 6, steps: int = 60) -> None:
    """Hold random histories to the fold of what is there, in another order, at every step."""
    for seed in range(walks):
        random = Random(f"other order {seed}")
        kept = []
        for state, there in walk(reducer, pool, seed=seed, steps=steps):
            rest = random.sample(there, len(there))
            other = reducer.fold(rest)
            result = shown(reducer.read(state))
            assert reducer.equal(state, other), (there, state, other)
            assert result == shown(reducer.read(other)), there
            check_merge(reducer, rest, state, cut=random.randint(0, len(rest)))
            kept.append((state, result))
        assert [shown(reducer.read(state)) for state, _ in kept] == [result for _, result in kept]


def check_merge(reducer: Any, values: list[Any], whole: Any, *, cut: int) -> None:
    if reducer.merge is not None:
        merged = reducer.merge(reducer.fold(values[:cut]), reducer.fold(values[cut:]))
        assert reducer.equal(merged, whole)
        assert shown(reducer.read(merged)) == shown(reducer.read(whole))
