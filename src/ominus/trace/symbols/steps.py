"""What each instruction does to a frame: one small function for each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ominus.trace import screen
from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import Many, Row, Tuple
from ominus.trace.opcodes import BINARY, COMPARE, INTRINSICS, VERSIONS
from ominus.trace.symbols import calls, construct, match, members, operate
from ominus.trace.symbols.convert import formatted
from ominus.trace.symbols.frame import Frame
from ominus.trace.symbols.iterate import every, iterate
from ominus.trace.symbols.values import NULL, Cell, Closure, Made, Slice

Step = Callable[[Frame, int], None]
ALL: dict[str, Step] = {}


def step(*names: str) -> Callable[[Step], Step]:
    """Say which instructions a function carries out."""

    def keep(act: Step) -> Step:
        ALL.update(dict.fromkeys(names, act))
        return act

    return keep


@step("NOP", "RESUME", "PRECALL")
def nothing(f: Frame, arg: int) -> None:
    pass


@step("POP_TOP", "END_FOR")
def pop_top(f: Frame, arg: int) -> None:
    f.pop()


@step("COPY")
def copy(f: Frame, arg: int) -> None:
    f.push(f.stack[-arg])


@step("SWAP")
def swap(f: Frame, arg: int) -> None:
    f.stack[-1], f.stack[-arg] = f.stack[-arg], f.stack[-1]


@step("PUSH_NULL")
def push_null(f: Frame, arg: int) -> None:
    f.push(NULL)


# ---- variables


@step("LOAD_CONST")
def load_const(f: Frame, arg: int) -> None:
    f.push(f.path.const(f.program.code.co_consts[arg]))


@step("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_CLOSURE")
def load_fast(f: Frame, arg: int) -> None:
    value = f.local[arg]
    if value is NULL:
        f.path.fail(UnboundLocalError)
    f.push(value)


@step("LOAD_FAST_AND_CLEAR")
def load_fast_and_clear(f: Frame, arg: int) -> None:
    f.push(f.local[arg])
    f.local[arg] = NULL


@step("LOAD_FAST_LOAD_FAST")
def load_two(f: Frame, arg: int) -> None:
    load_fast(f, arg >> 4)
    load_fast(f, arg & 15)


@step("STORE_FAST")
def store_fast(f: Frame, arg: int) -> None:
    f.local[arg] = f.pop()


@step("STORE_FAST_STORE_FAST")
def store_two(f: Frame, arg: int) -> None:
    store_fast(f, arg >> 4)
    store_fast(f, arg & 15)


@step("STORE_FAST_LOAD_FAST")
def store_load(f: Frame, arg: int) -> None:
    store_fast(f, arg >> 4)
    load_fast(f, arg & 15)


@step("DELETE_FAST")
def delete_fast(f: Frame, arg: int) -> None:
    f.local[arg] = NULL


@step("MAKE_CELL")
def make_cell(f: Frame, arg: int) -> None:
    f.local[arg] = Cell(f.local[arg])


@step("COPY_FREE_VARS")
def copy_free_vars(f: Frame, arg: int) -> None:
    f.local[len(f.local) - arg :] = f.f.cells


@step("LOAD_DEREF")
def load_deref(f: Frame, arg: int) -> None:
    value = members.variable(f.local[arg], f.names[arg], f.path)
    if value is NULL:
        f.path.fail(NameError)
    f.push(value)


@step("STORE_DEREF")
def store_deref(f: Frame, arg: int) -> None:
    if not isinstance(f.local[arg], Cell):
        f.path.opaque(f"changes the variable `{f.names[arg]}` of another function")
    f.local[arg].value = f.pop()


@step("LOAD_GLOBAL")
def load_global(f: Frame, arg: int) -> None:
    if arg & 1:
        f.push(NULL)
    name, scope = f.program.code.co_names[arg >> 1], f.f.scope
    if name in scope:
        f.push(f.path.read((id(scope), name), name, scope[name], lambda: scope.get(name)))
    elif name in f.f.builtins:
        f.push(f.path.known(f.f.builtins[name], name))
    else:
        f.path.opaque(f"reads `{name}`, which is not defined")


@step("LOAD_ASSERTION_ERROR")
def load_assertion_error(f: Frame, arg: int) -> None:
    f.push(f.path.const(AssertionError))


# ---- operators


@step("BINARY_OP")
def binary_op(f: Frame, arg: int) -> None:
    left, right = f.take(2)
    if arg >= len(BINARY) and isinstance(left, Expr) and not _immutable(f.path.pick(left)):
        f.path.opaque("changes a value in place")
    f.push(operate.binary(f.path, BINARY[arg % len(BINARY)], left, right))


def _immutable(x: Expr) -> bool:
    kind = x.type
    if isinstance(kind, (Tuple, Many)):
        return kind.py in (tuple, frozenset)
    if isinstance(kind, Row):
        return kind.kind == "record" or not any(
            members.lookup(kind.py, f"__i{n}__") for n in ("add", "sub", "mul", "or", "and", "xor", "truediv")
        )
    return True


@step("UNARY_NEGATIVE")
def unary_negative(f: Frame, arg: int) -> None:
    f.push(operate.unary(f.path, "neg", f.pop()))


@step("UNARY_POSITIVE")
def unary_positive(f: Frame, arg: int) -> None:
    f.push(operate.unary(f.path, "pos", f.pop()))


@step("UNARY_INVERT")
def unary_invert(f: Frame, arg: int) -> None:
    f.push(operate.unary(f.path, "invert", f.pop()))


@step("UNARY_NOT")
def unary_not(f: Frame, arg: int) -> None:
    f.push(f.path.negate(operate.truth(f.path, f.pop())))


@step("TO_BOOL")
def to_bool(f: Frame, arg: int) -> None:
    f.push(operate.truth(f.path, f.pop()))


@step("COMPARE_OP")
def compare_op(f: Frame, arg: int) -> None:
    left, right = f.take(2)
    assert screen.VERSION is not None
    f.push(operate.compare(f.path, COMPARE[arg >> screen.VERSION.compare], left, right))


@step("IS_OP")
def is_op(f: Frame, arg: int) -> None:
    left, right = f.take(2)
    found = operate.identical(f.path, left, right)
    f.push(f.path.negate(found) if arg else found)


@step("CONTAINS_OP")
def contains_op(f: Frame, arg: int) -> None:
    item, container = f.take(2)
    found = operate.contains(f.path, item, container)
    f.push(f.path.negate(found) if arg else found)


@step("BINARY_SUBSCR")
def binary_subscr(f: Frame, arg: int) -> None:
    obj, index = f.take(2)
    f.push(members.subscript(f.path, obj, index))


@step("BINARY_SLICE")
def binary_slice(f: Frame, arg: int) -> None:
    obj, low, high = f.take(3)
    f.push(members.subscript(f.path, obj, Slice(low, high)))


@step("BUILD_SLICE")
def build_slice(f: Frame, arg: int) -> None:
    f.push(Slice(*f.take(arg)))


@step("CALL_INTRINSIC_1")
def call_intrinsic(f: Frame, arg: int) -> None:
    if arg not in INTRINSICS:
        f.path.opaque("uses an intrinsic that is not known")
    if INTRINSICS[arg] == "pos":
        unary_positive(f, arg)
    else:
        list_to_tuple(f, arg)


# ---- collections


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
    f.push(construct.collect(f.path, set, items) if items else f.path.opaque("builds a set step by step"))


@step("BUILD_MAP")
def build_map(f: Frame, arg: int) -> None:
    pairs = f.take(2 * arg)
    f.push(construct.dict_of(f.path, {_key(f, k): v for k, v in zip(pairs[::2], pairs[1::2], strict=True)}))


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


# ---- attributes and calls


@step("LOAD_ATTR")
def load_attr(f: Frame, arg: int) -> None:
    assert screen.VERSION is not None
    method = screen.VERSION.attr_call and arg & 1
    name = f.program.code.co_names[arg >> 1 if screen.VERSION.attr_call else arg]
    found = members.attribute(f.path, f.pop(), name)
    f.stack.extend((NULL, found) if method else (found,))


@step("LOAD_METHOD")
def load_method(f: Frame, arg: int) -> None:
    found = members.attribute(f.path, f.pop(), f.program.code.co_names[arg])
    f.stack.extend((NULL, found))


@step("KW_NAMES")
def kw_names(f: Frame, arg: int) -> None:
    f.keywords = f.program.code.co_consts[arg]


@step("CALL_KW")
def call_kw(f: Frame, arg: int) -> None:
    f.keywords = f.pop().value
    call(f, arg)


@step("CALL")
def call(f: Frame, arg: int) -> None:
    names, f.keywords = f.keywords, ()
    args = f.take(arg)
    function, args = _callee(f, args)
    given = dict(zip(names, args[len(args) - len(names) :], strict=True))
    f.push(calls.call(f.path, function, args[: len(args) - len(names)], given))


def _callee(f: Frame, args: list[Any]) -> tuple[Any, list[Any]]:
    """The function and the empty place stand in this order or the other; else a method's self."""
    first, second = f.take(2)
    if first is NULL:
        return second, args
    return (first, args) if second is NULL else (first, [second, *args])


@step("CALL_FUNCTION_EX")
def call_function_ex(f: Frame, arg: int) -> None:
    given = construct.fields(f.path, f.path.pick(f.expression(f.pop()))) if arg & 1 else {}
    args = every(f.path, f.pop())
    function, args = _callee(f, args)
    f.push(calls.call(f.path, function, args, given))


_ORDER = (8, 4, 2, 1)  # closure, annotations, keyword defaults, defaults: the topmost first


@step("MAKE_FUNCTION")
def make_function(f: Frame, arg: int) -> None:
    code = f.pop().value
    made = Closure(code, f.f.scope, f.f.builtins)
    assert screen.VERSION is not None
    if screen.VERSION.closure_flags:
        for flag in _ORDER:
            if arg & flag:
                _furnish(f, made, flag, f.pop())
    f.push(made)


@step("SET_FUNCTION_ATTRIBUTE")
def set_function_attribute(f: Frame, arg: int) -> None:
    value, made = f.take(2)
    _furnish(f, made, arg, value)
    f.push(made)


def _furnish(f: Frame, made: Closure, flag: int, value: Any) -> None:
    if flag == 8:
        made.cells = tuple(value)
    elif flag == 2:
        made.keywords = construct.fields(f.path, value)
    elif flag == 1:
        made.defaults = tuple(operate.parts(f.path, value))


@step("RETURN_VALUE")
def return_value(f: Frame, arg: int) -> None:
    f.result, f.done = f.pop(), True


@step("RETURN_CONST")
def return_const(f: Frame, arg: int) -> None:
    f.result, f.done = f.path.const(f.program.code.co_consts[arg]), True


@step("RETURN_GENERATOR")
def return_generator(f: Frame, arg: int) -> None:
    f.push(NULL)


@step("YIELD_VALUE")
def yield_value(f: Frame, arg: int) -> None:
    f.result, f.waiting = f.pop(), True


@step("RAISE_VARARGS")
def raise_varargs(f: Frame, arg: int) -> None:
    if arg != 1:
        f.path.opaque("raises again, or with a cause")
    what = f.pop()
    if isinstance(what, Made):
        f.path.fail(what.error)
    if isinstance(what, Const) and isinstance(what.value, type) and issubclass(what.value, BaseException):
        f.path.fail(what.value)
    f.path.opaque("raises what is no exception that it names")


# ---- jumps


@step("JUMP_FORWARD", "JUMP_BACKWARD")
def jump(f: Frame, arg: int) -> None:
    f.next = arg


def _jump_if(wanted: bool) -> Step:
    def act(f: Frame, arg: int) -> None:
        if f.path.decide(operate.truth(f.path, f.pop())) is wanted:
            f.next = arg

    return act


def _jump_if_none(wanted: bool) -> Step:
    def act(f: Frame, arg: int) -> None:
        none = operate.identical(f.path, f.pop(), f.path.const(None))
        if f.path.decide(none) is wanted:
            f.next = arg

    return act


def _jump_or_pop(wanted: bool) -> Step:
    def act(f: Frame, arg: int) -> None:
        if f.path.decide(operate.truth(f.path, f.stack[-1])) is wanted:
            f.next = arg
        else:
            f.pop()

    return act


for _way in ("POP_JUMP_IF_", "POP_JUMP_FORWARD_IF_", "POP_JUMP_BACKWARD_IF_"):
    ALL[_way + "TRUE"], ALL[_way + "FALSE"] = _jump_if(True), _jump_if(False)
    ALL[_way + "NONE"], ALL[_way + "NOT_NONE"] = _jump_if_none(True), _jump_if_none(False)
ALL["JUMP_IF_TRUE_OR_POP"], ALL["JUMP_IF_FALSE_OR_POP"] = _jump_or_pop(True), _jump_or_pop(False)


@step("GET_ITER")
def get_iter(f: Frame, arg: int) -> None:
    f.push(iterate(f.path, f.pop()))


@step("FOR_ITER")
def for_iter(f: Frame, arg: int) -> None:
    value = iterate(f.path, f.stack[-1]).next()
    if value is not NULL:
        f.push(value)
        return
    f.pop()
    f.next = arg
    steps = f.program.steps
    target = steps[arg]
    if target is not None and target.name == "END_FOR":  # it, and from 3.13 a POP_TOP, is skipped
        f.next = target.next
        after = steps[f.next]
        if sys.version_info >= (3, 13) and after is not None and after.name == "POP_TOP":
            f.next = after.next


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


_known = VERSIONS.get(sys.version_info[:2])
STEPS: dict[str, Step] = {n: s for n, s in ALL.items() if _known is not None and n in _known.known}

