"""The trail: what the last transaction touched, operator by operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


@dataclass(frozen=True)
class Touched:
    """What one operator did: values read and told, and its own counts (adds, removes, keys)."""

    operator: str
    views: tuple[str, ...]
    read: int
    told: int
    counts: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        named = f" ({', '.join(self.views)})" if self.views else ""
        rest = "".join(f", {n} {what}" for what, n in self.counts.items() if n)
        return f"{self.operator}{named}: read {self.read}, told {self.told}{rest}"


Raw = list[tuple[str, tuple[str, ...], int, int, dict[str, int]]]
"""Verb, views, values read, values told, counts."""


class Trail(Sequence[Touched]):
    """The operators that a transaction touched, in order.

    `total("adds")` sums one count over all of them; `rows` is how many values were read.
    """

    def __init__(self, version: int, steps: Raw) -> None:
        self.version = version
        self._raw = steps
        self._made: list[Touched] | None = None

    @property
    def _steps(self) -> list[Touched]:
        if self._made is None:
            self._made = [
                Touched(verb, views, read, told, {w: n for w, n in counts.items() if n})
                for verb, views, read, told, counts in self._raw
            ]
        return self._made

    @property
    def rows(self) -> int:
        """How many values all operators read together."""
        return sum(step.read for step in self._steps)

    def total(self, what: str) -> int:
        """One count summed over all operators: `adds`, `removes`, `keys`, `refolded`, `calls`."""
        return sum(step.counts.get(what, 0) for step in self._steps)

    def of(self, operator: str) -> list[Touched]:
        """The steps of one kind of operator, by its verb."""
        return [step for step in self._steps if step.operator == operator]

    def __getitem__(self, at: int) -> Touched:  # type: ignore[override]
        return self._steps[at]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Touched]:
        return iter(self._steps)

    def __repr__(self) -> str:
        return "\n".join(
            [
                f"version {self.version}: {self.rows} values read",
                *(f"  {step}" for step in self._steps),
            ]
        )


def raw(plan: Plan, names: dict[int, tuple[str, ...]]) -> Raw:
    """What the plan has just run: lengths only, so that no rows are held."""
    found: Raw = []
    for node in plan.nodes:
        wave, counts = node.wave, node.counts
        if wave is None and not counts:
            continue
        read = sum([len(i.wave) for i in node.inputs if i.wave])
        told = len(wave) if wave is not None else 0
        if read or told or counts:
            own = node.verb == node.op.verb
            found.append((node.verb, names.get(id(node.op), ()) if own else (), read, told, counts))
    return found
