"""The part of a row that a string, a position or a tuple of these names."""

from __future__ import annotations

from mypy.checker import TypeChecker
from mypy.errorcodes import ATTR_DEFINED
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import CallExpr, Context, Expression, IntExpr, StrExpr, TupleExpr
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    get_proper_type,
)

from ominus.mypy import calls


def part(chk: TypeChecker, row: Type, named: Expression) -> Type | None:
    """What is named by a string, a position or a tuple; None for a function of the row."""
    if isinstance(named, StrExpr):
        return field(chk, row, named.value, named)
    if isinstance(named, IntExpr):
        return position(chk, row, named.value, named)
    if isinstance(named, TupleExpr):
        return tuple_of(chk, [part(chk, row, one) or calls.unknown() for one in named.items])
    if calls.called(named) == "ominus.algebra.select.desc" and isinstance(named, CallExpr):
        for one in named.args:
            part(chk, row, one)
    return None


def tuple_of(chk: TypeChecker, items: list[Type]) -> Type:
    """The type of a tuple."""
    return TupleType(items, chk.named_generic_type("builtins.tuple", [calls.unknown()]))


def field(chk: TypeChecker, row: Type, name: str, at: Context) -> Type:
    """The type of the field that a string names; an error where there is none."""
    row = get_proper_type(row)
    if isinstance(row, AnyType):
        return row
    if isinstance(row, UnionType):
        return make_simplified_union([field(chk, item, name, at) for item in row.items])
    if isinstance(row, TypedDictType):
        if name not in row.items:
            message = f'the row has no field "{name}"; it has {", ".join(row.items)}'
            chk.fail(message, at, code=ATTR_DEFINED)
        return row.items.get(name, calls.unknown())
    found = _of_mapping(row)
    if found is None:
        found = chk.expr_checker.analyze_external_member_access(name, row, at)
    return found


def position(chk: TypeChecker, row: Type, index: int, at: Context) -> Type:
    """The type of the position that an integer names; an error where there is none."""
    row = get_proper_type(row)
    if not isinstance(row, TupleType):
        return _of_mapping(row) or calls.unknown()
    if index < len(row.items):
        return row.items[index]
    message = f"the row has {len(row.items)} positions, none of them {index}"
    chk.fail(message, at, code=ATTR_DEFINED)
    return calls.unknown()


def _of_mapping(row: ProperType) -> Type | None:
    if not isinstance(row, Instance):
        return None
    bases = [base for base in row.type.mro if base.fullname == "typing.Mapping"]
    return map_instance_to_supertype(row, bases[0]).args[1] if bases else None
