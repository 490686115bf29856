"""Type variables that are Any where nothing tells: their defaults stand in `typevars.pyi`.

A plain type variable that nothing solves is an error for mypy and `object` for pyright: a reducer
that stands alone, `r.sum(lambda o: o.amount)`, does not yet know its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Row = TypeVar("Row")
Value = TypeVar("Value")
Row_contra = TypeVar("Row_contra", contravariant=True)
State = TypeVar("State")
Result_co = TypeVar("Result_co", covariant=True)

Part = str | int | tuple[Any, ...] | Callable[[Row], Any]
"""What names a part of a row: a field, a position, several of these, or a function of the row."""
Step = Callable[[Any, Value], Any]
"""`add` or `remove`: a state and a value give a state."""
