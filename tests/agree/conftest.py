"""Named tests of a definition are held against the oracle and against the embedded engine."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import ominus as om

Read = Callable[..., Any]


def recomputed(flow: Any, **rows: Iterable[Any]) -> Any:
    return om.recompute(flow, **rows)


def lived(flow: Any, **rows: Iterable[Any]) -> Any:
    live = flow.run()
    with live.transaction():
        for name, given in rows.items():
            live[name].insert_many(given)
    return live


@pytest.fixture(params=[recomputed, lived], ids=["oracle", "embedded"])
def read(request: pytest.FixtureRequest) -> Iterator[Read]:
    """Views by name, of a flow and the rows of its sources."""
    return request.param  # type: ignore[no-any-return]
