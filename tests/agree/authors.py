"""Random flows as text: a program is lines of Python, so a failing one is printed and replayed."""

from __future__ import annotations

import datetime as datetime_module
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any

import heard
import ominus as om
from contents import SOURCES
from heard import Fn
from ominus import reducers as r
from ominus.errors import OminusError

NAMES: dict[str, Any] = {
    "om": om,
    "r": r,
    "Fn": Fn,
    "nan": heard.nan,
    "inf": heard.inf,
    "Sale": heard.Sale,
    "Person": heard.Person,
    "Opaque": heard.Opaque,
    "record": om.record,
    "Decimal": Decimal,
    "datetime": datetime_module,
}
"""What a program may name."""


@dataclass
class Node:
    """A collection of the program, and what its values are good for."""

    name: str
    shape: str
    fields: list[Any] = field(default_factory=list)
    ordered: bool = True
    bare: bool = False
    single: bool = False
    lazy: bool = False
    light: bool = False


@dataclass
class Program:
    """A flow as lines of Python, the views that are looked at, and the steps of its history."""

    sources: list[str]
    lines: list[tuple[str, str]]
    views: list[str]
    late: list[str] = field(default_factory=list)
    steps: list[Any] = field(default_factory=list)

    def built(self) -> dict[str, Any]:
        """Every collection by name."""
        names = dict(NAMES)
        for name in self.sources:
            names[name] = eval(SOURCES[name], names)
        for name, code in self.lines:
            names[name] = eval(code, names)
        return names


FIELDS: dict[str, list[Any]] = {
    "sales": ["g", "x", "id", "n"],
    "people": ["g", "age", 1],
    "bags": ["g", "id"],
    "maybe": ["v", "k"],
    "feed": ["k", "v"],
    "edges": [0, 1],
    "words": [0],
    "odd": [],
    "things": [],
    "ticks": ["p"],
    "light": [0, 1],
}

BARE_KEYS = ["letter", "bucket", "letter", "maybe_letter", "float_key", "small", "record_key"]
SCALARS = [
    "letter",
    "bucket",
    "small",
    "number",
    "real",
    "decimal",
    "pair_key",
    "maybe_letter",
    "wrap",
    "odd_one",
    "none",
]
STRUCTURED = ["listed", "mapping", "rec"]

REDUCERS = [
    "r.count()",
    "r.count(where=Fn('odd'))",
    "r.sum(Fn('number'))",
    "r.sum(Fn('real'))",
    "r.sum(Fn('decimal'))",
    "r.sum(Fn('fraction'))",
    "r.sum(Fn('small'), where=Fn('most'))",
    "r.mean(Fn('real'))",
    "r.mean(Fn('number'))",
    "r.min(Fn('small'))",
    "r.max(Fn('letter'))",
    "r.min(Fn('real'))",
    "r.max(Fn('maybe_small'), skip_none=True)",
    "r.max(Fn('small'), keep='one')",
    "r.min(Fn('small'), keep='one')",
    "r.sum(Fn('maybe_small'), skip_none=True)",
    "r.sum(Fn('maybe_small'), skip_none=False)",
    "r.count_distinct(Fn('maybe_letter'), skip_none=False)",
    "r.set(Fn('letter'))",
    "r.list(Fn('odd_one'))",
    "r.multiset(Fn('odd_one'))",
    "r.median(Fn('small'))",
    "r.quantile(0.9, Fn('finite'))",
    "r.quantile(0.5, Fn('small'), discrete=True)",
    "r.mode(Fn('letter'))",
    "r.any(Fn('truth'))",
    "r.all(Fn('truth'))",
    "r.variance(Fn('finite'))",
    "r.stdev(Fn('small'))",
    "r.product(Fn('number'))",
    "r.top(2, by=Fn('small'))",
    "r.bottom(2, by=(Fn('letter'), om.desc(Fn('small'))))",
    "r.arg_min(Fn('small'))",
    "r.arg_max(Fn('letter'), keep='one')",
    "r.first(Fn('letter'), by=Fn('small'))",
    "r.last(Fn('letter'), by=Fn('small'))",
    "r.histogram(Fn('small'), [0, 3, 6])",
    "r.group(Fn('letter'), r.sum(Fn('small')))",
    "r.frequencies(Fn('bucket'))",
    "r.weighted_mean(Fn('finite'), Fn('small'))",
    "r.covariance(Fn('small'), Fn('finite'))",
    "r.regression(Fn('small'), Fn('finite'))",
    "r.approx_count_distinct(Fn('letter'))",
    "r.approx_quantile(0.5, Fn('small'))",
    "a=r.count(), b=r.sum(Fn('small')), c=r.max(Fn('letter'))",
    "a=r.set(Fn('small')), b=r.min(Fn('small'), keep='one')",
    "om.Reducer(0, Fn('plus'), Fn('minus'), of=Fn('small'))",
    "om.Reducer(0, Fn('plus'), of=Fn('small'))",
    "om.Reducer(None, Fn('more_of'), Fn('less_top'), of=Fn('small'))",
    "om.Reducer(list, Fn('push'), Fn('pull'), of=Fn('small'), mutates=True, finish=Fn('shown'))",
    "om.Reducer(list, Fn('fussy_push'), Fn('pull'), mutates=True, finish=Fn('held'))",
    "om.Reducer(list, Fn('push'), Fn('pull'), of=Fn('letter'), mutates=True, finish=Fn('shown'))",
    "om.Reducer(list, Fn('push'), of=Fn('small'), mutates=True, finish=Fn('shown'))",
    "r.sum(Fn('small')).finish(Fn('same'))",
    "r.sum(Fn('small')).finish(Fn('fussy'))",
    "r.sum(Fn('small')).finish(Fn('bucket'))",
]

IN_PLACE = [reducer for reducer in REDUCERS if "mutates" in reducer and "fussy" not in reducer]
"""Reducers whose state is changed in place."""

MAY_RAISE = 0.03, 0.03, 0.03, 0.3
"""How often a function that raises is taken, where one may be: in most programs seldom."""


class Author:
    """Writes a random flow, line by line; a line that cannot be built is not written."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        chosen = rng.sample(list(SOURCES), rng.randrange(1, 4))
        self.program = Program(chosen, [], [])
        self.names = self.program.built()
        self.nodes = [self._source(name) for name in chosen]
        self.may_raise = rng.choice(MAY_RAISE)
        self.copies = 0
        self.joins = 0

    def _source(self, name: str) -> Node:
        return Node(
            name, self.names[name].kind.shape, FIELDS[name], name != "things", light=name == "light"
        )

    def write(self, count: int) -> Program:
        """A program of about so many operators."""
        for _ in range(count * 4):
            if len(self.program.lines) >= count:
                break
            code, traits = self.rng.choice(OPERATORS)(self)
            self.add(code, **traits)
        if self.may_raise > 0.1:
            # What is changed in place, and then, in the same step, something that raises.
            node = self.rng.choice(self.nodes)
            if not node.lazy:
                self.add(f"{node.name}.reduce({self.rng.choice(IN_PLACE)})", ordered=False)
                self.add(f"{node.name}.map({self.fn('fussy')})", ordered=node.ordered)
        self._choose_views()
        return self.program

    def add(self, code: str | None, **traits: Any) -> Node | None:
        """Take a line in, if it can be built."""
        if code is None:
            return None
        name = f"v{len(self.program.lines)}"
        try:
            built = eval(code, self.names)
        except OminusError:
            return None
        self.names[name] = built
        self.program.lines.append((name, code))
        self.nodes.append(Node(name, built.kind.shape, **traits))
        return self.nodes[-1]

    def _choose_views(self) -> None:
        text = " ".join(code for _, code in self.program.lines)
        made = [name for name, _ in self.program.lines]
        leaves = [
            n for n in made if f"{n}." not in text and f"{n})" not in text and f"{n}," not in text
        ]
        some = [n for n in made if n not in leaves and self.rng.random() < 0.4]
        views = leaves + some or made
        if len(views) > 1 and self.rng.random() < 0.3:
            self.program.late = self.rng.sample(views, 1)
        self.program.views = [n for n in views if n not in self.program.late]

    # Choices.

    def node(self, *shapes: str, lazy: bool = False) -> Node | None:
        """A collection of one of these shapes; the later ones are likelier."""
        found = [n for n in self.nodes if (not shapes or n.shape in shapes) and n.lazy is lazy]
        if not found:
            return None
        return found[-1] if self.rng.random() < 0.3 else self.rng.choice(found)

    def fn(self, *names: str) -> str:
        """A function of these names, mostly a copy of its own."""
        if self.rng.random() < 0.7:
            self.copies += 1
            return f"Fn({self.rng.choice(names)!r}, {self.copies})"
        return f"Fn({self.rng.choice(names)!r})"

    def value(self, node: Node, *names: str) -> str:
        """A selector: a field of the node, a lambda, or a function."""
        chance = self.rng.random()
        if node.fields and chance < 0.45:
            return repr(self.rng.choice(node.fields))
        if chance < 0.5:
            return "lambda v: str(v)[:1]"
        return self.fn(*names)

    def raising(self) -> bool:
        return self.rng.random() < self.may_raise


Line = tuple[str | None, dict[str, Any]]
OPERATORS: list[Callable[[Author], Line]] = []


def operator(weight: int) -> Callable[[Callable[[Author], Any]], Any]:
    """One of the operators that an author may write."""

    def adopt(write: Callable[[Author], Any]) -> Any:
        OPERATORS.extend([write] * weight)
        return write

    return adopt
