"""What is known of a law: proved, checked, refuted or unknown; each is a value.

`Proved` is about all values of the type and every reachable state.
`Checked` is about the examples that were run, and no more.
`Refuted` has a case that anyone can run again; `Unknown` says what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Proved:
    """The law holds for all values of the type: `how` says by which argument."""

    how: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"proved ({self.how})" if self.how else "proved"


@dataclass(frozen=True)
class Checked:
    """The law held in every example that was run; it may still fail in another."""

    examples: int

    def __str__(self) -> str:
        return f"checked ({self.examples} examples)"


@dataclass(frozen=True)
class Witness:
    """A case that breaks a law: two calls on a `reducer` that had to give one state.

    `values` is the multiset behind the state, `given` what the law adds, removes or merges then.
    `call` and `expected` are Python text over the name `reducer`; `left` and `right` are what they
    give, or a `Raised`; `todo` says how to repair it, where that is known.
    """

    values: tuple[Any, ...]
    given: tuple[Any, ...]
    left: Any
    right: Any
    call: str
    expected: str
    todo: str = ""

    def __str__(self) -> str:
        head = f"{self.call} is {self.left!r}, and {self.expected} is {self.right!r}"
        return f"{head}. {self.todo}" if self.todo else head


@dataclass(frozen=True)
class Raised:
    """What stands for a state where the call raised."""

    error: str

    def __repr__(self) -> str:
        return f"<raised {self.error}>"


@dataclass(frozen=True)
class Refuted:
    """The law fails in a case."""

    law: str
    witness: Witness

    def __str__(self) -> str:
        return f"refuted: {self.witness}"


@dataclass(frozen=True)
class Unknown:
    """Nothing is known of the law, and why."""

    why: str

    def __str__(self) -> str:
        return f"unknown: {self.why}"


Verdict = Proved | Checked | Refuted | Unknown
"""What is known of a law."""

MAKE_RIGHT = ("add_commutes", "inverse", "distributive", "same_respected")
"""The laws that make a reducer right, where it has what they are about."""


class Verdicts(Mapping[str, Verdict]):
    """The verdict on each law of a reducer, by the law's name.

    `ok` is True exactly if `add_commutes`, `inverse` (where there is a `remove`), `distributive`
    (where there is a `merge`) and `same_respected` (where there is a `same`) were all asked, and
    each was proved or checked; the other laws follow from these.

    >>> Verdicts({"add_commutes": Proved(), "inverse": Unknown("no values")}).ok
    False
    """

    __slots__ = ("_needed", "_verdicts", "reducer")

    def __init__(
        self,
        verdicts: Mapping[str, Verdict],
        *,
        reducer: str = "",
        needed: tuple[str, ...] | None = None,
    ) -> None:
        self._verdicts = dict(verdicts)
        self._needed = tuple(n for n in MAKE_RIGHT if n in verdicts) if needed is None else needed
        self.reducer = reducer

    @property
    def ok(self) -> bool:
        """Whether every law that makes the reducer right was proved or checked."""
        return all(isinstance(self.get(name), Proved | Checked) for name in self._needed)

    @property
    def refuted(self) -> tuple[Refuted, ...]:
        """The laws that fail, each with its case."""
        return tuple(v for v in self.values() if isinstance(v, Refuted))

    def __getitem__(self, law: str) -> Verdict:
        return self._verdicts[law]

    def __iter__(self) -> Iterator[str]:
        return iter(self._verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdicts):
            return NotImplemented
        return self._verdicts == other._verdicts and self._needed == other._needed

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        lines = [f"{law:{width}}  {verdict}" for law, verdict in self.items()]
        head = f"{self.reducer or 'reducer'}: {'ok' if self.ok else 'not ok'}"
        return "\n".join([head, *(f"  {line}" for line in lines)])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(law)}</th><td>{escape(str(verdict))}</td></tr>"
            for law, verdict in self.items()
        )
        title = escape(f"{self.reducer or 'reducer'}: {'ok' if self.ok else 'not ok'}")
        return f"<table><caption>{title}</caption>{rows}</table>"
