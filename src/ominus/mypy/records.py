"""The type of a record: a tuple whose fallback remembers which field has which position.

The positions are literals, for mypy's cache does not keep the order of names.
Where the names are lost, as where two records meet in one type, the fields are Any.
"""

from __future__ import annotations

from mypy.checker import TypeChecker
from mypy.errorcodes import ATTR_DEFINED
from mypy.nodes import CallExpr, Context
from mypy.plugin import AttributeContext, FunctionContext
from mypy.types import (
    ExtraAttrs,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    get_proper_type,
)

from ominus.mypy import calls, parts

RECORD = "ominus.algebra.record.Record"
Fields = dict[str, Type]


def type_of(chk: TypeChecker, fields: Fields) -> Type:
    """The type of a record with these fields."""
    number = chk.named_generic_type("builtins.int", [])
    places: Fields = {name: LiteralType(i, number) for i, name in enumerate(fields)}
    owner = calls.info(chk, "ominus.algebra.record", "Record")
    fallback = Instance(owner, [], extra_attrs=ExtraAttrs(places, set(), None))
    return TupleType([_widened(kind) for kind in fields.values()], fallback)


def _widened(kind: Type) -> Type:
    """A type without the value that its expression has."""
    kind = get_proper_type(kind)
    return kind.copy_modified(last_known_value=None) if isinstance(kind, Instance) else kind


def named(kind: ProperType) -> Fields | None:
    """The fields of a record type, or None where their names are not known."""
    if not isinstance(kind, TupleType) or kind.partial_fallback.type.fullname != RECORD:
        return None
    places = kind.partial_fallback.extra_attrs
    if places is None or len(places.attrs) != len(kind.items):
        return None
    ordered = {p.value: n for n, p in places.attrs.items() if isinstance(p, LiteralType)}
    return {ordered[i]: item for i, item in enumerate(kind.items)}


def read(ctx: AttributeContext, name: str) -> Type:
    """A field of a record; an error where it has none of the name."""
    fields = named(get_proper_type(ctx.type))
    if fields is None or name in fields:
        return ctx.default_attr_type if fields is None else fields[name]
    message = f'the record has no field "{name}"; it has {", ".join(fields)}'
    ctx.api.fail(message, ctx.context, code=ATTR_DEFINED)
    return calls.unknown()


def fields_of(chk: TypeChecker, kind: Type, at: Context) -> Fields | None:
    """All fields of a row, or None where they are not known."""
    kind = get_proper_type(kind)
    if isinstance(kind, TypedDictType):
        return dict(kind.items)
    if isinstance(kind, TupleType):
        names = kind.partial_fallback.type.metadata.get("namedtuple", {}).get("fields")
        return named(kind) or (dict(zip(names, kind.items, strict=True)) if names else None)
    if not isinstance(kind, Instance):
        return None
    for mark in ("dataclass", "attrs"):
        found = kind.type.metadata.get(mark, {}).get("attributes")
        if found:
            return {f["name"]: parts.field(chk, kind, f["name"], at) for f in found}
    return None


def both(first: Fields, then: Fields) -> Fields:
    """The fields of two rows: where both have one, it is one."""
    return first | {name: kind for name, kind in then.items() if name not in first}


def record(ctx: FunctionContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`om.record(...)`: the fields of the rows, then what is named."""
    rows: Fields = {}
    said: Fields = {}
    for kinds, names in zip(ctx.arg_types, ctx.arg_names, strict=True):
        for kind, name in zip(kinds, names, strict=True):
            if name is not None:
                said[name] = kind
                continue
            found = fields_of(chk, kind, call)
            if found is None:
                return None
            rows = both(rows, found)
    return type_of(chk, rows | said)
