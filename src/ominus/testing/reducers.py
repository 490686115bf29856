"""One line that makes every reducer of a module a test."""

from __future__ import annotations

import unittest
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ominus.contract.report import reducers_in
from ominus.contract.verify import verify
from ominus.errors import NothingToTest


def reducers_of(module: ModuleType | Mapping[str, Any], values: Any = None) -> type:
    """A test for each reducer of a module (or mapping): it fails where a law is not kept.

    `values` gives the values of those that do not say theirs: one for all, or a mapping by name.
    pytest and unittest both find it: `TestReducers = om.testing.reducers_of(shop)`.

    Fails  NothingToTest, if there is no reducer there.

    >>> from ominus.algebra.reducer import Reducer
    >>> found = reducers_of({"total": Reducer(0, lambda a, v: a + v, values=int)})
    >>> [name for name in vars(found) if name.startswith("test")]
    ['test_total']
    """
    found = reducers_in(module)
    if not found:
        name = getattr(module, "__name__", "the mapping")
        raise NothingToTest(
            f"the reducers of {name}", "there is none", "Give a module that defines some."
        )
    tests: dict[str, Any] = {
        f"test_{name.replace('.', '_')}": _test(reducer, _values(values, name))
        for name, reducer in found.items()
    }
    return type("Reducers", (unittest.TestCase,), {"__doc__": reducers_of.__doc__, **tests})


def _values(values: Any, name: str) -> Any:
    return values.get(name) if isinstance(values, Mapping) else values


def _test(reducer: Any, values: Any) -> Callable[[unittest.TestCase], None]:
    def test(self: unittest.TestCase) -> None:
        verdicts = verify(reducer, values)
        if not verdicts.ok:
            self.fail(str(verdicts))

    return test
