"""Hypothesis, for what our own search does not know: types, strategies, and odd values.

The only module of the contract that imports it; everything works without it, and finds less.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from ominus.algebra.laws import Law
from ominus.algebra.value import canon
from ominus.contract.cases import Case, Values, is_strategy
from ominus.contract.search import Search, cost
from ominus.contract.verdict import Refuted

SAMPLES = 120


class _Broken(Exception):
    """A case that breaks the law: what makes Hypothesis look for a smaller one."""


class _TimeIsOver(BaseException):
    """What Hypothesis does not take for a failure, and lets through."""


def check(search: Search, examples: int) -> Refuted | None:
    """Search further by Hypothesis, and let it make what it finds smaller."""
    values = _strategy_of(search.values)
    best: list[Case] = []

    @_settings(examples)
    @given(cases(search.law, values))
    def ask(case: Case) -> None:
        if search.over():
            raise _TimeIsOver
        if not search.breaks(case):
            return
        if not best or cost(case) < cost(best[0]):
            best[:] = [case]
        raise _Broken

    try:
        ask()
    except (_Broken, _TimeIsOver, HypothesisException):
        pass  # what was found before is kept, also where a strategy refuses
    return search.refuted(best[0]) if best else None


def samples(kind: Any) -> list[Any]:
    """A few dozen values of a strategy, or of a type that Hypothesis knows."""
    found: list[Any] = []

    @_settings(SAMPLES)
    @given(_strategy(kind))
    def draw(value: Any) -> None:
        found.append(value)

    try:
        draw()
    except Exception:
        # What a strategy cannot give is told as "no values".
        return found
    return found


def _settings(examples: int) -> settings:
    return settings(
        max_examples=max(1, examples),
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )


def _strategy_of(values: Values) -> st.SearchStrategy[Any]:
    if values.strategy is not None:
        return _strategy(values.strategy)
    small = st.sampled_from(values.small)
    return small if values.kind is None else small | _strategy(values.kind)


def _strategy(kind: Any) -> st.SearchStrategy[Any]:
    if is_strategy(kind):
        return kind.map(canon)  # type: ignore[no-any-return]
    if isinstance(kind, dict):
        return st.fixed_dictionaries({n: _strategy(k) for n, k in kind.items()})
    return st.from_type(kind).map(canon)


@st.composite
def cases(draw: Any, law: Law, values: st.SearchStrategy[Any]) -> Case:
    """A case of a law, with duplicates."""
    m = draw(st.lists(values, max_size=8))
    some = st.sampled_from(m) | values if m else values
    if law.name == "distributive":
        return m, draw(st.lists(some, max_size=4))
    if law.name == "same_respected":
        return m, draw(st.lists(some, max_size=3)), draw(some)
    if law.name == "remove_commutes":
        u, v = draw(some), draw(some)
        return [*m, u, v], u, v
    if law.name == "remove_add_commute":
        u = draw(some)
        return [*m, u], u, draw(some)
    return m, *(draw(some) for _ in range(law.arity))
