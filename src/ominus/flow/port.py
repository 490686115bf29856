"""The port: what a flow asks of an engine, and where engines are found.

A flow never names an engine; `ominus/__init__.py` says which module provides which.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

_providers: dict[str, tuple[str, str]] = {}


def provide(name: str, module: str, function: str) -> None:
    """Say where an engine is found; it is imported when it is first asked for."""
    _providers[name] = (module, function)


def engine(name: str) -> Callable[..., Any]:
    """The function of an engine, by the name under which it is provided."""
    module, function = _providers[name]
    return getattr(import_module(module), function)  # type: ignore[no-any-return]
