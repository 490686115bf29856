"""Instructions that move and compute: the stack, variables and operators."""

from __future__ import annotations

from ominus.trace import screen
from ominus.trace.expr import Expr
from ominus.trace.kinds import Many, Row, Tuple
from ominus.trace.opcodes import BINARY, COMPARE, INTRINSICS
from ominus.trace.symbols import compare, contain, members, operate
from ominus.trace.symbols.frame import Frame
from ominus.trace.symbols.step import step
from ominus.trace.symbols.step_collections import list_to_tuple
from ominus.trace.symbols.values import NULL, Cell, Slice


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
            members.lookup(kind.py, f"__i{n}__")
            for n in ("add", "sub", "mul", "or", "and", "xor", "truediv")
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
    f.push(compare.compare(f.path, COMPARE[arg >> screen.VERSION.compare], left, right))


@step("IS_OP")
def is_op(f: Frame, arg: int) -> None:
    left, right = f.take(2)
    found = compare.identical(f.path, left, right)
    f.push(f.path.negate(found) if arg else found)


@step("CONTAINS_OP")
def contains_op(f: Frame, arg: int) -> None:
    item, container = f.take(2)
    found = contain.contains(f.path, item, container)
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
