"""Whether a reducer's functions keep their hands off what they are given.

A state that is changed in place without `mutates=True`, a factory that gives one object each time,
a `finish` that changes the state, a function that answers otherwise the second time: each makes
every law worthless, so each is looked for first, and reported as what it is.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.value import one
from ominus.contract import spell
from ominus.contract.cases import Values, random_case
from ominus.contract.verdict import Witness

AnyReducer = Reducer[Any, Any, Any]
_ROUNDS = 25
_READ = "reducer.read(state)"
_SCALAR = (int, float, str, bytes, bool, type(None))


def on_its_own(reducer: AnyReducer) -> AnyReducer:
    """The reducer with a start of its own, so that looking at it leaves the user's as it is."""
    if reducer.mutates or _is_plain(reducer.init):
        return reducer
    return reducer.replace(init=_copied(reducer.init), inverse=reducer.inverse)


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def impurity(reducer: AnyReducer, values: Values, until: float) -> Witness | None:
    """The first case where a function changes what it is given, or answers otherwise."""
    rng = Random(1)
    small = [([v], v) for v in values.small[:3]]
    for m, v in (*small, *sorted(_random(values, rng), key=lambda case: len(case[0]))):
        if time.monotonic() > until:
            break
        try:
            found = next(_impurities(on_its_own(reducer), _copied(m), _copied(v)), None)
        except Exception:
            continue  # what raises is reported by the laws
        if found is not None:
            return found
    return None


def _random(values: Values, rng: Random) -> Iterator[tuple[list[Any], Any]]:
    law = LAWS["inverse"]
    for _ in range(_ROUNDS):
        m, v = random_case(law, values, rng)
        yield m[:8], v


def _impurities(r: AnyReducer, m: list[Any], v: Any) -> Iterator[Witness]:
    yield from _rows_kept(r, m, v)
    yield from _start(r)
    yield from _again(r, m)
    fold = f"reducer.fold({spell.values(m)})"
    if not r.mutates:
        yield from _kept(r, lambda s: r.adder(s, v), m, f"reducer.adder(state, {spell.value(v)})")
        if r.remover is not None and m:
            remover, u = r.remover, m[0]
            text = f"reducer.remover(state, {spell.value(u)})"
            yield from _kept(r, lambda s: remover(s, u), m, text)
        if r.merge is not None:
            merge = r.merge
            text = f"reducer.merge(state, {fold})"
            yield from _kept(r, lambda s: merge(s, r.fold(m)), m, text)
    if r.finishing is not None and m:
        yield from _kept(r, r.read, m, _READ)


def _start(r: AnyReducer) -> Iterator[Witness]:
    if r.mutates and r.start() is r.start() and not _is_plain(r.start()):
        todo = "init gives one object each time: write init=list, or init=lambda: ..."
        yield Witness(
            (), (), True, False, "reducer.init() is reducer.init()", "a fresh start", todo
        )


def _again(r: AnyReducer, m: list[Any]) -> Iterator[Witness]:
    """The same fold twice."""
    first = _copied(r.fold(m))
    if not r.equal(first, _copied(first)):
        return  # compared by identity, which the laws report
    second = r.fold(m)
    if not r.equal(first, second):
        text = f"reducer.fold({spell.values(m)})"
        todo = (
            "add gives another state each time: let it depend on the state and the value alone"
            if _is_plain(r.init) or r.mutates
            else _SAY_SO.format("add")
        )
        yield Witness(tuple(m), (), second, first, f"{text} for the second time", "the first", todo)


_SAY_SO = (
    "{} changes its state in place: make a new one, or say mutates=True and give init as a factory"
)


def _kept(r: AnyReducer, do: Callable[[Any], Any], m: list[Any], text: str) -> Iterator[Witness]:
    """A state before and after a function was called with it."""
    state = r.fold(m)
    if _is_plain(state):
        return
    before = _copied(state)
    if not one(before, state):
        return
    do(state)
    if not _still(r, before, state, text):
        name = text.split("(")[0].removeprefix("reducer.")
        todo = (
            "finish changes the state: let it make something new"
            if name == "read"
            else _SAY_SO.format({"adder": "add", "remover": "remove"}.get(name, name))
        )
        call = f"state = reducer.fold({spell.values(m)}), after {text},"
        yield Witness(tuple(m), (), state, before, call, "before it", todo)


def _still(r: AnyReducer, before: Any, after: Any, text: str) -> bool:
    if r.mutates and r.same is not None and text == _READ:
        # A heap may be tidied while it is read: what it holds is what `same` says.
        return r.equal(before, after)
    return one(before, after)


def _rows_kept(r: AnyReducer, m: list[Any], v: Any) -> Iterator[Witness]:
    if _is_plain(v):
        return
    given = _copied(v)
    if not one(given, v):
        return  # compared by identity: a copy is another value
    state = r.adder(r.fold(m), given)
    if state is not RECOMPUTE and r.remover is not None:
        r.remover(state, given)
    if not one(given, v):
        todo = "add or remove changes the value that it is given: let it make something new"
        yield Witness(tuple(m), (v,), given, v, "the value afterwards", "the value before", todo)


def _is_plain(value: Any) -> bool:
    """Whether a value cannot be changed in place: a scalar, or a tuple of such."""
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return isinstance(value, _SCALAR)
