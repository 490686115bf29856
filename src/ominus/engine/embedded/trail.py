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


class Trail(Sequence[Touched]):
    """The operators that a transaction touched, in order.

    `total("adds")` sums one count over all of them; `rows` is how many values were read.
    """

    def __init__(self, version: int, steps: list[Touched]) -> None:
        self.version = version
        self._steps = steps

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


def trail(plan: Plan, names: dict[int, tuple[str, ...]], version: int) -> Trail:
    """The trail of the transaction that the plan has just run."""
    steps = []
    for node in plan.nodes:
        counts = {what: n for what, n in node.counts.items() if n}
        if node.wave is None and not counts:
            continue
        read = sum(len(i.wave) for i in node.inputs if i.wave)
        told = len(node.wave) if node.wave else 0
        if read or told or counts:
            views = names.get(id(node.op), ()) if node.verb == node.op.verb else ()
            steps.append(Touched(node.verb, views, read, told, counts))
    return Trail(version, steps)
