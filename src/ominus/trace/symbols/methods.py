"""Methods of built-in types: each with the types it takes, what it gives, and what it may raise."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from string import Formatter
from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import Many, Row, Tuple, Type, spell
from ominus.trace.symbols import operate
from ominus.trace.symbols.convert import dated, formatted
from ominus.trace.symbols.iterate import every
from ominus.trace.symbols.members import _from_dict, get
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Method

_S, _B, _I = str, bool, int

# (name) -> result, least number of arguments, their types in order, causes
_STR: dict[str, tuple[Type, int, tuple[type, ...], tuple[str, ...]]] = {
    **dict.fromkeys(
        ("upper", "lower", "casefold", "title", "capitalize", "swapcase"), (_S, 0, (), ())
    ),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), (_S, 0, (_S,), ())),
    **dict.fromkeys(
        (
            "isdigit",
            "isdecimal",
            "isnumeric",
            "isalpha",
            "isalnum",
            "isspace",
            "isupper",
            "islower",
        ),
        (_B, 0, (), ()),
    ),
    **dict.fromkeys(("find", "rfind", "count"), (_I, 1, (_S, _I, _I), ())),
    "index": (_I, 1, (_S, _I, _I), ("absent",)),
    "startswith": (_B, 1, (_S, _I, _I), ()),
    "endswith": (_B, 1, (_S, _I, _I), ()),
    "replace": (_S, 2, (_S, _S, _I), ("size",)),
    "split": (Many(str, list), 0, (_S, _I), ("empty",)),
    "partition": (Tuple((str, str, str)), 1, (_S,), ("empty",)),
    "rpartition": (Tuple((str, str, str)), 1, (_S,), ("empty",)),
    "removeprefix": (_S, 1, (_S,), ()),
    "removesuffix": (_S, 1, (_S,), ()),
    "zfill": (_S, 1, (_I,), ("size",)),
    "ljust": (_S, 1, (_I, _S), ("size", "format")),
    "rjust": (_S, 1, (_I, _S), ("size", "format")),
}
_OTHER: dict[tuple[type, str], tuple[Type, tuple[str, ...]]] = {
    **{(k, "weekday"): (int, ()) for k in (date, datetime)},
    **{(k, "isoweekday"): (int, ()) for k in (date, datetime)},
    **{(k, "toordinal"): (int, ()) for k in (date, datetime)},
    (date, "isoformat"): (str, ()),
    (datetime, "isoformat"): (str, ()),
    (datetime, "date"): (date, ()),
    (timedelta, "total_seconds"): (float, ()),
    (float, "is_integer"): (bool, ()),
    (int, "bit_length"): (int, ()),
}


# Where None stands for what is not given, instead of a string or of an int.
_NONE_STR = frozenset({"strip", "lstrip", "rstrip", "split"})
_NONE_INT = frozenset({"find", "rfind", "count", "index", "startswith", "endswith"})


def call_method(path: Path, method: Method, args: list[Any], keywords: dict[str, Any]) -> Any:
    """Call a method of a value whose type is built in, or of a NamedTuple or dict."""
    x, name = method.of, method.name
    kind = x.type
    if isinstance(x, Const) and type(x.value) is dict:
        if name == "get" and 1 <= len(args) <= 2 and not keywords:
            default = args[1] if len(args) == 2 else path.const(None)
            return _from_dict(path, x, operate.one(path, args[0]), default)
    elif kind is str:
        return _of_string(path, x, name, args, keywords)
    elif isinstance(kind, Row):
        return _of_row(path, x, kind, name, args, keywords)
    elif isinstance(kind, type) and (kind, name) in _OTHER and not args and not keywords:
        result, causes = _OTHER[kind, name]
        return path.op(result, f".{name}()", x, causes=causes)
    elif kind in (date, datetime) and name == "strftime" and len(args) == 1 and not keywords:
        return dated(path, x, operate.one(path, args[0]))
    elif kind in (date, datetime) and name == "replace" and not args:
        return _replace(path, x, keywords)
    path.opaque(f"calls `.{name}` of a {spell(kind)}")


def _of_string(path: Path, x: Expr, name: str, args: list[Any], keywords: dict[str, Any]) -> Expr:
    if name == "join" and len(args) == 1 and not keywords:
        return _join(path, x, args[0])
    if name == "format" and isinstance(x, Const):
        return _format(path, x.value, args, keywords)
    if name not in _STR:
        path.opaque(f"calls `.{name}` of a str")
    result, least, kinds, causes = _STR[name]
    if name == "split" and keywords:
        args = [*args, *([path.const(None)] if not args else []), *keywords.values()]
        keywords = {} if list(keywords) == ["maxsplit"] else keywords
    if keywords:
        path.opaque(f"calls `.{name}` with keywords")
    if not least <= len(args) <= len(kinds):
        path.fail(TypeError)
    found = [_argument(path, name, a, k) for a, k in zip(args, kinds, strict=False)]
    return path.op(result, f".{name}()", x, *found, causes=_pruned(name, causes, found))


def _argument(path: Path, name: str, arg: Any, kind: type) -> Expr:
    x = operate.one(path, arg)
    if x.type is kind:
        return x
    if isinstance(x, Const):
        words = type(x.value) is tuple and all(type(v) is str for v in x.value)
        by_default = name in _NONE_STR if kind is str else name in _NONE_INT
        if x.value is None and by_default:
            return x
        if (words and name in ("startswith", "endswith")) or (
            kind is int and type(x.value) is bool
        ):
            return x
    path.opaque(f"calls `.{name}` of a str with {spell(x.type)}")


def _pruned(name: str, causes: tuple[str, ...], args: list[Expr]) -> tuple[str, ...]:
    """Without the causes that constant arguments exclude."""
    first = args[0] if args else None
    if name == "split":
        return () if first is None or (isinstance(first, Const) and first.value != "") else causes
    if name in ("partition", "rpartition"):
        return () if isinstance(first, Const) and first.value else causes
    if name == "replace":
        return ()
    if name in ("zfill", "ljust", "rjust") and isinstance(first, Const) and first.value < 10_000:
        fill = args[1] if len(args) > 1 else None
        return () if fill is None or (isinstance(fill, Const) and len(fill.value) == 1) else causes
    return causes


def _join(path: Path, x: Expr, arg: Any) -> Expr:
    if isinstance(arg, Expr) and path.pick(arg).type == Many(str, list):
        return path.op(str, ".join()", x, path.pick(arg))
    items = [operate.one(path, i) for i in every(path, arg)]
    if any(i.type is not str for i in items):
        path.opaque("joins what is no str")
    if not items:
        return path.const("")
    between: list[Expr] = [items[0]]
    for item in items[1:]:
        between += [x, item] if not (isinstance(x, Const) and x.value == "") else [item]
    return path.op(str, "concat", *between) if len(between) > 1 else between[0]


_PLACES: dict[Any, tuple[str, ...]] = {
    date: ("year", "month", "day"),
    datetime: ("year", "month", "day", "hour", "minute", "second", "microsecond"),
}


_CONVERSIONS = {None: 0, "s": 1, "r": 2, "a": 3}


def _format(path: Path, template: str, args: list[Any], keywords: dict[str, Any]) -> Expr:
    """`'...'.format(...)`: as an f-string; fields by place or name, without a look inside."""
    pieces: list[Expr] = []
    places = iter(range(len(args)))
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        path.fail(ValueError)
    for text, name, spec, conversion in parsed:
        if text:
            pieces.append(path.const(text))
        if name is None:
            continue
        value = _field(path, name, places, args, keywords)
        given = path.const(spec) if spec else None
        if (spec and "{" in spec) or conversion not in _CONVERSIONS:
            path.opaque("formats by a specification that is not constant")
        pieces.append(formatted(path, value, _CONVERSIONS[conversion], given))
    if any(p.type is not str for p in pieces):
        path.opaque("formats what is no str")
    return path.op(str, "concat", *pieces) if len(pieces) > 1 else (pieces or [path.const("")])[0]


def _field(
    path: Path, name: str, places: Iterator[int], args: list[Any], keywords: dict[str, Any]
) -> Any:
    if name == "":
        place = next(places, None)
        return path.fail(IndexError) if place is None else args[place]
    if name in keywords:
        return keywords[name]
    path.opaque(f"formats the field `{name}`")


def _replace(path: Path, x: Expr, keywords: dict[str, Any]) -> Expr:
    places = _PLACES[x.type]
    if not keywords.keys() <= set(places):
        path.opaque(f"calls `.replace` of a {spell(x.type)}")
    parts = []
    for name in places:
        given = name in keywords
        part = operate.one(path, keywords[name]) if given else path.op(int, f".{name}", x)
        if part.type is not int:
            path.opaque("replaces part of a date by what is no int")
        parts.append(part)
    if x.type is date:
        return path.op(date, "date", *parts, causes=("range",))
    return path.op(datetime, "replace date", x, *parts, causes=("range",))


def _of_row(
    path: Path, x: Expr, kind: Row, name: str, args: list[Any], keywords: dict[str, Any]
) -> Any:
    from ominus.trace.symbols import construct

    if kind.kind == "namedtuple" and name == "_replace" and not args:
        if any(kind.field(n) is None for n in keywords):
            path.opaque("replaces a field that there is not")
        return construct.build(path, kind, construct.fields(path, x) | keywords)
    if kind.kind == "namedtuple" and name == "_asdict" and not args and not keywords:
        return construct.dict_of(path, construct.fields(path, x))
    if kind.kind == "dict" and name == "get" and 1 <= len(args) <= 2 and isinstance(args[0], Const):
        if isinstance(args[0].value, str) and kind.field(args[0].value) is not None:
            return get(path, x, args[0].value)
        return args[1] if len(args) == 2 else path.const(None)
    if kind.kind == "dict" and name == "copy" and not args:
        return construct.dict_of(path, construct.fields(path, x))
    path.opaque(f"calls `.{name}` of a {spell(kind)}")
