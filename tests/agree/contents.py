"""Sources for random flows, and the rows and changes that they are sent.

`Contents` is what the sources hold: a model of the door, so plain that one believes it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import ominus as om
from heard import Opaque, Person, Sale, inf, nan
from ominus.algebra.change import ABSENT
from ominus.algebra.value import ident
from ominus.errors import KeyAbsent, KeyPresent, RowAbsent

SOURCES = {
    "sales": 'om.source("sales", Sale, key="id")',
    "people": 'om.source("people", Person, key="name")',
    "bags": 'om.source("bags", key=("g", "id"))',
    "maybe": 'om.source("maybe", key="k")',
    "feed": 'om.source("feed", key="k", sequence="lsn")',
    "words": 'om.source("words", str)',
    "edges": 'om.source("edges", tuple[int, int])',
    "odd": 'om.source("odd")',
    "things": 'om.source("things")',
    "ticks": 'om.source("ticks")',
    "light": 'om.source("light", tuple[str, int], keep=False)',
}
"""The definition of each source."""

KEYS = {
    "sales": lambda row: row.id,
    "people": lambda row: row.name,
    "bags": lambda row: (row["g"], row["id"]),
    "maybe": lambda row: row["k"],
    "feed": lambda row: row["k"],
}
"""The keys of the sources that have one."""


def sale(rng: Random) -> Any:
    return Sale(
        rng.randrange(7),
        rng.choice("abc"),
        rng.choice([-1, 0, 1, 2, 2**70]),
        rng.choice([0.0, -0.0, 0.5, 1e16, nan, inf]),
        rng.choice([None, None, 1, 2]),
    )


def person(rng: Random) -> Any:
    return Person(rng.choice("abcd"), rng.choice("ab"), rng.randrange(3))


def bag(rng: Random) -> Any:
    return {
        "id": rng.randrange(3),
        "g": rng.choice("ab"),
        "v": odd(rng),
        "bag": [rng.randrange(2) for _ in range(rng.randrange(2))],
    }


def maybe(rng: Random) -> Any:
    return {"k": rng.choice([None, nan, 1, "a", 2.5, (1, None), b"a"]), "v": rng.randrange(3)}


def feed(rng: Random) -> Any:
    return {"k": rng.randrange(3), "v": rng.randrange(3), "lsn": rng.randrange(60)}


def odd(rng: Random, depth: int = 2) -> Any:
    flat = [
        None,
        True,
        False,
        0,
        1,
        1.0,
        -0.0,
        nan,
        inf,
        2**65,
        -3,
        "",
        "a",
        "b",
        b"a",
        Decimal("1.0"),
        Decimal("1.00"),
        datetime(2026, 1, 1),
        datetime(2026, 1, 1).date(),
    ]
    if depth == 0 or rng.random() < 0.6:
        return rng.choice(flat)
    parts = [odd(rng, depth - 1) for _ in range(rng.randrange(3))]
    make = rng.randrange(5)
    if make == 0:
        return parts
    if make == 1:
        return tuple(parts)
    if make == 2:
        return {rng.choice("ab"): part for part in parts}
    if make == 3:
        return {rng.choice([1, "a", None, 2.5]) for _ in parts}
    return om.record(a=rng.randrange(2), b=odd(rng, 0))


def thing(rng: Random) -> Any:
    one = Opaque(rng.choice("abc"))
    return rng.choice([one, [one], {"t": one}, 1])


def tick(rng: Random) -> Any:
    at = datetime(2026, 1, 1) + timedelta(minutes=rng.choice([0, 10, 30, 59, 60, 90]))
    return {"at": at, "p": rng.choice("ab")}


ROWS = {
    "sales": sale,
    "people": person,
    "bags": bag,
    "maybe": maybe,
    "feed": feed,
    "words": lambda rng: rng.choice(["a", "b", "c", "d", "aa"]),
    "edges": lambda rng: (rng.randrange(4), rng.randrange(4)),
    "odd": odd,
    "things": thing,
    "ticks": tick,
    "light": lambda rng: (rng.choice("abc"), rng.randrange(3)),
}
"""A random row of each source."""

BIG = 11
"""Above so many rows a source is mostly made smaller."""


class Contents:
    """The rows of each source, and how a change would alter them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.keyed: dict[str, dict[Any, Any]] = {n: {} for n in names if n in KEYS}
        self.loose: dict[str, list[Any]] = {n: [] for n in names if n not in KEYS}
        self.marks: dict[Any, int] = {}

    def copy(self) -> Contents:
        new = Contents(self.names)
        new.keyed = {n: dict(rows) for n, rows in self.keyed.items()}
        new.loose = {n: list(rows) for n, rows in self.loose.items()}
        new.marks = dict(self.marks)
        return new

    def rows(self, name: str) -> list[Any]:
        return list(self.keyed[name].values()) if name in self.keyed else list(self.loose[name])

    def all(self) -> dict[str, list[Any]]:
        return {name: self.rows(name) for name in self.names}

    def apply(self, name: str, change: Any) -> None:
        if name == "feed":
            self._apply_feed(change)
        elif name in self.keyed:
            self._apply_keyed(name, change)
        else:
            self._apply_loose(self.loose[name], change)

    def _apply_feed(self, change: Any) -> None:
        deleted = isinstance(change, om.Delete)
        key = change.key if deleted else change.new["k"]
        at = change.sequence if deleted else change.new["lsn"]
        if at <= self.marks.get(key, -1):
            return
        self.marks[key] = at
        if deleted:
            self.keyed["feed"].pop(ident(key), None)
        else:
            self.keyed["feed"][ident(key)] = change.new

    def _apply_keyed(self, name: str, change: Any) -> None:
        rows, of = self.keyed[name], KEYS[name]
        old = getattr(change, "old", ABSENT)
        named = change.key if isinstance(change, om.Delete) else ABSENT
        row = old if old is not ABSENT else getattr(change, "new", ABSENT)
        i = ident(of(row) if named is ABSENT else named)
        if isinstance(change, om.Insert) and i in rows:
            raise KeyPresent("insert")
        if isinstance(change, om.Update | om.Delete) and i not in rows:
            raise KeyAbsent("update or delete")
        if old is not ABSENT and ident(old) != ident(rows[i]):
            raise RowAbsent("another row is there")
        if isinstance(change, om.Delete):
            del rows[i]
        else:
            rows[i] = change.new

    def _apply_loose(self, rows: list[Any], change: Any) -> None:
        if isinstance(change, om.Delete | om.Update):
            place = [n for n, row in enumerate(rows) if ident(row) == ident(change.old)]
            if not place:
                raise RowAbsent("delete")
            del rows[place[0]]
        if isinstance(change, om.Insert | om.Update):
            rows.append(change.new)


def change(rng: Random, contents: Contents, name: str) -> Any:
    """A random change of a source, which mostly fits."""
    rows = contents.rows(name)
    new = ROWS[name](rng)
    if name == "feed":
        new["lsn"] = max(0, max(contents.marks.values(), default=0) + rng.randrange(-2, 4))
        if rng.random() < 0.3:
            return om.Delete(key=new["k"], sequence=new["lsn"])
        return rng.choice([om.Insert, om.Update, om.Upsert])(new)
    if name not in KEYS:
        if rows and rng.random() < (0.7 if len(rows) > BIG else 0.4):
            old = rng.choice(rows)
            return om.Delete(old) if name == "light" or rng.random() < 0.7 else om.Update(old, new)
        return om.Insert(rng.choice(rows) if rows and rng.random() < 0.3 else new)
    return keyed_change(rng, rows, KEYS[name], new)


def keyed_change(rng: Random, rows: list[Any], of: Any, new: Any) -> Any:
    there = {ident(of(row)): row for row in rows}
    old = there.get(ident(of(new)))
    if rows and rng.random() < 0.35:
        gone = rng.choice(rows)
        return om.Delete(gone) if rng.random() < 0.5 else om.Delete(key=of(gone))
    if rng.random() < 0.2:
        return om.Upsert(new)
    if old is None:
        return om.Insert(new)
    return rng.choice([om.Update(new), om.Update(old, new), om.Update(old)])


def misfit(rng: Random, contents: Contents, name: str) -> Any:
    """A change that may well be refused."""
    new = ROWS[name](rng)
    kinds = [om.Insert(new), om.Delete(new)]
    if name in KEYS:
        kinds += [om.Update(new), om.Update(new, new), om.Delete(key=KEYS[name](new))]
    return rng.choice(kinds)
