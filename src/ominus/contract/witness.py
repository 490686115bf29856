"""Run one case of a law, and tell what it shows: nothing, that it holds, or a witness against it.

A case is the multiset behind the state, as a list, and what the law names besides.
A law is asked only of multisets that a recompute can fold: where `add` itself raises, whatever the
order, incremental and from scratch agree, and the case lies outside what the reducer takes.
A `remove` or a `merge` that raises, or an `add` that raises in one order only, breaks the law.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ominus.algebra.laws import LAWS, Law, Shown
from ominus.algebra.reducer import Reducer
from ominus.contract import spell
from ominus.contract.floats import as_fractions, is_endless
from ominus.contract.repair import repair
from ominus.contract.verdict import Raised, Witness
from ominus.errors import NotAValue

AnyReducer = Reducer[Any, Any, Any]
Case = tuple[Any, ...]
"""The multiset behind the state, and what the law names besides."""


@dataclass(frozen=True)
class Outside:
    """A multiset that a recompute cannot fold either, and the error."""

    why: str


Found = Witness | Outside | bool | None
"""What a case shows; None where the law says nothing."""


def refute(reducer: AnyReducer, law: str, values: list[Any], *given: Any) -> Witness | None:
    """The witness that a case is against a law, by running it; None if it is none.

    >>> last = Reducer(0, lambda a, v: v, lambda a, v: a)
    >>> print(refute(last, "inverse", [], 4))
    reducer.update(reducer.fold([4]), removed=[4]) is 4, and reducer.fold([]) is 0. \
Let remove undo add; where the state does not tell what was before, let it return om.RECOMPUTE
    """
    found = look(reducer, LAWS[law], (values, *given))
    return found if isinstance(found, Witness) else None


def look(reducer: AnyReducer, law: Law, case: Case) -> Found:
    """What one case shows of a law."""
    try:
        held = law.holds(reducer, *case)
    except Exception as error:
        return _where_it_raised(reducer, law, case, error)
    return _witness(reducer, law, case) if held is False else held


def _witness(reducer: AnyReducer, law: Law, case: Case) -> Witness:
    sides = spell.sides(reducer, law.name, case)
    left, right = (_attempt(side.run) for side in sides)
    call, expected = (side.text for side in sides)
    todo = repair(law.name, left, right, rounds=_rounds(reducer, law, case))
    return Witness(tuple(case[0]), tuple(case[1:]), left, right, call, expected, todo)


def _rounds(reducer: AnyReducer, law: Law, case: Case) -> bool:
    """Whether rounding is at fault: the case has floats, and holds of Fractions in their place."""
    if is_endless(case):
        return True
    exact = as_fractions(case)
    if repr(exact) == repr(case):
        return False
    try:
        return (
            law.holds(
                reducer.replace(init=as_fractions(reducer.init), inverse=reducer.inverse), *exact
            )
            is not False
        )
    except Exception:
        return False


def _attempt(run: Callable[[], Any]) -> Any:
    try:
        found = run()
    except Exception as error:
        return Raised(described(error))
    return found.result if isinstance(found, Shown) else found


def described(error: BaseException) -> str:
    """An exception on one line."""
    text = str(error).strip().split("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# Where something raised.


class _PartRaised(Exception):
    """Which part of a reducer raised."""

    def __init__(self, part: str) -> None:
        self.part = part


def _where_it_raised(reducer: AnyReducer, law: Law, case: Case, error: Exception) -> Found:
    if isinstance(error, NotAValue):
        return Outside(f"two states cannot be compared ({described(error)})")
    if law.name == "add_commutes":
        values, u, v = case
        left, right = (_error_of_fold(reducer, [*values, *uv]) for uv in ((u, v), (v, u)))
        if (left is None) != (right is None):
            return _witness(reducer, law, case)
        return outside(reducer, [*values, u, v], left or right or error)
    for values in _folded(case):
        if (raised := _error_of_fold(reducer, values)) is not None:
            return outside(reducer, values, raised)
    if _part_that_raises(reducer, law, case) == "finishing" and _read_raises(reducer, case[0]):
        return Outside(f"reducer.fold_read({spell.values(case[0])}) raises {described(error)}")
    return _witness(reducer, law, case)


def _folded(case: Case) -> list[list[Any]]:
    """The multisets that a recompute would have to fold in some case of a law."""
    m, rest = case[0], []
    for given in case[1:]:
        rest += given if isinstance(given, list) else [given]
    return [rest, [*m, *rest], [*rest, *m], [*m, *m]]


def _error_of_fold(reducer: AnyReducer, values: list[Any]) -> Exception | None:
    try:
        reducer.fold(values)
    except Exception as error:
        return error
    return None


def outside(reducer: AnyReducer, values: list[Any], error: Exception) -> Outside:
    """That `add` raises, shown on one value where one will do."""
    for value in values:
        alone = _error_of_fold(reducer, [value])
        if alone is not None:
            values, error = [value], alone
            break
    return Outside(f"reducer.fold({spell.values(values)}) raises {described(error)}")


def _read_raises(reducer: AnyReducer, values: list[Any]) -> bool:
    return isinstance(_attempt(lambda: reducer.fold_read(values)), Raised)


def _part_that_raises(reducer: AnyReducer, law: Law, case: Case) -> str:
    try:
        law.holds(_watched(reducer), *case)
    except _PartRaised as found:
        return found.part
    except Exception:
        pass
    return ""


def _watched(reducer: AnyReducer) -> AnyReducer:
    parts = {
        name: _telling(name, part)
        for name in ("add", "remove", "merge", "same", "finishing")
        if (part := getattr(reducer, name)) is not None
    }
    return reducer.replace(inverse=reducer.inverse, **parts)


def _telling(name: str, part: Callable[..., Any]) -> Callable[..., Any]:
    def telling(*args: Any) -> Any:
        try:
            return part(*args)
        except Exception as error:
            raise _PartRaised(name) from error

    return telling
