"""Attributes and items: of rows, of built-in values, of classes, and of modules."""

from __future__ import annotations

from dataclasses import is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum, Flag
from enum import property as enum_property
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import SCALARS, Many, Row, Tuple, python_class, spell
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound, Cell, Method, Slice

_DATE = frozenset({"year", "month", "day"})
PARTS: dict[type, frozenset[str]] = {
    date: _DATE,
    datetime: _DATE | {"hour", "minute", "second", "microsecond", "fold"},
    timedelta: frozenset({"days", "seconds", "microseconds"}),
}
_READ: tuple[Any, ...] = (object.__getattribute__, tuple.__getattribute__)


def lookup(cls: type, name: str) -> Any:
    """What a class, or one above it, has under a name, as it stands there."""
    found = definer(cls, name)
    return None if found is None else found.__dict__[name]


def definer(cls: type, name: str) -> Any:
    """The class, it or one above it, that has something under a name."""
    return next((base for base in cls.__mro__ if name in base.__dict__), None)


def written_by_dataclass(f: Any) -> bool:
    """Whether `dataclass` wrote the method; text that a user evaluates has its filename too."""
    qualname: str = getattr(getattr(f, "__code__", None), "co_qualname", "")
    return qualname.startswith("__create_fn__.<locals>.")


def dunder(x: Any, name: str) -> Any:
    """A special method that the class of a row defines in Python, or None."""
    if not isinstance(x, Expr) or not isinstance(x.type, Row) or x.type.kind in ("record", "dict"):
        return None
    found = lookup(x.type.py, name)
    builtin = (type(object.__eq__), type(dict.get), type(dict.__getitem__), type(None))
    return None if isinstance(found, builtin) else found


def attribute(path: Path, obj: Any, name: str) -> Any:
    """`obj.name`."""
    if not isinstance(obj, Expr):
        path.opaque(f"reads `.{name}` of a {type(obj).__name__.lower()}")
    obj = path.pick(obj)
    kind = obj.type
    if isinstance(obj, Const):
        found = _of_constant(path, obj, name)
        if found is not None:
            return found
    if name == "__class__" and python_class(kind) is not None:
        return path.const(python_class(kind))
    if isinstance(kind, Row):
        return _of_row(path, obj, kind, name)
    cls = python_class(kind)
    if cls is None or (isinstance(kind, type) and kind not in SCALARS):
        return _of_other(path, obj, name)
    if name in PARTS.get(cls, ()):
        return path.op(int, f".{name}", obj)
    if not hasattr(cls, name):
        path.fail(AttributeError)
    if name.startswith("__") or not callable(getattr(cls, name)):
        path.opaque(f"reads `.{name}` of {spell(kind)}")
    return Method(obj, name)


def _of_other(path: Path, obj: Expr, name: str) -> Any:
    if isinstance(obj.type, type) and issubclass(obj.type, Enum):
        found = lookup(obj.type, name)
        if isinstance(found, FunctionType):
            return Bound(found, obj)
        if name in ("name", "value") and isinstance(found, enum_property):
            return _of_members(path, obj, obj.type, name)
    if isinstance(obj, Const):
        if type(obj.value) is dict:
            return Method(obj, name)
        path.opaque(f"uses `{path.shared.spelled.get(id(obj), spell(obj.type))}.{name}`")
    path.opaque(f"reads `.{name}` of a {spell(obj.type)}")


def _of_members(path: Path, x: Expr, cls: type[Enum], name: str) -> Expr:
    """The name or value of an enum's member: one of a few constants."""
    if issubclass(cls, Flag):
        path.opaque(f"reads `.{name}` of {spell(cls)}, which has more values than members")
    found: Expr | None = None
    for member in list(cls)[:64]:
        own = path.known(getattr(member, name), name)
        if isinstance(own.value, (list, dict, set)):  # type: ignore[attr-defined]
            path.opaque(f"reads `.{name}` of {spell(cls)}, which is mutable")
        test = path.op(bool, "==", x, path.const(member))
        found = own if found is None else path.cond(test, own, found)
    if found is None or len(cls) > 64 or cls.__eq__ is not object.__eq__:
        path.opaque(f"reads `.{name}` of {spell(cls)}")
    return found


def _of_constant(path: Path, obj: Const, name: str) -> Any:
    """Of a module, a class, or an enum's member; None for other values."""
    value = obj.value
    spelled = f"{path.shared.spelled.get(id(obj), getattr(value, '__name__', '?'))}.{name}"
    if isinstance(value, ModuleType):
        return _read(path, obj, name, spelled)
    if isinstance(value, type):
        return _of_class(path, obj, value, name, spelled)
    if isinstance(value, Enum) and name in ("name", "value", "_value_", "_name_"):
        return path.known(getattr(value, name), spelled)
    return None


def _read(path: Path, obj: Const, name: str, spelled: str) -> Any:
    value = obj.value
    if name not in vars(value):
        if not hasattr(value, name):
            path.fail(AttributeError)
        path.opaque(f"reads `{spelled}`, which is computed")
    found = vars(value)[name]
    if not isinstance(found, (type, FunctionType, BuiltinFunctionType, ModuleType)):
        path.shared.modules.add(value.__name__)
    return path.read((id(value), name), spelled, found, lambda: getattr(value, name, None))


def _of_class(path: Path, obj: Const, cls: type, name: str, spelled: str) -> Any:
    if issubclass(cls, Enum) and name in cls.__members__:
        return path.known(cls.__members__[name], spelled)
    if name in ("__name__", "__qualname__"):
        return path.const(getattr(cls, name))
    found = lookup(cls, name)
    if isinstance(found, staticmethod):
        return path.known(found.__func__, spelled)
    if isinstance(found, classmethod):
        return Bound(path.known(found.__func__, spelled), obj)
    if isinstance(found, FunctionType):
        return path.known(found, spelled)
    if cls.__module__ == "builtins" or cls in SCALARS:
        if not hasattr(cls, name):
            path.fail(AttributeError)
        return path.known(getattr(cls, name), spelled)
    if found is None or hasattr(found, "__get__") or type(cls) is not type:
        path.opaque(f"reads `{spelled}`")
    return path.read((id(cls), name), spelled, found, lambda: getattr(cls, name, None))


def _of_row(path: Path, x: Expr, kind: Row, name: str) -> Any:
    if kind.kind in ("dict", "record"):
        return _of_mapping(path, x, kind, name)
    if lookup(kind.py, "__getattribute__") not in _READ:
        path.opaque(f"{kind.py.__name__} defines `__getattribute__`")
    found = lookup(kind.py, name)
    if kind.field(name) is not None and _plain_field(found, kind):
        return get(path, x, name)
    if isinstance(found, property):
        if found.fget is None:
            path.fail(AttributeError)
        return path.call(path.const(found.fget), [x])
    if found is None:
        return _missing(path, x, kind, name)
    path.shared.unshadowed.add((kind.py, name))
    if kind.kind == "namedtuple" and _of_collections(found):
        return Method(x, name)
    if isinstance(found, FunctionType):
        return Bound(path.const(found), x)
    if isinstance(found, staticmethod):
        return path.const(found.__func__)
    if isinstance(found, classmethod):
        named = isinstance(found.__func__, FunctionType) and kind.kind != "namedtuple"
        return Bound(path.const(found.__func__), path.const(kind.py)) if named else Method(x, name)
    if kind.kind == "namedtuple" and hasattr(tuple, name):
        return Method(x, name)
    if hasattr(found, "__get__"):
        path.opaque(f"`{kind.py.__name__}.{name}` is a {type(found).__name__}")
    spelled = f"{kind.py.__name__}.{name}"
    cls = kind.py
    return path.read((id(cls), name), spelled, found, lambda: getattr(cls, name, None))


def _of_collections(found: Any) -> bool:
    """Whether it is a method that every NamedTuple has."""
    return getattr(found, "__globals__", {}).get("__name__") == "collections"


def _plain_field(found: Any, kind: Row) -> bool:
    """Whether nothing stands between a field and its value."""
    if kind.kind == "namedtuple":
        return type(found).__name__ == "_tuplegetter"
    return isinstance(found, MemberDescriptorType) or not hasattr(type(found), "__get__")


def _missing(path: Path, x: Expr, kind: Row, name: str) -> Any:
    hook = dunder(x, "__getattr__")
    if hook is not None:
        path.shared.unshadowed.add((kind.py, name))
        return path.call(Bound(path.const(hook), x), [path.const(name)])
    if name in ("__dict__", "__slots__", "__doc__", "__module__") or hasattr(kind.py, name):
        path.opaque(f"reads `.{name}`")
    path.shared.unshadowed.add((kind.py, name))
    path.fail(AttributeError)


def _of_mapping(path: Path, x: Expr, kind: Row, name: str) -> Any:
    if kind.kind == "record" and kind.field(name) is not None:
        return get(path, x, name)
    if kind.kind == "dict" and hasattr(dict, name):
        return Method(x, name)
    if hasattr(kind.py, name):
        path.opaque(f"reads `.{name}` of a {kind.kind}")
    path.fail(AttributeError)


def get(path: Path, x: Expr, key: str | int) -> Expr:
    """A field or an item that is declared."""
    kind = x.type
    if isinstance(x, Const):
        by_item = isinstance(key, int) or isinstance(x.value, dict)
        value = x.value[key] if by_item else getattr(x.value, str(key))
        if type(value) in (list, dict, set) and type(x.value) not in (list, tuple):
            path.opaque(f"reads `.{key}`, which is mutable")
        return path.const(value)
    if isinstance(kind, Tuple):
        assert isinstance(key, int)
        return path.pool.get(kind.items[key], x, key)
    assert isinstance(kind, Row)
    name, found = kind.fields[key] if isinstance(key, int) else (key, kind.field(key))
    assert found is not None
    return path.pool.get(found, x, name)


# ---- items


def subscript(path: Path, obj: Any, index: Any) -> Any:
    """`obj[index]`."""
    if not isinstance(obj, Expr):
        path.opaque(f"takes an item of a {type(obj).__name__.lower()}")
    obj = path.pick(obj)
    if isinstance(index, Slice):
        return _slice(path, obj, index)
    if not isinstance(index, Expr):
        path.opaque("takes an item by a strange index")
    index = path.pick(index)
    kind = obj.type
    if isinstance(obj, Const) and type(obj.value) is dict:
        return _from_dict(path, obj, index, None)
    if kind in (str, bytes) or (isinstance(kind, Many) and kind.py in (list, tuple)):
        return _at(path, obj, index)
    if isinstance(kind, Tuple) or (isinstance(kind, Row) and kind.kind == "namedtuple"):
        found = dunder(obj, "__getitem__")
        return path.call(Bound(found, obj), [index]) if found else _component(path, obj, index)
    if isinstance(kind, Row) and kind.kind != "dataclass":
        return _by_name(path, obj, kind, index)
    found = dunder(obj, "__getitem__")
    if found is not None:
        return path.call(Bound(found, obj), [index])
    if kind in (int, float, bool, type(None)) or (isinstance(kind, Row) and is_dataclass(kind.py)):
        path.fail(TypeError)
    path.opaque(f"takes an item of a {spell(kind)}")


def _at(path: Path, obj: Expr, index: Expr) -> Expr:
    kind: Any = obj.type
    if index.type not in (int, bool):
        if index.type in NO_INDEX:
            path.fail(TypeError)
        path.opaque("takes an item by a strange index")
    item = kind.item if isinstance(kind, Many) else str if kind is str else int
    return path.op(item, "item", obj, index, causes=("index",))


NO_INDEX: frozenset[Any] = frozenset({str, float, type(None)})


def _component(path: Path, obj: Expr, index: Expr) -> Expr:
    kind: Any = obj.type
    count = len(kind.items) if isinstance(kind, Tuple) else len(kind.fields)
    if index.type in NO_INDEX:
        path.fail(TypeError)
    if index.type not in (int, bool):
        path.opaque("takes an item by a strange index")
    if isinstance(index, Const):
        if not -count <= index.value < count:
            path.fail(IndexError)
        return get(path, obj, range(count)[index.value])
    for i in range(-count, count):
        if path.decide(path.op(bool, "==", index, path.const(i))):
            return get(path, obj, range(count)[i])
    path.fail(IndexError)


def _by_name(path: Path, obj: Expr, kind: Row, index: Expr) -> Expr:
    if not isinstance(index, Const):
        path.opaque("takes a field by a name that is not constant")
    if isinstance(index.value, str) and kind.field(index.value) is not None:
        return get(path, obj, index.value)
    if kind.kind == "record":
        if type(index.value) is int and -len(kind.fields) <= index.value < len(kind.fields):
            return get(path, obj, range(len(kind.fields))[index.value])
        path.opaque(f"takes the item {index.value!r} of a record")
    path.fail(KeyError)


def _slice(path: Path, obj: Expr, bounds: Slice) -> Expr:
    kind = obj.type
    given = (bounds.low, bounds.high, bounds.step)
    parts = [path.pick(b) if isinstance(b, Expr) else path.opaque("a strange slice") for b in
             (path.const(None) if b is None else b for b in given)]  # fmt: skip
    if any(p.type not in (int, bool, type(None)) for p in parts):
        path.opaque("slices by what is no int")
    if isinstance(kind, Row) and kind.kind == "namedtuple" and dunder(obj, "__getitem__") is None:
        kind = Tuple(tuple(t for _, t in kind.fields))
    if isinstance(kind, Tuple) and all(isinstance(p, Const) for p in parts):
        from ominus.trace.symbols.operate import parts as components

        cut = slice(*(p.value for p in parts))  # type: ignore[attr-defined]
        return path.pool.build(Tuple(kind.items[cut], kind.py), components(path, obj)[cut])
    if kind not in (str, bytes) and not (isinstance(kind, Many) and kind.py in (list, tuple)):
        path.opaque(f"slices a {spell(kind)}")
    if isinstance(parts[2], Const) and parts[2].value is None:
        return path.op(kind, "slice", obj, *parts[:2])
    if isinstance(parts[2], Const) and parts[2].value:
        return path.op(kind, "step", obj, *parts)
    path.opaque("slices by a step that is not constant")


def _from_dict(path: Path, table: Const, key: Expr, default: Expr | None) -> Expr:
    """`table[key]` or `table.get(key, default)` for a dict known at the definition."""
    from ominus.trace.symbols.contain import contains

    entries = {k: path.known(v, "an entry") for k, v in table.value.items()}
    if not path.decide(contains(path, key, table)):
        return default if default is not None else path.fail(KeyError)
    if isinstance(key, Const):
        return entries[key.value]
    if len(entries) > 256:
        path.opaque(f"looks up one of {len(entries)} entries")
    if any(isinstance(e.value, (list, dict, set)) for e in entries.values()):  # type: ignore[attr-defined]
        path.opaque("looks up what is mutable")
    *first, (_, found) = [(k, e) for k, e in entries.items() if _comparable(path, key, k)]
    for k, entry in reversed(first):
        found = path.cond(path.op(bool, "==", key, path.const(k)), entry, found)
    return found


def _comparable(path: Path, key: Expr, other: Any) -> bool:
    from ominus.trace.symbols.rules import COMPARABLE

    kind = path.const(other).type
    return kind is key.type or (key.type, kind) in COMPARABLE


def variable(cell: Any, name: str, path: Path) -> Any:
    """The value of a variable that functions share; of one outside, read once."""
    if isinstance(cell, Cell):
        return cell.value
    try:
        value = cell.cell_contents
    except ValueError:
        path.fail(NameError)
    return path.read(id(cell), name, value, lambda: cell.cell_contents)
