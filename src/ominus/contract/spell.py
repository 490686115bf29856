"""The two sides of a law in one case, each as a call that can be run and as its Python text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isinf
from typing import Any, NamedTuple

from ominus.algebra.laws import Detour, Step, enumerations, first_difference
from ominus.algebra.reducer import Reducer

AnyReducer = Reducer[Any, Any, Any]


class Side(NamedTuple):
    """One side of a law."""

    text: str
    run: Callable[[], Any]


def sides(reducer: AnyReducer, law: str, case: tuple[Any, ...]) -> tuple[Side, Side]:
    """Both sides of a law in a case."""
    m, given = list(case[0]), case[1:]
    if law == "same_respected":
        return _same_respected(reducer, m, *given)
    if law == "distributive":
        merged = _merge(reducer, _fold(reducer, m), _fold(reducer, given[0]))
        return merged, _fold(reducer, _order_that_differs(reducer, merged, [*m, *given[0]]))
    if law == "inverse":
        (v,) = given
        return _update(reducer, _fold(reducer, [*m, v]), removed=[v]), _fold(reducer, m)
    u, v = given
    if law == "add_commutes":
        return _fold(reducer, [*m, u, v]), _fold(reducer, [*m, v, u])
    folded = _fold(reducer, m)
    if law == "remove_commutes":
        return _update(reducer, folded, removed=[u, v]), _update(reducer, folded, removed=[v, u])
    later = _update(reducer, _fold(reducer, [*m, v]), removed=[u])
    return _update(reducer, folded, removed=[u], added=[v]), later


def _order_that_differs(reducer: AnyReducer, merged: Side, both: list[Any]) -> list[Any]:
    for order in enumerations(both):
        try:
            if not reducer.equal(merged.run(), reducer.fold(order)):
                return list(order)
        except Exception:
            break
    return both


def _same_respected(reducer: AnyReducer, m: list[Any], n: list[Any], v: Any) -> tuple[Side, Side]:
    found = first_difference(reducer, m, n, v)
    detour, step = (found.detour, found.step) if found else (([*m, v], [v]), Step("add", v))
    reached = _reached(reducer, detour)
    if step.name == "equal":
        return _compared(reducer, _fold(reducer, m), reached, _reached(reducer, step.given))
    return _stepped(reducer, reached, step), _stepped(reducer, _fold(reducer, m), step)


def _reached(reducer: AnyReducer, detour: Detour) -> Side:
    added, removed = detour
    state = _fold(reducer, added)
    return _update(reducer, state, removed=list(removed)) if removed else state


def _compared(reducer: AnyReducer, folded: Side, a: Side, b: Side) -> tuple[Side, Side]:
    """Two states that must be one, for both are one with a third."""

    def equal(x: Side, y: Side) -> bool:
        return reducer.equal(x.run(), y.run())

    left, right = (
        f"reducer.equal({folded.text}, {a.text})",
        f"reducer.equal({folded.text}, {b.text})",
    )
    both = left if b.text == folded.text else f"{left} and {right}"
    return (
        Side(f"reducer.equal({a.text}, {b.text})", lambda: equal(a, b)),
        Side(both, lambda: equal(folded, a) and equal(folded, b)),
    )


def _stepped(reducer: AnyReducer, state: Side, step: Step) -> Side:
    if step.name == "add":
        return _update(reducer, state, added=[step.given])
    if step.name == "remove":
        return _update(reducer, state, removed=[step.given])
    if step.name == "merge":
        return _merge(reducer, state, _fold(reducer, step.given))
    return Side(f"reducer.read({state.text})", lambda: reducer.read(state.run()))


def _fold(reducer: AnyReducer, some: Iterable[Any]) -> Side:
    listed = list(some)
    return Side(f"reducer.fold({values(listed)})", lambda: reducer.fold(listed))


def _merge(reducer: AnyReducer, a: Side, b: Side) -> Side:
    merge = reducer.merge
    assert merge is not None
    return Side(f"reducer.merge({a.text}, {b.text})", lambda: merge(a.run(), b.run()))


def _update(reducer: AnyReducer, state: Side, **delta: list[Any]) -> Side:
    said = ", ".join(f"{name}={values(some)}" for name, some in delta.items())
    text = f"reducer.update({state.text}, {said})"
    return Side(text, lambda: reducer.update(state.run(), **delta))


def values(some: Iterable[Any]) -> str:
    """A list of values, as Python text.

    >>> values([1, float("nan")]), values([7] * 9)
    ('[1, float("nan")]', '[7] * 9')
    """
    shown = [value(v) for v in some]
    if len(shown) > 6 and len(set(shown)) == 1:
        return f"[{shown[0]}] * {len(shown)}"
    return f"[{', '.join(shown)}]"


def value(v: Any) -> str:
    """A value as Python text; what has no such text, as its repr."""
    if type(v) is float and (v != v or isinf(v)):
        return f'float("{v}")'
    if type(v) is tuple:
        return f"({', '.join(map(value, v))}{',' if len(v) == 1 else ''})"
    if type(v) is list:
        return values(v)
    if type(v) is dict:
        return "{" + ", ".join(f"{value(k)}: {value(x)}" for k, x in v.items()) + "}"
    return repr(v)
