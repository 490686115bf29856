"""Look for a case that breaks a law: all small ones, then any at random; and make it smaller.

The search ends at its time limit, asked at each step: one call of the user's that never returns
cannot be helped.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from ominus.algebra.laws import Law
from ominus.algebra.reducer import Reducer
from ominus.contract.bounded import GaveUp, bounded
from ominus.contract.cases import Case, Values, magnitude, random_case, small_cases
from ominus.contract.floats import is_endless
from ominus.contract.repair import differ_only_in_type
from ominus.contract.verdict import Checked, Refuted, Unknown, Witness
from ominus.contract.witness import Outside, look

AnyReducer = Reducer[Any, Any, Any]
SEED = 7


@dataclass
class Search:
    """One search for a case that breaks one law of one reducer."""

    reducer: AnyReducer
    law: Law
    values: Values
    until: float
    examples: int = 0
    outside: Outside | None = None
    second_best: Case | None = None
    """The first case with endless numbers, or whose sides are equal and yet two values."""

    def __post_init__(self) -> None:
        # Telling and shrinking may go on a little after the time is over.
        self.reducer = bounded(self.reducer, lambda: self.until + 1.0)

    def _look(self, case: Case) -> Any:
        try:
            return look(self.reducer, self.law, case)
        except GaveUp:
            return None

    def small(self) -> Refuted | None:
        """Every small case: what breaks first is smallest."""
        found = self._first(small_cases(self.law, self.values), self.until - 0.6 * self.left())
        case = found or self.second_best
        return None if case is None else self._told(case)

    def at_random(self, examples: int) -> Refuted | None:
        """Random cases, short ones first, made smaller where one breaks the law."""
        cases = self._drawn(examples)
        # A state that doubles with each value has taken the time before it takes an hour.
        cases.sort(key=lambda case: len(case[0]))
        case = self._first(cases, self.until) or self.second_best
        return None if case is None else self.refuted(case)

    def _drawn(self, examples: int) -> list[Case]:
        rng, until = Random(SEED), self.until - 0.8 * self.left()
        cases: list[Case] = []
        while len(cases) < examples and time.monotonic() < until:
            cases.append(random_case(self.law, self.values, rng))
        return cases

    def _first(self, cases: Iterable[Case], until: float) -> Case | None:
        for case in cases:
            if time.monotonic() > until:
                break
            if self.breaks(case):
                return case
        return None

    def left(self) -> float:
        """How many seconds are left."""
        return max(0.0, self.until - time.monotonic())

    def over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.until

    def breaks(self, case: Case) -> bool:
        """Whether a case breaks the law; a second-best one is only remembered."""
        found = self._look(case)
        self.examples += 1
        if isinstance(found, Outside):
            self.outside = self.outside or found
        if not isinstance(found, Witness):
            return False
        if is_endless(case) or differ_only_in_type(found.left, found.right):
            self.second_best = self.second_best or case
            return False
        return True

    def refuted(self, case: Case) -> Refuted:
        """The refutation by a case, made as small as it can be."""
        return self._told(self._smallest(case))

    def _told(self, case: Case) -> Refuted:
        found = look(self.reducer, self.law, case)
        assert isinstance(found, Witness), "the case broke the law before"
        return Refuted(self.law.name, found)

    def _smallest(self, case: Case) -> Case:
        def fails(smaller: Case) -> bool:
            return isinstance(self._look(smaller), Witness)

        # Making a case smaller may take as long again as finding it was allowed to take.
        until = max(self.until, time.monotonic() + 0.5)
        found: Case | None = case
        while found is not None and time.monotonic() < until:
            case = found
            found = next(
                (
                    c
                    for c in smaller_cases(case, self.values)
                    if time.monotonic() < until and fails(c)
                ),
                None,
            )
        return case

    def verdict(self) -> Checked | Unknown:
        """What is known where nothing was found."""
        if self.outside is not None:
            return Unknown(
                f"{self.outside.why}: say by values=... which values there are, or let the reducer "
                "take these"
            )
        return Checked(self.examples)


def cost(case: Case) -> tuple[int, float, int]:
    """How small a case is: how many values, then how simple they are."""
    flat = [v for part in case for v in (part if isinstance(part, list) else [part])]
    sizes = [magnitude(v) for v in flat]
    return len(flat), sum(s for s, _, _ in sizes), sum(n for _, n, _ in sizes)


def smaller_cases(case: Case, values: Values) -> Iterator[Case]:
    """Smaller neighbours: without some values, with simpler ones, with two that are one."""
    now = cost(case)
    for some in (_without_some(case), _simpler(case, values), _fewer(case, values)):
        yield from (found for found in some if cost(found) < now)


def _without_some(case: Case) -> Iterator[Case]:
    for at, part in enumerate(case):
        if isinstance(part, list):
            for size in sorted({len(part), len(part) // 2, 2, 1}, reverse=True):
                for i in range(0, len(part) - size + 1 if size else 0, max(1, size)):
                    yield _with(case, at, part[:i] + part[i + size :])


def _fewer(case: Case, values: Values) -> Iterator[Case]:
    """One value less, and another one larger: fewer values are simpler than smaller ones."""
    if cost(case)[0] > 12:
        return
    others = values.small[-12:] + values.small[:12]
    for less in _without_one(case):
        yield from _one_replaced(less, others)


def _without_one(case: Case) -> Iterator[Case]:
    for at, part in enumerate(case):
        if isinstance(part, list):
            yield from (_with(case, at, part[:i] + part[i + 1 :]) for i in range(len(part)))


def _simpler(case: Case, values: Values) -> Iterator[Case]:
    """Every copy of a value made simpler at once, then one alone."""
    flat = [v for part in case for v in (part if isinstance(part, list) else [part])]
    others = [*values.small[:12], *sorted(flat, key=magnitude)]
    for old in {repr(v): v for v in flat}.values():
        for new in (*others, *_nearer(old, values)):
            if magnitude(new) < magnitude(old):
                yield tuple(_replaced(part, old, new) for part in case)
    yield from _one_replaced(case, others)


def _one_replaced(case: Case, others: Iterable[Any]) -> Iterator[Case]:
    for at, part in enumerate(case):
        for new in others:
            if not isinstance(part, list):
                yield _with(case, at, new)
                continue
            yield from (_with(case, at, [*part[:i], new, *part[i + 1 :]]) for i in range(len(part)))


def _nearer(value: Any, values: Values) -> Iterator[Any]:
    """Simpler values of the type, where the type is all that bounds them."""
    if values.kind is int and type(value) is int:
        yield from (value // 2, value - 1 if value > 0 else value + 1, -value)
    elif values.kind is float and type(value) is float and value - value == 0:
        yield from (float(round(value)), round(value, 1), value / 2)
    elif values.kind is Decimal and type(value) is Decimal and value.is_finite():
        yield from (round(value, places) for places in (0, 1, 2, 3))
        yield value % 10
    elif values.kind is str and type(value) is str:
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))


def _replaced(part: Any, old: Any, new: Any) -> Any:
    if isinstance(part, list):
        return [_replaced(v, old, new) for v in part]
    return new if type(part) is type(old) and repr(part) == repr(old) else part


def _with(case: Case, at: int, part: Any) -> Case:
    return (*case[:at], part, *case[at + 1 :])
