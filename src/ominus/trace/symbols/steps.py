"""Instructions that go elsewhere: attributes, calls, returns, jumps, loops; and all there are."""

from __future__ import annotations

import sys
from typing import Any

from ominus.trace import screen
from ominus.trace.expr import Const
from ominus.trace.opcodes import VERSIONS
from ominus.trace.symbols import (
    calls,
    compare,
    construct,
    members,
    operate,
    step_collections,
    step_values,
)
from ominus.trace.symbols.frame import Frame
from ominus.trace.symbols.iterate import every, iterate
from ominus.trace.symbols.step import ALL, Step, step
from ominus.trace.symbols.values import NULL, Closure, Made

_LOADED = (step_values, step_collections)  # each fills the table


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
    if (
        isinstance(what, Const)
        and isinstance(what.value, type)
        and issubclass(what.value, BaseException)
    ):
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
        none = compare.identical(f.path, f.pop(), f.path.const(None))
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


_known = VERSIONS.get(sys.version_info[:2])
STEPS: dict[str, Step] = {n: s for n, s in ALL.items() if _known is not None and n in _known.known}
