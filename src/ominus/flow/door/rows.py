"""The ways in of rows: for each class one function, whose hot path is a single `if`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any, get_origin

from ominus.algebra.order import order
from ominus.algebra.record import Record, part_names, record_class
from ominus.algebra.value import is_frozen, replaced
from ominus.flow.door.check import Check, Source, kept
from ominus.flow.door.containers import Of
from ominus.flow.door.refuse import Keep, Refused
from ominus.flow.types import ANY, RecordType, class_name, fields_of_type, shown, uniform
from ominus.flow.types.fields import is_typed_dict, required_keys

_UNSET = object()


def row(kind: Any, of: Of) -> Check | None:
    """The check of a type of rows; None for other kinds."""
    cls = get_origin(kind) or kind
    if isinstance(kind, RecordType):
        cls = record_class(tuple(name for name, _ in kind.fields))
    elif not isinstance(cls, type) or cls is Record or hasattr(cls, "__ident__"):
        return None
    fields = fields_of_type(kind)
    if fields is None:
        return None
    if is_typed_dict(cls):
        return _typed_dict(kind, cls, {n: of(k) for n, k in fields.items()})
    return _Rows(kind, cls, fields, of).check()


class _Rows:
    """The rows of one class."""

    def __init__(self, kind: Any, cls: Any, fields: dict[str, Any], of: Of) -> None:
        self.kind, self.cls, self.of, self.kinds = kind, cls, of, fields
        names = dict.fromkeys([*fields, *(part_names(cls) or ())])
        self.fields = {name: of(fields.get(name, ANY)) for name in names}
        self.keeps = [(name, check.keep) for name, check in self.fields.items()]
        self.mutable = not issubclass(cls, tuple) and not is_frozen(cls)
        self.below: dict[type, Keep] = {}

    def check(self) -> Check:
        keep = self.front(self.slow)
        quick = not self.mutable and all(c.test for c in self.fields.values())
        return Check(keep, kept(keep) if quick else None, front=self.front)

    def front(self, slow: Keep) -> Keep:
        """The slow path, with the `if` over the exact types of all fields in front."""
        source = Source()
        conditions = [f"type(row) is {source.name(self.cls)}"]
        for place, check in self.places():
            if check.test is None:
                return slow
            conditions.append(check.test(place, source))
        result = f"{source.name(replaced)}(row, {{}})" if self.mutable else "row"
        return source.function(conditions, result, slow)

    def places(self) -> Iterator[tuple[str, Check]]:
        """How generated code reads each field, and its check."""
        by_position = issubclass(self.cls, tuple)
        for i, (name, check) in enumerate(self.fields.items()):
            if by_position:
                yield f"row[{i}]", check
            else:
                plainly = name.isidentifier() and not iskeyword(name)
                yield (f"row.{name}" if plainly else f"getattr(row, {name!r})"), check

    def slow(self, value: Any) -> Any:
        """Field by field: what is to be converted, copied or refused."""
        if type(value) is self.cls:
            return _kept_fields(value, self.keeps, self.mutable)
        if isinstance(value, self.cls):
            way = self.below.get(type(value))
            if way is None:
                way = self.below[type(value)] = self.way_of(type(value))
            return way(value)
        raise Refused(value, self.kind, todo=self.advice(value))

    def way_of(self, cls: Any) -> Keep:
        """The way in of a subclass: declared fields as declared, its own as its class says."""
        if uniform(self.kind) and (issubclass(cls, tuple) or not uniform(cls)):
            return self.refuse_subclass
        own = fields_of_type(cls) or {}
        return _Rows(self.kind, cls, own | self.kinds, self.of).slow

    def refuse_subclass(self, value: Any) -> Any:
        name = shown(self.kind)
        raise Refused(
            value,
            self.kind,
            why=f"rows of {name} are told apart by ==, and with this subclass they would not be",
            todo=f"Give a row of {name} itself, or declare {class_name(type(value))}.",
        )

    def advice(self, value: Any) -> str:
        name = "om.record" if issubclass(self.cls, Record) else class_name(self.cls)
        if isinstance(value, Mapping):
            return f"Write {_from_mapping(self.cls, name)}."
        if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
            return f"Write {name}(*row)."
        return ""


def _from_mapping(cls: Any, name: str) -> str:
    if hasattr(cls, "model_validate"):
        return f"{name}.model_validate(row)"
    return f"{name}(**row)"


def _kept_fields(value: Any, keeps: list[tuple[str, Keep]], mutable: bool) -> Any:
    changed: dict[str, Any] = {}
    for name, keep in keeps:
        old = getattr(value, name, _UNSET)
        if old is _UNSET:
            why = f"its field {name} has no value"
            raise Refused(value, type(value), why=why, todo="Give it one.")
        try:
            new = keep(old)
        except Refused as no:
            raise no.inside(name) from None
        if new is not old:
            changed[name] = new
    return replaced(value, changed) if changed or mutable else value


def _typed_dict(kind: Any, cls: Any, fields: dict[str, Check]) -> Check:
    required = required_keys(cls)
    in_order = [(name, fields[name].keep) for name in sorted(fields, key=order)]

    def keep(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise Refused(value, kind, todo=f"Give a dict with the keys {', '.join(fields)}.")
        _check_keys(value, kind, fields, required)
        found = {}
        for name, way in in_order:
            if name in value:
                try:
                    found[name] = way(value[name])
                except Refused as no:
                    raise no.inside(name) from None
        return found

    def front(slow: Keep) -> Keep:
        return _typed_dict_front(fields, slow)

    return Check(front(keep), front=front)


def _check_keys(
    value: Mapping[Any, Any], kind: Any, fields: Mapping[str, Any], required: frozenset[str]
) -> None:
    extra = [key for key in value if key not in fields]
    if extra:
        why = f"it has a key {extra[0]!r}, which {shown(kind)} does not declare"
        raise Refused(value, kind, why=why, todo="Leave it out, or declare it.")
    absent = [name for name in fields if name in required and name not in value]
    if absent:
        why = f"it has no key {absent[0]!r}"
        raise Refused(value, kind, why=why, todo="Give it, or declare it NotRequired.")


def _typed_dict_front(fields: dict[str, Check], slow: Keep) -> Keep:
    """A new dict at once, its keys in order, where all are there and exactly of their types."""
    if not fields or not all(c.test for c in fields.values()):
        return slow
    source = Source()
    conditions = ["type(row) is dict", f"len(row) == {len(fields)}"]
    places = {name: f"row[{name!r}]" for name in sorted(fields, key=order)}
    conditions += [fields[n].test(place, source) for n, place in places.items()]  # type: ignore[misc]
    result = ", ".join(f"{name!r}: {place}" for name, place in places.items())
    return source.function(conditions, f"{{{result}}}", slow)
