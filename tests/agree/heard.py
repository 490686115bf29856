"""Functions of users, for random flows: total, deterministic, printable, and listened to.

`Fn("letter", 3)` is the function `letter`, in the third copy; two copies are two functions.
Each call is noted, so that a test can hold an engine to calling functions only on what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from zlib import crc32

import ominus as om
from ominus.algebra.value import ident

nan, inf = float("nan"), float("inf")


@dataclass(frozen=True)
class Sale:
    id: int
    g: str
    x: int
    y: float
    n: int | None = None


class Person(NamedTuple):
    name: str
    g: str
    age: int


class Opaque:
    """A value that is hashable, of no structure, and in no order."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Opaque({self.name!r})"


# What is known of a value by its text alone, so that functions work on all values.


def text(v: Any) -> str:
    """A text that is the same for values that are one."""
    kind = type(v)
    if kind in (int, str, bool, float, type(None)):
        return repr(v)
    if kind in (set, frozenset):
        return f"{kind.__name__}({sorted(map(text, v))})"
    if kind is om.Multiset:
        return f"Multiset({sorted(map(text, v))})"
    if isinstance(v, tuple | list):
        return f"{kind.__name__}({list(map(text, v))})"
    if isinstance(v, Mapping):
        return f"{kind.__name__}({sorted((text(k), text(x)) for k, x in v.items())})"
    return repr(v)


def code(v: Any) -> int:
    return crc32(text(v).encode())


def pick(v: Any, *choices: Any) -> Any:
    return choices[code(v) % len(choices)]


def small(v: Any) -> int:
    return code(v) % 10


def letter(v: Any) -> str:
    return "abcd"[code(v) % 4]


def bucket(v: Any) -> int:
    return code(v) % 3


def refuse(v: Any) -> None:
    if code(v) % 9 == 0:
        raise ValueError(f"fussy about {text(v)}")


def fussy(v: Any) -> Any:
    refuse(v)
    return v


def fussy_pair(a: Any, b: Any) -> Any:
    refuse((a, b))
    return (a, b)


def fussy_count(m: Any) -> int:
    refuse(m)
    return len(m)


def contents(view: Any) -> list[Any]:
    """The values of a whole view, whatever its shape."""
    if not isinstance(view, Mapping):
        return list(view)
    found: list[Any] = []
    for v in view.values():
        found += v if isinstance(v, om.Multiset) else [v]
    return found


def weight(values: Any) -> int:
    return sum(map(small, values))


def removed(change: Any) -> list[Any]:
    return [] if isinstance(change, om.Insert) else [change.old]


def added(change: Any) -> list[Any]:
    return [] if isinstance(change, om.Delete) else [change.new]


def on_weight(current: Any, change: Any) -> Any:
    return current - weight(removed(change)) + weight(added(change))


def codes(m: Any) -> list[str]:
    return sorted(map(text, m))


def on_codes(current: Any, change: Any) -> Any:
    """Takes in what comes, and gives up where something goes that is not the last."""
    current = list(current)
    for v in removed(change):
        if current and current[-1] == text(v):
            current.pop()
        else:
            return om.RECOMPUTE
    return sorted(current + [text(v) for v in added(change)])


def product_of(a: Any, b: Any) -> int:
    return weight(contents(a)) * weight(contents(b))


def on_side(current: Any, change: Any, other: Any) -> Any:
    by = weight(added(change)) - weight(removed(change))
    return current + by * weight(contents(other))


def on_side_or_not(current: Any, change: Any, other: Any) -> Any:
    """As `on_side`; but sometimes it gives up, and sometimes it sees that nothing changes."""
    by = weight(added(change)) - weight(removed(change))
    if by == 0:
        return om.UNCHANGED
    return om.RECOMPUTE if by % 3 == 0 else on_side(current, change, other)


def follow(v: Any, at: Any) -> Any:
    """Reads one key, and then another that what it found there says."""
    found = text(at.get(letter(v), bucket(v)))
    if small(found) % 3 == 0:
        return (found, len(at))
    return (found, text(at.get(pick(found, "a", "b", 0, 1), None)))


def chain(key: Any, self: Any, view: Any) -> Any:
    """A lazy value that reads itself at smaller keys."""
    found = view.get(key, None)
    below = self[key - 1] if type(key) is int and key > 0 else 0
    return small(found) + below


def halves(key: Any, self: Any, view: Any) -> Any:
    """A lazy value that reads one of two others, as the data say."""
    if type(key) is not int or key <= 0:
        return ("end", text(view.get(0, "none")))
    return ("at", key, self[key - 1 if small(view.get(key, None)) % 2 else key // 2])


def push(state: list[Any], v: Any) -> list[Any]:
    state.append(v)
    return state


def pull(state: list[Any], v: Any) -> list[Any]:
    state.remove(v)
    return state


def through(key: Any, self: Any, view: Any, other: Any) -> Any:
    """A lazy value that reads another lazy one, where the data say so."""
    found = view.get(key, None)
    return (text(found), other[key] if small(found) % 3 else None)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    # Of a value.
    "same": lambda v: v,
    "wrap": lambda v: (v,),
    "letter": letter,
    "bucket": bucket,
    "small": small,
    "none": lambda v: None,
    "maybe_letter": lambda v: pick(v, None, "a", "b", None, "c"),
    "maybe_small": lambda v: pick(v, None, 1, 2, 3),
    "float_key": lambda v: pick(v, 0.5, nan, 1.5, inf, -0.5),
    "clash": lambda v: pick(v, 1, 1, 1, 1, 1, 1, 1, 2, 3, True),
    "pair_key": lambda v: (letter(v), bucket(v)),
    "record_key": lambda v: om.record(g=letter(v)),
    "number": lambda v: pick(v, 0, 1, -1, 2, 3, 7, 2**64, -(2**70), 10**30, 5),
    "real": lambda v: pick(v, 0.0, -0.0, 0.1, 1.5, 1e16, 1e100, -1e100, inf, -inf, nan, 0.3, 2.5),
    "finite": lambda v: pick(v, 0.1, 0.2, 1.5, 1e16, -1e16, 1e100, 0.3, -2.5, 3.0),
    "mixed": lambda v: pick(v, 1, 1.0, 2, 0.5, True, 3, -1.5),
    "decimal": lambda v: pick(v, Decimal("1.0"), Decimal("1.00"), Decimal("0.1"), Decimal("-3")),
    "fraction": lambda v: pick(v, Fraction(1, 3), Fraction(2, 3), Fraction(-1, 2)),
    "truth": lambda v: bool(code(v) % 2),
    "listed": lambda v: [bucket(v), letter(v)],
    "mapping": lambda v: {"g": letter(v), "a": bucket(v), "f": [small(v)]},
    "rec": lambda v: om.record(g=letter(v), x=small(v)),
    "odd_one": lambda v: pick(v, None, 1, 1.0, True, "1", (1,), [1], {1}, nan, 0.0, b"1"),
    "half": lambda v: v if code(v) % 2 else letter(v),
    # Predicates.
    "odd": lambda v: code(v) % 2,
    "most": lambda v: code(v) % 4 != 0,
    "never": lambda v: False,
    # Many.
    "few": lambda v: range(code(v) % 3),
    "twice": lambda v: [v, v],
    "parts": lambda v: [letter(v), bucket(v)],
    # That raise.
    "fussy": fussy,
    "fussy_pair": fussy_pair,
    "fussy_count": fussy_count,
    # Of a pair.
    "pair": lambda a, b: (a, b),
    "left": lambda a, b: a,
    "coded": lambda a, b: code((a, b)) % 7,
    "both": lambda a, b: om.record(l=letter(a), r=small(b)),
    # Of a key and a value.
    "item": lambda k, v: (k, v),
    "key_code": lambda k, v: code((k, v)) % 5,
    # Of a value and a view.
    "follow": follow,
    "look": lambda v, at: at.get(letter(v), 0),
    "look_small": lambda v, at: at.get(bucket(v), "none"),
    "found": lambda v, at: letter(v) in at,
    "length": lambda v, at: (letter(v), len(at)),
    "more": lambda v, at: len(at) > small(v) % 4,
    "value": lambda v, at: (bucket(v), at.value),
    "number_of": lambda v, at: (bucket(v), len(list(at))),
    "repeat": lambda v, at: [letter(v)] * (len(at) % 3),
    "on_demand": lambda v, at: (letter(v), at[bucket(v)]),
    "wanted": lambda v, at: code(at[bucket(v)]) % 2,
    # Of a multiset.
    "spread": lambda m: (len(m), letter(m)),
    "weight": weight,
    "codes": codes,
    "size": len,
    "listing": lambda m: [text(v) for v in m],
    "no_one": lambda m: None,
    # Of a state and a change.
    "on_weight": on_weight,
    "on_codes": on_codes,
    "give_up": lambda current, change: om.RECOMPUTE,
    # Of whole views.
    "weigh_all": lambda *views: tuple(weight(contents(v)) for v in views),
    "in_order": lambda *views: [text(v) for view in views for v in view],
    "lengths": lambda *views: [len(v) for v in views],
    "product_of": product_of,
    "on_side": on_side,
    "on_side_or_not": on_side_or_not,
    # On demand.
    "chain": chain,
    "halves": halves,
    "through": through,
    # Of a reducer of the user's.
    "plus": lambda a, v: a + v,
    "minus": lambda a, v: a - v,
    "more_of": lambda a, v: v if a is None or v > a else a,
    "less_top": lambda a, v: a if v < a else om.RECOMPUTE,
    "push": push,
    "fussy_push": lambda state, v: push(state, fussy(v)),
    "pull": pull,
    "held": len,
    "shown": lambda state: tuple(sorted(state)),
}
"""All functions by name."""

UNHEARD = {
    "on_weight",
    "on_codes",
    "give_up",
    "weigh_all",
    "lengths",
    "in_order",
    "product_of",
    "on_side",
    "on_side_or_not",
    "chain",
    "halves",
    "through",
    "plus",
    "minus",
    "more_of",
    "less_top",
    "push",
    "fussy_push",
    "pull",
    "held",
    "shown",
}
"""Functions whose arguments are states, changes and views: their calls say nothing of rows."""

READING = {
    "follow",
    "look",
    "look_small",
    "found",
    "length",
    "more",
    "value",
    "number_of",
    "repeat",
    "on_demand",
    "wanted",
}
"""Functions whose second argument is a view."""

Call = tuple[str, int, Any]


class Heard:
    """The calls of functions since somebody began to listen."""

    def __init__(self) -> None:
        self.calls: set[Call] = set()

    def note(self, f: Fn, args: tuple[Any, ...]) -> None:
        if f.name not in UNHEARD:
            self.calls.add((f.name, f.copy, ident(args[:1] if f.name in READING else args)))

    def taken(self) -> set[Call]:
        """The calls until now, forgotten here."""
        calls, self.calls = self.calls, set()
        return calls


heard = Heard()


@dataclass(frozen=True)
class Fn:
    """A function by name, one of its copies."""

    name: str
    copy: int = 0

    def __call__(self, *args: Any) -> Any:
        heard.note(self, args)
        return FUNCTIONS[self.name](*args)

    def __repr__(self) -> str:
        return f"Fn({self.name!r}, {self.copy})"
