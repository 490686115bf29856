"""How a reducer of the catalogue is made: one that remembers the call that made it.

So it prints as that call, pickles as that call (functions of users included only as arguments),
and two of them are compared by their calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ominus.algebra.reducer import RECOMPUTE, Inverse, Reducer
from ominus.algebra.select import selector
from ominus.algebra.value import one

Step = Callable[[Any, Any], Any]
Finish = Callable[[Any], Any]


def made(
    name: str,
    args: tuple[Any, ...],
    named: Mapping[str, Any],
    *,
    init: Any,
    add: Step,
    remove: Step | None = None,
    finish: Finish | None = None,
    merge: Step | None = None,
    same: Callable[[Any, Any], bool] | None = None,
    of: Any = None,
    where: Any = None,
    skip_none: bool | None = None,
    nullable: bool = True,
    none_spoils: bool = False,
    inverse: Inverse | None = None,
    constant: bool = True,
    mutates: bool = False,
    values: Any = None,
) -> Reducer[Any, Any, Any]:
    """A reducer of the catalogue, made by the call `name(*args, **named)`.

    In `args` (from the end) and in `named`, `None` stands for what was not given.
    `nullable` says that the reducer takes `None` as a value where nobody said `skip_none`.
    `none_spoils` says that with `skip_none=False` the result is `None` while any `None` is there;
    without it, `add` and `remove` must take `None` themselves.
    `inverse` is told from `remove` alone unless given; `add` and `remove` get what `of` gives.
    """
    steps = _Steps(init, add, remove, finish, merge, same)
    if none_spoils and skip_none is False:
        steps = spoiled(steps)
    parts: dict[str, Any] = {
        "init": steps.init,
        "add": steps.add,
        "remove": steps.remove,
        "finishing": steps.finish,
        "of": of,
        "where": where,
        "same": steps.same,
        "merge": steps.merge,
        "values": values,
        "mutates": mutates,
        "skip_none": skip_none,
        "nullable": skip_none is False or (skip_none is None and nullable),
        "name": name,
        "inverse": inverse or ("add-only" if remove is None else "invertible"),
        "constant": constant,
    }
    reducer: Reducer[Any, Any, Any] = Reducer.__new__(Reducer)
    while args and args[-1] is None:
        args = args[:-1]
    said = {n: v for n, v in named.items() if v is not None}
    # The call comes first: the guard against `None` shows the reducer in its message.
    reducer._set(parts, (name, args, said, again))
    return reducer


def again(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> Reducer[Any, Any, Any]:
    """The reducer of a call, made again: how one is unpickled."""
    from ominus import reducers

    return getattr(reducers, name)(*args, **named)  # type: ignore[no-any-return]


def unless(default: Any, value: Any) -> Any:
    """The value, or `None` where it is the default: what the call then need not say.

    >>> unless(1, 1), unless(1, 0)
    (None, 0)
    """
    return None if type(value) is type(default) and value == default else value


class Both:
    """The function that reads two quantities of a row, or `None` where either is `None`."""

    __slots__ = ("first", "second")

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = selector(first), selector(second)

    def __call__(self, row: Any) -> Any:
        a, b = self.first(row), self.second(row)
        return None if a is None or b is None else (a, b)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Both) and (self.first, self.second) == (other.first, other.second)

    def __hash__(self) -> int:
        return hash((Both, self.first, self.second))

    def __repr__(self) -> str:
        return f"({self.first!r}, {self.second!r})"


class Spoiled(NamedTuple):
    """A state beside which there are `nones` values `None`, at least one."""

    state: Any
    nones: int


class _Steps(NamedTuple):
    init: Any
    add: Step
    remove: Step | None
    finish: Finish | None
    merge: Step | None
    same: Callable[[Any, Any], bool] | None


def spoiled(steps: _Steps) -> _Steps:
    """The same steps with `None` counted apart: the result is `None` while any is there."""
    inner_add, inner_remove, finish, merge, same = steps[1:]

    def add(state: Any, value: Any) -> Any:
        if type(state) is Spoiled:
            if value is None:
                return Spoiled(state.state, state.nones + 1)
            return Spoiled(inner_add(state.state, value), state.nones)
        return Spoiled(state, 1) if value is None else inner_add(state, value)

    def remove(state: Any, value: Any) -> Any:
        assert inner_remove is not None
        if type(state) is Spoiled:
            if value is None:
                return _beside(state.state, state.nones - 1)
            left = inner_remove(state.state, value)
            return RECOMPUTE if left is RECOMPUTE else Spoiled(left, state.nones)
        return inner_remove(state, value)

    def read(state: Any) -> Any:
        if type(state) is Spoiled:
            return None
        return state if finish is None else finish(state)

    def together(a: Any, b: Any) -> Any:
        assert merge is not None
        (x, n), (y, m) = _split(a), _split(b)
        return _beside(merge(x, y), n + m)

    def equal(a: Any, b: Any) -> bool:
        (x, n), (y, m) = _split(a), _split(b)
        return n == m and (one(x, y) if same is None else same(x, y))

    return _Steps(
        steps.init,
        add,
        None if inner_remove is None else remove,
        read,
        None if merge is None else together,
        None if same is None else equal,
    )


def _split(state: Any) -> tuple[Any, int]:
    return (state.state, state.nones) if type(state) is Spoiled else (state, 0)


def _beside(state: Any, nones: int) -> Any:
    return Spoiled(state, nones) if nones else state


class Example(NamedTuple):
    """A reducer of the catalogue as it may be called, and the type of the rows that it takes."""

    reducer: Reducer[Any, Any, Any]
    values: Any
