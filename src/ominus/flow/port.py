"""The port: what a flow asks of an engine, and where engines are found.

A flow never names an engine; `ominus/__init__.py` says which module provides which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any, Protocol, TypeVar, overload

from ominus.flow import views
from ominus.flow.shapes import Groups, LazyTable, Rows, Shape, Table

K = TypeVar("K")
V = TypeVar("V")

_providers: dict[str, tuple[str, str]] = {}


def provide(name: str, module: str, function: str) -> None:
    """Say where an engine is found; it is imported when it is first asked for."""
    _providers[name] = (module, function)


def engine(name: str) -> Callable[..., Any]:
    """The function of an engine, by the name under which it is provided."""
    module, function = _providers[name]
    return getattr(import_module(module), function)  # type: ignore[no-any-return]


class Snapshot(Protocol):
    """A committed version: it stays as it was while writing goes on."""

    @property
    def version(self) -> int:
        """Which version it is."""

    @overload
    def __getitem__(self, which: str) -> Any: ...
    @overload
    def __getitem__(self, which: Rows[V]) -> views.RowsView[V]: ...
    @overload
    def __getitem__(self, which: Table[K, V]) -> views.TableView[K, V]: ...
    @overload
    def __getitem__(self, which: Groups[K, V]) -> views.GroupsView[K, V]: ...
    @overload
    def __getitem__(self, which: LazyTable[K, V]) -> views.LazyView[K, V]: ...


class Live(Protocol):
    """A running flow: write its sources, read its views, hear their changes.

    What a definition made is read with its types, `live[orders]`; a name gives Any.
    Rows and tables are typed as sources, for a definition does not say whether it is one: writing
    to a view that is derived is refused when it is tried.
    """

    trail: Any

    @property
    def version(self) -> int:
        """The last committed version; the empty flow is 0."""

    @overload
    def __getitem__(self, which: str) -> Any: ...
    @overload
    def __getitem__(self, which: Rows[V]) -> views.RowsSource[V]: ...
    @overload
    def __getitem__(self, which: Table[K, V]) -> views.TableSource[K, V]: ...
    @overload
    def __getitem__(self, which: Groups[K, V]) -> views.GroupsView[K, V]: ...
    @overload
    def __getitem__(self, which: LazyTable[K, V]) -> views.LazyView[K, V]: ...

    def transaction(self) -> AbstractContextManager[Live]:
        """Make several writes one: all or nothing, one version."""

    def apply(self, **changes: Iterable[Any]) -> int:
        """Carry out changes of several sources as one transaction; returns the version."""

    def subscribe(self, f: Callable[[dict[str, list[Any]]], Any], *names: str) -> views.Heard:
        """Call `f` with the changes of several views, once for each version that changes any."""

    def snapshot(self) -> Snapshot:
        """This version, to be read whatever is written later."""

    def extend(self, **views: Shape) -> None:
        """Add views, filled from what is there; what they share with others is shared."""

    def explain(self) -> str:
        """What each operator keeps, and why."""

    def close(self) -> None:
        """Take no more writes; views can still be read."""

    def __enter__(self) -> Live: ...

    def __exit__(self, *_: object) -> None: ...
