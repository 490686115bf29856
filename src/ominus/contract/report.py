"""Every reducer of a module, verified: as a table, as JSON, and as an exit status."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import Reducer
from ominus.contract.verdict import Checked, Proved, Refuted, Unknown, Verdict, Verdicts
from ominus.contract.verify import verify

AnyReducer = Reducer[Any, Any, Any]

ALL_RIGHT, REFUTED, NOTHING, UNKNOWN = 0, 1, 2, 3
"""The exit status: all are right, a law is refuted, there is no reducer, a law is unknown."""

_SHORT = {Proved: "proved", Checked: "checked", Refuted: "refuted", Unknown: "unknown"}


class Report(NamedTuple):
    """What `ominus verify` prints, and its exit status."""

    text: str
    status: int


def reducers_in(module: ModuleType | Mapping[str, Any]) -> dict[str, AnyReducer]:
    """The reducers that stand in a module, in a class of it, or in a mapping of it, by name.

    >>> list(reducers_in({"total": Reducer(0, max), "other": 1}))
    ['total']
    """
    names = module if isinstance(module, Mapping) else vars(module)
    owner = "" if isinstance(module, Mapping) else module.__name__
    return dict(_found(names, owner, ""))


def _found(names: Mapping[Any, Any], owner: str, prefix: str) -> Iterator[tuple[str, AnyReducer]]:
    for name, value in list(names.items()):
        # A name of another kind, such as a row of the user's, is none of ours.
        if not isinstance(name, str) or name.startswith("__"):
            continue
        if isinstance(value, Reducer):
            yield prefix + name, value
        elif isinstance(value, type) and value.__module__ == owner and not prefix:
            yield from _found(vars(value), owner, f"{name}.")
        elif type(value) is dict and not prefix:
            yield from _found(value, owner, f"{name}.")


def verify_all(
    module: ModuleType | Mapping[str, Any], name: str | None = None, *, seconds: float = 2.0
) -> dict[str, Verdicts]:
    """Each reducer of a module, or the one of that name, with its verdicts.

    Fails  LookupError, if there is no reducer of that name.
    """
    found = reducers_in(module)
    if name is not None:
        if name not in found:
            there = ", ".join(found) or "none"
            raise LookupError(f"no reducer is called {name!r} there: there are {there}")
        found = {name: found[name]}
    return {n: verify(reducer, seconds=seconds) for n, reducer in found.items()}


def report(verified: Mapping[str, Verdicts], *, as_json: bool = False) -> Report:
    """The verdicts of several reducers, as the shell shows them.

    >>> report({}).text, report({}).status
    ('no reducer there', 2)
    """
    if as_json:
        return Report(json.dumps(as_data(verified), indent=2), status(verified))
    if not verified:
        return Report("no reducer there", NOTHING)
    return Report("\n".join([*table(verified), *_refuted(verified)]), status(verified))


def status(verified: Mapping[str, Verdicts]) -> int:
    """The exit status for some verdicts."""
    if not verified:
        return NOTHING
    if any(verdicts.refuted for verdicts in verified.values()):
        return REFUTED
    return ALL_RIGHT if all(verdicts.ok for verdicts in verified.values()) else UNKNOWN


def table(verified: Mapping[str, Verdicts]) -> list[str]:
    """A row for each reducer, a column for each law that was asked."""
    laws = [law for law in LAWS if any(law in v for v in verified.values())]
    rows = [["reducer", *laws]]
    rows += [[name, *(cell(v.get(law)) for law in laws)] for name, v in verified.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(part.ljust(w) for part, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def cell(verdict: Verdict | None) -> str:
    """A verdict in one word; a dash where the law is not about the reducer.

    >>> cell(Checked(300)), cell(None)
    ('checked', '-')
    """
    return "-" if verdict is None else _SHORT[type(verdict)]


def _refuted(verified: Mapping[str, Verdicts]) -> Iterator[str]:
    """Why each reducer that is not right is not."""
    for name, verdicts in verified.items():
        told = [(law, v) for law, v in verdicts.items() if isinstance(v, Refuted | Unknown)]
        if not verdicts.ok or verdicts.refuted:
            yield from (f"\n{name}: {law} {verdict}" for law, verdict in told)


def as_data(verified: Mapping[str, Verdicts]) -> dict[str, Any]:
    """The verdicts as plain data, for JSON."""
    return {
        name: {
            "ok": verdicts.ok,
            "laws": {law: _law_as_data(verdict) for law, verdict in verdicts.items()},
        }
        for name, verdicts in verified.items()
    }


def _law_as_data(verdict: Verdict) -> dict[str, Any]:
    said: dict[str, Any] = {"verdict": cell(verdict)}
    if isinstance(verdict, Proved):
        return {**said, "how": verdict.how, "seconds": verdict.seconds}
    if isinstance(verdict, Checked):
        return {**said, "examples": verdict.examples}
    if isinstance(verdict, Unknown):
        return {**said, "why": verdict.why}
    witness = verdict.witness
    return {
        **said,
        "call": witness.call,
        "left": repr(witness.left),
        "expected": witness.expected,
        "right": repr(witness.right),
        "todo": witness.todo,
    }
