"""Instructions that build collections and strings, take them apart, and match them."""

from __future__ import annotations

from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import Many, Row, Tuple
from ominus.trace.symbols import construct, match, operate
from ominus.trace.symbols.convert import formatted
from ominus.trace.symbols.frame import Frame
from ominus.trace.symbols.iterate import every
from ominus.trace.symbols.step import step


@step("BUILD_TUPLE")
def build_tuple(f: Frame, arg: int) -> None:
    items = f.take(arg)
    if all(isinstance(i, Expr) for i in items):
        f.push(f.path.pool.build(Tuple(tuple(i.type for i in items)), tuple(items)))
    else:
        f.push(items)  # cells of a closure


@step("BUILD_LIST")
def build_list(f: Frame, arg: int) -> None:
    items = [f.expression(i) for i in f.take(arg)]
    f.push(_list(f, items))


def _list(f: Frame, items: list[Expr]) -> Expr:
    return f.path.pool.build(Tuple(tuple(i.type for i in items), list), tuple(items))


@step("LIST_TO_TUPLE")
def list_to_tuple(f: Frame, arg: int) -> None:
    f.push(construct.collect(f.path, tuple, every(f.path, f.pop())))


@step("LIST_EXTEND", "SET_UPDATE")
def list_extend(f: Frame, arg: int) -> None:
    more = [f.expression(x) for x in every(f.path, f.pop())]
    at = -arg
    f.stack[at] = _grown(f, f.stack[at], more)


@step("LIST_APPEND", "SET_ADD")
def list_append(f: Frame, arg: int) -> None:
    item = f.expression(f.pop())
    f.stack[-arg] = _grown(f, f.stack[-arg], [item])


def _grown(f: Frame, made: Any, more: list[Expr]) -> Any:
    if not isinstance(made.type, Tuple):
        f.path.opaque("builds a set step by step")
    return _list(f, [*operate.parts(f.path, made), *more])


@step("BUILD_SET")
def build_set(f: Frame, arg: int) -> None:
    items = f.take(arg)
    f.push(
        construct.collect(f.path, set, items)
        if items
        else f.path.opaque("builds a set step by step")
    )


@step("BUILD_MAP")
def build_map(f: Frame, arg: int) -> None:
    pairs = f.take(2 * arg)
    f.push(
        construct.dict_of(
            f.path, {_key(f, k): v for k, v in zip(pairs[::2], pairs[1::2], strict=True)}
        )
    )


@step("BUILD_CONST_KEY_MAP")
def build_const_key_map(f: Frame, arg: int) -> None:
    names = f.pop().value
    values = f.take(arg)
    if not all(type(n) is str for n in names):
        f.path.opaque("builds a dict with keys that are no strings")
    f.push(construct.dict_of(f.path, dict(zip(names, values, strict=True))))


def _key(f: Frame, key: Any) -> str:
    if isinstance(key, Const) and type(key.value) is str:
        return key.value
    f.path.opaque("builds a dict with keys that are not constant strings")


@step("MAP_ADD")
def map_add(f: Frame, arg: int) -> None:
    key, value = f.take(2)
    given = construct.fields(f.path, f.stack[-arg])
    f.stack[-arg] = construct.dict_of(f.path, given | {_key(f, key): value})


@step("DICT_UPDATE", "DICT_MERGE")
def dict_update(f: Frame, arg: int) -> None:
    more = f.pop()
    more = f.path.pick(f.expression(more))
    if not isinstance(more.type, Row) or more.type.kind not in ("dict", "record"):
        f.path.opaque("unpacks what is no dict of known keys")
    known, given = construct.fields(f.path, f.stack[-arg]), construct.fields(f.path, more)
    f.stack[-arg] = construct.dict_of(f.path, known | given)


@step("UNPACK_SEQUENCE")
def unpack_sequence(f: Frame, arg: int) -> None:
    f.stack.extend(reversed(_unpacked(f, f.pop(), arg)))


def _unpacked(f: Frame, value: Any, count: int) -> list[Any]:
    path = f.path
    if isinstance(value, Expr):
        value = path.pick(value)
        kind = value.type
        if isinstance(kind, Many) and kind.py in (list, tuple):
            if not path.decide(path.op(bool, "==", path.op(int, "len", value), path.const(count))):
                path.fail(ValueError)
            return [path.op(kind.item, "item", value, path.const(i)) for i in range(count)]
    found = every(path, value)
    if len(found) != count:
        path.fail(ValueError)
    return found


@step("UNPACK_EX")
def unpack_ex(f: Frame, arg: int) -> None:
    before, after = arg & 255, arg >> 8
    found = [f.expression(x) for x in every(f.path, f.pop())]
    if len(found) < before + after:
        f.path.fail(ValueError)
    end = len(found) - after
    f.stack.extend(reversed([*found[:before], _list(f, found[before:end]), *found[end:]]))


@step("GET_LEN")
def get_len(f: Frame, arg: int) -> None:
    f.push(f.path.const(len(operate.parts(f.path, f.path.pick(f.stack[-1])))))


@step("BUILD_STRING")
def build_string(f: Frame, arg: int) -> None:
    parts = [f.expression(p) for p in f.take(arg)]
    f.push(f.path.op(str, "concat", *parts))


@step("FORMAT_VALUE")
def format_value(f: Frame, arg: int) -> None:
    spec = f.pop() if arg & 4 else None
    f.push(formatted(f.path, f.pop(), arg & 3, spec))


@step("CONVERT_VALUE")
def convert_value(f: Frame, arg: int) -> None:
    f.push(formatted(f.path, f.pop(), arg, None))


@step("FORMAT_SIMPLE")
def format_simple(f: Frame, arg: int) -> None:
    f.push(formatted(f.path, f.pop(), 0, None))


@step("FORMAT_WITH_SPEC")
def format_with_spec(f: Frame, arg: int) -> None:
    value, spec = f.take(2)
    f.push(formatted(f.path, value, 0, spec))


# ---- match


@step("MATCH_SEQUENCE")
def match_sequence(f: Frame, arg: int) -> None:
    f.push(f.path.const(match.is_sequence(f.path, f.stack[-1])))


@step("MATCH_MAPPING")
def match_mapping(f: Frame, arg: int) -> None:
    f.push(f.path.const(match.is_mapping(f.path, f.stack[-1])))


@step("MATCH_KEYS")
def match_keys(f: Frame, arg: int) -> None:
    f.push(match.values_of(f.path, f.stack[-2], f.stack[-1]))


@step("MATCH_CLASS")
def match_class(f: Frame, arg: int) -> None:
    subject, cls, names = f.take(3)
    f.push(match.of_class(f.path, subject, cls, names.value, arg))
