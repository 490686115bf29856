"""`RECOMPUTE` is found wherever a remove can reach it."""

from __future__ import annotations

import copy
import functools
import operator
import pickle
from typing import Any

import pytest

import reducers_to_find as hidden
from ominus.algebra.reducer import RECOMPUTE, Reducer, mentions_recompute
from reducers_to_find import Callable, Tools

AGAIN = RECOMPUTE


def behind(answer: Any) -> Any:
    return lambda a, v: a if v < a else answer


def nested(a: int, v: int) -> Any:
    def inner() -> Any:
        return next(RECOMPUTE for _ in range(1))

    return inner()


def by_default(a: int, v: int, again: Any = RECOMPUTE) -> Any:
    return a if v < a else again


def by_keyword(a: int, v: int, *, again: Any = RECOMPUTE) -> Any:
    return a if v < a else again


def by_getattr(a: int, v: int) -> Any:
    return getattr(hidden.reducer, "RECOMPUTE")


def decorated(f: Any) -> Any:
    @functools.wraps(f)
    def wrapper(*args: Any) -> Any:
        return f(*args)

    return wrapper


def even(a: int, v: int) -> Any:
    return odd(a, v - 1) if v else a


def odd(a: int, v: int) -> Any:
    return even(a, v - 1) if v else a


PARTIAL: dict[str, Any] = {
    "a global": lambda a, v: RECOMPUTE,
    "a global of another name": lambda a, v: AGAIN,
    "a helper": hidden.directly,
    "a module's attribute": hidden.through_module,
    "a helper's helper": hidden.helper,
    "a helper's helper in a lambda": lambda a, v: hidden.helper(a, v),
    "a closure": behind(RECOMPUTE),
    "a closure over a function": behind(behind(RECOMPUTE)),
    "a nested function": nested,
    "a default": by_default,
    "a default by keyword": by_keyword,
    "a name in a string": by_getattr,
    "a decorated function": decorated(hidden.directly),
    "a partial function": functools.partial(hidden.directly),
    "an argument of a partial function": functools.partial(by_default, again=RECOMPUTE),
    "a static method": Tools.static,
    "a class method": Tools.of_class,
    "a method": Tools().method,
    "a method of a method": Tools().by_method,
    "a static method in a lambda": lambda a, v: Tools.static(a, v),
    "an object that is called": Callable(hidden.directly),
}

TOTAL: dict[str, Any] = {
    "a lambda": lambda a, v: a - v,
    "a builtin": max,
    "an operator": operator.sub,
    "a closure": behind(None),
    "a partial function": functools.partial(operator.sub),
    "an object that is called": Callable(operator.sub),
    "functions that call each other": even,
    "a decorated function": decorated(operator.sub),
    "a method": (3).__sub__,
    "a class": int,
}


@pytest.mark.parametrize("how", PARTIAL)
def test_a_remove_that_can_recompute_is_partial(how: str) -> None:
    assert mentions_recompute(PARTIAL[how])
    assert Reducer(0, max, PARTIAL[how]).inverse == "partial"


@pytest.mark.parametrize("how", TOTAL)
def test_a_remove_that_cannot_recompute_is_invertible(how: str) -> None:
    assert not mentions_recompute(TOTAL[how])
    assert Reducer(0, max, TOTAL[how]).inverse == "invertible"


def test_looking_for_recompute_runs_no_code_of_the_user() -> None:
    class Trap:
        @property
        def inner(self) -> Any:
            raise AssertionError("a property was read")

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            raise AssertionError(f"{name} was read")

        def __call__(self, a: int, v: int) -> Any:
            return self.inner(a, v)

    assert not mentions_recompute(Trap())


def test_looking_for_recompute_ends_in_a_large_library() -> None:
    import pandas as pd

    assert not mentions_recompute(lambda a, v: pd.concat([a, v]))


def test_recompute_is_one_object() -> None:
    assert pickle.loads(pickle.dumps(RECOMPUTE)) is RECOMPUTE
    assert copy.deepcopy(RECOMPUTE) is RECOMPUTE
    assert repr(RECOMPUTE) == "RECOMPUTE"
