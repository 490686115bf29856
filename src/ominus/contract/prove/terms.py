"""Symbolic values: a Python value of a known type, as solver terms.

A scalar is one term; a tuple or row is its parts; a value of several types is its cases, each under
the condition that it is the one.
What is only passed on is a term of a sort of its own, of which the solver knows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum, Flag
from fractions import Fraction
from types import NoneType
from typing import Any, TypeAlias

import z3

from ominus.algebra.record import part_names
from ominus.trace.expr import const_key
from ominus.trace.hints import type_of_value
from ominus.trace.kinds import Alien, Many, Row, Tuple, Type, Union, python_class, spell

Term: TypeAlias = Any


class Untranslatable(Exception):
    """Something that has no term, and why."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A scalar; of None there is no term."""

    kind: Any
    term: Term


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A constant of no known structure, told by identity: `RECOMPUTE`."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A tuple, list or row."""

    kind: Tuple | Row
    items: tuple[Sym, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """One of several values of different types; exactly one condition holds."""

    options: tuple[tuple[Term, Leaf | Whole | Parts], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """No value: the path raised."""


Sym: TypeAlias = Leaf | Whole | Parts | Cases | Nothing
NOTHING = Nothing()
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


# ---- conditions; what is plainly true or false is the one object that says so


def both(*terms: Term) -> Term:
    """All of them."""
    kept = [t for t in terms if t is not TRUE]
    if any(t is FALSE for t in kept):
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else z3.And(*kept)


def either(*terms: Term) -> Term:
    """One of them at least."""
    kept = [t for t in terms if t is not FALSE]
    if any(t is TRUE for t in kept):
        return TRUE
    return FALSE if not kept else kept[0] if len(kept) == 1 else z3.Or(*kept)


def no(term: Term) -> Term:
    """Not."""
    if term is TRUE:
        return FALSE
    return TRUE if term is FALSE else z3.Not(term)


def choose(test: Term, then: Term, other: Term) -> Term:
    """One of two terms of one sort."""
    if test is TRUE or then is other or then.eq(other):
        return then
    return other if test is FALSE else z3.If(test, then, other)


# ---- sorts


def sort_of(kind: Any) -> Any:
    """The sort of a scalar type."""
    if kind in _SORTS:
        return _SORTS[kind]
    if is_enum(kind):
        return z3.IntSort()
    return z3.DeclareSort(f"a {spell(kind)}")


_SORTS: dict[Any, Any] = {
    int: z3.IntSort(),
    bool: z3.BoolSort(),
    str: z3.StringSort(),
    Fraction: z3.RealSort(),
    date: z3.IntSort(),
    timedelta: z3.IntSort(),
}


def fresh(kind: Type, name: str) -> tuple[Sym, list[Term]]:
    """Any value of a type, and what is known of its terms."""
    if isinstance(kind, Union):
        return _fresh_cases(kind, name)
    if isinstance(kind, (Tuple, Row)):
        made = [fresh(k, f"{name}.{n}") for n, k in named_parts(kind)]
        return Parts(kind, tuple(m[0] for m in made)), [t for m in made for t in m[1]]
    if kind is NoneType:
        return Leaf(NoneType, None), []
    term = z3.Const(name, sort_of(kind))
    return Leaf(kind, term), _bounds(kind, term)


def is_enum(kind: Any) -> bool:
    """Whether its values are its members; a flag has more."""
    return isinstance(kind, type) and issubclass(kind, Enum) and not issubclass(kind, Flag)


def _bounds(kind: Any, term: Term) -> list[Term]:
    if is_enum(kind):
        return [term >= 0, term < len(kind)]
    if kind is date:
        return [term >= 1, term <= date.max.toordinal()]
    if kind is timedelta:
        most = timedelta.max // timedelta.resolution
        return [term >= timedelta.min // timedelta.resolution, term <= most]
    return []


def _fresh_cases(kind: Union, name: str) -> tuple[Sym, list[Term]]:
    tag = z3.Int(f"{name}?")
    options, known = [], [tag >= 0, tag < len(kind.members)]
    for i, member in enumerate(kind.members):
        value, facts = fresh(member, f"{name}|{i}")
        if isinstance(value, (Cases, Nothing)):
            raise Untranslatable("a union inside a union")
        options.append((tag == i, value))
        known += facts
    if len({key_of(v) for _, v in options}) < len(options):
        raise Untranslatable(f"two types of {spell(kind)} look alike")
    return Cases(tuple(options)), known


def named_parts(kind: Tuple | Row) -> list[tuple[str | int, Type]]:
    """What a tuple or row is made of, by position or name."""
    return list(enumerate(kind.items)) if isinstance(kind, Tuple) else list(kind.fields)


def lift(value: Any) -> Sym:
    """A value that is known, as terms."""
    kind = type_of_value(value)
    if value is None:
        return Leaf(NoneType, None)
    if isinstance(kind, Tuple):
        return Parts(kind, tuple(map(lift, value)))
    if isinstance(kind, Row):
        by_name = kind.kind == "dict"
        parts = [value[n] if by_name else getattr(value, n) for n, _ in kind.fields]
        return Parts(kind, tuple(map(lift, parts)))
    scalar = _lift_scalar(value)
    if scalar is not None:
        return Leaf(type(value), scalar)
    if isinstance(kind, (Alien, Many)):
        return Whole(value)
    return Leaf(kind, z3.Const(f"const {const_key(value)!r}", sort_of(kind)))


def _lift_scalar(value: Any) -> Term | None:
    match value:
        case bool():
            return TRUE if value else FALSE
        case Enum() if is_enum(type(value)):
            return _member(value)
        case Enum():
            return None
        case int() if type(value) is int:
            return z3.IntVal(value)
        case str() if type(value) is str:
            return text(value)
        case Fraction():
            return z3.Q(value.numerator, value.denominator)
        case date() if type(value) is date:
            return z3.IntVal(value.toordinal())
        case timedelta():
            return z3.IntVal(value // timedelta.resolution)
    return None


def _member(value: Enum) -> Term:
    members = list(type(value))
    if value not in members:
        raise Untranslatable(f"{value!r} is no member of its enum")
    return z3.IntVal(members.index(value))


# The solver's strings end at 0x2FFFF, and Python's go on. Only the order of characters is asked, so
# those above a constant's stand for all of Python's, as long as enough of them are left.
LAST = 0x1FFFF


def text(value: str) -> Term:
    """A string; every character escaped, for the solver reads escapes."""
    if any(ord(c) > LAST for c in value):
        raise Untranslatable("a character that the solver does not have")
    return z3.StringVal("".join(f"\\u{{{ord(c):x}}}" for c in value))


# ---- cases


def key_of(value: Sym) -> Any:
    """What tells the types of a value's cases apart."""
    match value:
        case Leaf(kind):
            return kind
        case Whole(value=constant):
            return ("whole", id(constant))
        case Parts(Tuple(items, py)):
            return (py, len(items))
        case Parts(Row() as row):
            return (row.py, *(n for n, _ in row.fields))
    raise AssertionError(value)


def class_of(value: Leaf | Whole | Parts) -> type | None:
    """`type(value)`, if it is known."""
    return type(value.value) if isinstance(value, Whole) else python_class(value.kind)


def options(value: Sym) -> tuple[tuple[Term, Leaf | Whole | Parts], ...]:
    """The cases of a value."""
    if isinstance(value, Cases):
        return value.options
    return () if isinstance(value, Nothing) else ((TRUE, value),)


def branch(test: Term, then: Sym, other: Sym) -> Sym:
    """One of two values."""
    if then is other or isinstance(other, Nothing) or test is TRUE:
        return then
    if isinstance(then, Nothing) or test is FALSE:
        return other
    if not isinstance(then, Cases) and not isinstance(other, Cases):
        if key_of(then) == key_of(other):
            joined: Sym = _joined(test, then, other)
            return joined
    return _split(test, then, other)


def _joined(test: Term, then: Any, other: Any) -> Any:
    if isinstance(then, Parts):
        items = [branch(test, a, b) for a, b in zip(then.items, other.items, strict=True)]
        return Parts(then.kind, tuple(items))
    if isinstance(then, Whole) or then.term is None:
        return then
    return Leaf(then.kind, choose(test, then.term, other.term))


def _split(test: Term, then: Sym, other: Sym) -> Sym:
    found: dict[Any, tuple[Term, Any]] = {}
    for side, value in ((test, then), (no(test), other)):
        for guard, option in options(value):
            key, here = key_of(option), both(side, guard)
            if key in found:
                guard_before, before = found[key]
                found[key] = either(guard_before, here), _joined(here, option, before)
            else:
                found[key] = here, option
    return Cases(tuple(found.values()))


def equal(a: Sym, b: Sym) -> Term:
    """Whether two values are one: of one type, part by part."""
    pairs = [
        both(g, h, _equal(x, y))
        for g, x in options(a)
        for h, y in options(b)
        if key_of(x) == key_of(y)
    ]
    return either(*pairs)


def _equal(a: Any, b: Any) -> Term:
    if isinstance(a, Parts):
        told_by_parts(a.kind)
        return both(*(equal(x, y) for x, y in zip(a.items, b.items, strict=True)))
    if isinstance(a, Whole) or a.term is None or a.term.eq(b.term):
        return TRUE
    return a.term == b.term


def told_by_parts(kind: Tuple | Row) -> None:
    """Fail where values with the same parts may be two values."""
    if isinstance(kind, Tuple) or kind.kind == "dict":
        return
    names = part_names(kind.py)
    if hasattr(kind.py, "__ident__") or names is None or set(names) != {n for n, _ in kind.fields}:
        raise Untranslatable(f"a {spell(kind)} is more than its fields")


def is_whole(value: Sym, constant: Any) -> Term:
    """Whether a value is this constant."""
    return either(*(g for g, x in options(value) if isinstance(x, Whole) and x.value is constant))


def as_type(value: Sym, kind: Type) -> Sym:
    """The case of a value that has this type, where it has it."""
    found = [x for _, x in options(value) if _has(x, kind)]
    if len(found) > 1 or (not found and any(_passed_on(x) for _, x in options(value))):
        raise Untranslatable("the type of what is only passed on")
    return found[0] if found else NOTHING


def _has(value: Leaf | Whole | Parts, kind: Type) -> bool:
    if isinstance(value, Leaf):
        return bool(value.kind == kind)
    if isinstance(value, Parts) and isinstance(kind, (Tuple, Row)):
        return bool(key_of(value) == key_of(Parts(kind, ())))
    return isinstance(value, Whole) and bool(type_of_value(value.value) == kind)


def _passed_on(value: Leaf | Whole | Parts) -> bool:
    return isinstance(value, Whole) or (isinstance(value, Leaf) and isinstance(value.kind, Alien))


def part(value: Sym, key: str | int) -> Sym:
    """A field or an item."""
    found: Sym = NOTHING
    for guard, option in options(value):
        if not isinstance(option, Parts):
            raise Untranslatable("a part of what is only passed on")
        names = [n for n, _ in named_parts(option.kind)]
        at = key if isinstance(key, int) else names.index(key)
        found = branch(guard, option.items[at], found)
    return found


def fits(value: Sym, kind: Type) -> Term:
    """Whether a value has a type, as far down as its cases go; true where that is not known."""
    members = kind.members if isinstance(kind, Union) else (kind,)
    return either(*(both(g, _fits(x, members)) for g, x in options(value)))


def _fits(value: Leaf | Whole | Parts, members: Iterable[Type]) -> Term:
    if _passed_on(value):
        return TRUE
    for kind in members:
        if _has(value, kind):
            if isinstance(value, Parts) and isinstance(kind, (Tuple, Row)):
                kinds = [k for _, k in named_parts(kind)]
                return both(*(fits(x, k) for x, k in zip(value.items, kinds, strict=True)))
            return TRUE
    return FALSE


def leaves(value: Sym, guard: Term = TRUE, at: str = "") -> list[tuple[Term, str, Leaf]]:
    """Every scalar of a value: when it is there, where, and what it is."""
    found: list[tuple[Term, str, Leaf]] = []
    for here, option in options(value):
        there = both(guard, here)
        if isinstance(option, Leaf):
            found.append((there, at, option))
        elif isinstance(option, Parts):
            for (name, _), item in zip(named_parts(option.kind), option.items, strict=True):
                below = f".{name}" if isinstance(name, str) else f"[{name}]"
                found += leaves(item, there, at + below)
    return found
