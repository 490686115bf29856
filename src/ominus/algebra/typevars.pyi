"""The same type variables, with the defaults that Python 3.11 cannot write at run time."""

from collections.abc import Callable
from typing import Any, TypeAlias

from typing_extensions import TypeVar

Row = TypeVar("Row", bound=Any, default=Any)
Value = TypeVar("Value", bound=Any, default=Any)
Row_contra = TypeVar("Row_contra", bound=Any, contravariant=True, default=Any)
State = TypeVar("State", default=Any)
Result_co = TypeVar("Result_co", covariant=True, default=Any)

Part: TypeAlias = str | int | tuple[Any, ...] | Callable[[Row], Any]
Step: TypeAlias = Callable[[Any, Value], Any]
