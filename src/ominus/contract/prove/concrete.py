"""A solver's model as Python values, small ones where it may choose."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any

import z3

from ominus.contract.prove.terms import Cases, Leaf, Nothing, Parts, Sym, Untranslatable, Whole
from ominus.trace.kinds import Alien, Tuple, spell

_STAND_IN: dict[Any, tuple[Any, ...]] = {
    float: (1.0, 0.0, 2.5, -1.0, 1e16, 0.1),
    Decimal: (Decimal(1), Decimal(0), Decimal("2.5"), Decimal(-1)),
    bytes: (b"a", b"", b"b"),
    "Any": (0, 1, 2, 3),
    "object": (0, 1, 2, 3),
}


def concrete(value: Sym, model: Any) -> Any:
    """The Python value that a model gives a symbolic one."""
    if isinstance(value, Cases):
        for guard, option in value.options:
            if z3.is_true(model.eval(guard, model_completion=True)):
                return concrete(option, model)
    if isinstance(value, Whole):
        return value.value
    if isinstance(value, Parts):
        return _built(value, [concrete(x, model) for x in value.items])
    if isinstance(value, Leaf):
        return _scalar(value, model)
    raise Untranslatable("a value that is none" if isinstance(value, Nothing) else "no case holds")


def _built(value: Parts, items: list[Any]) -> Any:
    kind = value.kind
    if isinstance(kind, Tuple):
        return kind.py(items)
    if kind.kind == "namedtuple":
        return kind.make(*items)
    return kind.make(**{n: x for (n, _), x in zip(kind.fields, items, strict=True)})


def _scalar(leaf: Leaf, model: Any) -> Any:
    kind = leaf.kind
    if kind is NoneType:
        return None
    found = model.eval(leaf.term, model_completion=True)
    if kind is bool:
        return z3.is_true(found)
    if kind is str and z3.is_string_value(found):
        return unescaped(found.as_string())
    if kind is Fraction and z3.is_rational_value(found):
        return Fraction(found.numerator_as_long(), found.denominator_as_long())
    if z3.is_int_value(found):
        return _from_int(kind, found.as_long())
    if kind in (str, Fraction):
        raise Untranslatable("a term that the model does not give")
    some = _STAND_IN.get(kind.name if isinstance(kind, Alien) else kind)
    if some is None:
        raise Untranslatable(f"no value of {spell(kind)} is known")
    return some[int(re.sub(r"\D", "", str(found)[-3:]) or 0) % len(some)]


def _from_int(kind: Any, n: int) -> Any:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)[n]
    if kind is date:
        return date.fromordinal(n)
    return n * timedelta.resolution if kind is timedelta else n


def unescaped(text: str) -> str:
    """A string as the solver prints it.

    >>> unescaped("a\\\\u{e9}")
    'aé'
    """
    return re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda m: chr(int(m[1], 16)), text)
