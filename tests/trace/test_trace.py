"""What a trace keeps: what may raise, what it read, which values it fits, and how it prints."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, TypedDict

import pytest

from against_python import disagreement
from edges import rows
from ominus.trace import (
    MEANING,
    Op,
    Opaque,
    Traced,
    evaluate,
    leaves_columns,
    record_type,
    records,
    trace,
    walk,
)

RATE = 3
NAMES = ["a", "b"]


class Status(Enum):
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class Order:
    id: int
    amount: float
    status: Status = Status.OPEN

    @property
    def cents(self) -> int:
        return round(self.amount * 100)

    def __post_init__(self) -> None:
        if self.id < 0:
            raise ValueError("no such order")


class Special(Order):
    pass


class Point(NamedTuple):
    x: int
    y: int


class Person(TypedDict):
    name: str
    age: int


class Record:
    """A row by name, as a library might have it."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).items()))


def record(*rows: Any, **fields: Any) -> Record:
    return Record(**{n: x for row in rows for n, x in vars(row).items()}, **fields)


def traced(f: Any, *kinds: Any, **more: Any) -> Traced:
    found = trace(f, *kinds, **more)
    assert isinstance(found, Traced), found
    return found


# ---- what may raise


def test_what_is_not_read_raises_all_the_same() -> None:
    def f(x: int) -> int:
        y = 1 / x  # noqa: F841
        return 2

    t = traced(f, int)
    assert [(str(r.node), r.causes[0]) for r in t.raises] == [("1 / x", "zero")]
    assert t(1) == 2
    with pytest.raises(ZeroDivisionError):
        t(0)


def test_what_may_raise_is_guarded_by_its_path() -> None:
    t = traced(lambda x: 10 // x if x != 0 else 0, int)
    (only,) = t.raises
    assert str(only.guard) == "x != 0"
    assert not leaves_columns(t.raises, (0,))


def test_a_row_that_raises_leaves_the_columns() -> None:
    t = traced(lambda x: 10 // x, int)
    assert leaves_columns(t.raises, (0,)) and not leaves_columns(t.raises, (3,))


def test_a_path_that_always_raises_is_no_value_but_a_guard() -> None:
    def f(x: int | None) -> int:
        return x + 1  # type: ignore[operator]

    t = traced(f, int | None)
    assert str(t.expr) == "x + 1"
    (only,) = t.raises
    assert str(only.guard) == "x is None" and str(only.node) == "raise TypeError"
    with pytest.raises(TypeError):
        t(None)


def test_the_line_of_what_may_raise_is_the_users() -> None:
    def f(x: int) -> float:
        y = x + 1
        return 1 / y

    (only, *_) = traced(f, int).raises
    assert only.line == f.__code__.co_firstlineno + 2


def test_a_check_of_a_dataclass_is_part_of_the_trace() -> None:
    t = traced(lambda n: Order(n - 1, 0.5), int)
    assert t(2) == Order(1, 0.5)
    with pytest.raises(ValueError, match="no such order"):
        t(0)


# ---- what it read


def test_a_global_is_read_once_and_its_change_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: int) -> float:
        return x * RATE / x

    t = traced(f, int)
    assert ("RATE", 3) in t.reads and t.changed() == ()
    monkeypatch.setitem(globals(), "RATE", 5)
    assert t.changed() == ("RATE",)
    assert t(2) == 3.0
    assert t(2.0) == 3.0, "the function itself reads what the trace read"


def test_a_mutable_global_is_read_as_it_was() -> None:
    t = traced(lambda s: s in NAMES, str)
    NAMES.append("c")
    try:
        assert t("c") is False
        assert t.function("c") is False
    finally:
        NAMES.remove("c")


def test_a_closure_cell_is_read_once() -> None:
    k = 2

    def f(x: int) -> int:
        return x * k

    t = traced(f, int)
    k = 5
    assert t(3) == 6 and t.function(3) == 6
    assert t.changed() == ("k",)


# ---- which values it fits


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (int, 1, True),
        (float, 1.0, 1),
        (dict[str, int], {}, None),
        (tuple[int, str], (1, "a"), (1, 2)),
        (tuple[int, ...], (1, 2), [1, 2]),
        (list[int], [1], [True]),
        (int | None, None, 1.0),
        (Point, Point(1, 2), (1, 2)),
        (Point, Point(1, 2), Point(1, "a")),  # type: ignore[arg-type]
        (Order, Order(1, 2.0), Special(1, 2.0)),
        (Order, Order(1, 2.0), Order(1, 2)),
        (Person, {"name": "a", "age": 1}, {"name": "a"}),
        (Person, {"name": "a", "age": 1}, OrderedDict(name="a", age=1)),
        (Status, Status.OPEN, "open"),
        ({"a": int}, {"a": 1}, {"a": 1, "b": 2}),
    ],
)
def test_a_type_is_exact(kind: Any, right: Any, wrong: Any) -> None:
    t = traced(lambda v: v, kind)
    assert t.fits(right)
    if kind != dict[str, int]:
        assert not t.fits(wrong)


def test_an_instance_of_a_subclass_is_answered_by_the_function_itself() -> None:
    class Loud(str):
        def upper(self) -> str:
            return "LOUD"

    t = traced(lambda s: s.upper(), str)
    assert t("a") == "A"
    assert t(Loud("a")) == "LOUD"


def test_an_instance_with_an_attribute_of_its_own_is_not_of_the_type() -> None:
    @dataclass
    class Loose:
        a: int

        def twice(self) -> int:
            return self.a * 2

    t = traced(lambda o: o.twice(), Loose)
    o = Loose(1)
    assert t.fits(o) and t(o) == 2
    o.twice = lambda: 7  # type: ignore[method-assign]
    assert not t.fits(o) and t(o) == 7


# ---- rows


def test_a_property_and_an_enum_are_traced() -> None:
    t = traced(lambda o: o.cents if o.status is Status.OPEN else 0, Order)
    assert str(t.expr) == "round(o.amount * 100) if o.status == Status.OPEN else 0"
    assert t(Order(1, 2.5)) == 250


def test_a_record_by_name_is_traced_through_its_constructor() -> None:
    row = record_type(record, Record, region=str, amount=float)
    hooks = {record: records(record, Record)}
    t = traced(
        lambda a, b: record(a, name=b.status, half=a.amount / 2), row, Order, constructors=hooks
    )
    assert t(Record(region="n", amount=3.0), Order(1, 2.0)) == Record(
        region="n", amount=3.0, name=Status.OPEN, half=1.5
    )
    assert str(trace(lambda a: a.region + "!", row)) == "lambda a: a.region + '!'"


def test_a_record_that_takes_a_field_twice_is_left_to_python() -> None:
    row = record_type(record, Record, a=int)
    found = trace(
        lambda x, y: record(x, y), row, row, constructors={record: records(record, Record)}
    )
    assert isinstance(found, Opaque)


def test_equal_nodes_are_one_object() -> None:
    t = traced(lambda x: (x * 2 + 1, x * 2 + 1), int)
    first, second = t.expr.parts  # type: ignore[attr-defined]
    assert first is second
    assert t.source == "def traced(x):\n    t1 = x * 2 + 1\n    return (t1, t1)"


def test_two_traces_of_one_function_are_equal_as_data() -> None:
    def f(x: int) -> int:
        return x * 2 if x > 0 else -x

    assert traced(f, int).expr == traced(f, int).expr
    assert traced(f, int).expr != traced(lambda x: x * 2 if x > 1 else -x, int).expr


def test_constants_that_are_equal_and_not_one_are_kept_apart() -> None:
    t = traced(lambda x: (1, 1.0, True, 0.0, -0.0) if x else (2,), bool)
    assert [repr(v) for v in t(True)] == ["1", "1.0", "True", "0.0", "-0.0"]


# ---- other processes


def test_a_pickled_trace_answers_in_another_process() -> None:
    t = traced(lambda x: 10 // x if x < 5 else x, int)
    code = "import pickle,sys; t = pickle.loads(sys.stdin.buffer.read()); print(t(3), t(7), t('z'))"
    done = subprocess.run(
        [sys.executable, "-c", code.replace("t('z')", "t(2.5)")],
        input=pickle.dumps(t),
        capture_output=True,
        check=True,
    )
    assert done.stdout.split() == [b"3", b"7", b"4.0"]


def test_a_pickled_trace_keeps_what_its_function_read() -> None:
    t = traced(lambda x: x * RATE, int)
    again = pickle.loads(pickle.dumps(t))
    assert again.function(2) == 6 and again.expr == t.expr and again("ab") == "ababab"


# ---- the table of meaning


def test_every_operation_of_a_trace_is_in_the_table() -> None:
    t = traced(lambda s: f"{s.strip()[1:]:>5}" + str(len(s) // 2), str)
    assert {n.name for n in walk(t.expr) if isinstance(n, Op)} <= MEANING.keys()


def test_every_operation_says_what_it_means_in_a_sentence() -> None:
    assert all(m.says and "{0}" in m.form or "{*}" in m.form for m in MEANING.values())


SHAPES: dict[str, tuple[Any, tuple[Any, ...], str]] = {
    "and": (lambda x: x > 0 and x < 9, (int,), "x > 0 and x < 9"),
    "or": (lambda x: x < 0 or x > 9, (int,), "x < 0 or x > 9"),
    "chained": (lambda x: 0 <= x < 9, (int,), "0 <= x and x < 9"),
    "is None": (lambda x: x is None, (int | None,), "x is None"),
    "is not None": (lambda x: x is not None, (int | None,), "x is not None"),
    "static isinstance": (lambda x: isinstance(x, int), (bool,), "True"),
    "static type": (lambda x: type(x) is int, (bool,), "False"),
    "type of a union": (lambda x: type(x) is int, (int | str,), "type(x) is int"),
    "slice": (lambda s: s[1:-1], (str,), "s[1:-1]"),
    "f-string": (lambda a, b: f"{a}-{b:>3}", (str, str), "f'{a}-{b:>3}'"),
    "nested tuple": (lambda t: t[1][0], (tuple[int, tuple[str, int]],), "t[1][0]"),
    "match on a class": (lambda p: p.x + p[1], (Point,), "p.x + p.y"),
    "negative power": (lambda x: (-x) ** 2, (int,), "(-x) ** 2"),
    "difference": (lambda a, b, c: a - (b - c), (int, int, int), "a - (b - c)"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_an_expression_prints_as_a_reader_would_write_it(name: str) -> None:
    f, kinds, text = SHAPES[name]
    t = traced(f, *kinds)
    assert str(t.expr) == text
    for args in rows(t.types, 50, 1):
        assert disagreement(f, t, args) is None
        assert leaves_columns(t.raises, args) or evaluate(t.expr, args) == f(*args)


# ---- more that a trace knows


def test_a_variable_of_a_module_is_read_once() -> None:
    import types

    config = types.ModuleType("config_of_a_test")
    config.rate = 3  # type: ignore[attr-defined]
    scope: dict[str, Any] = {"config": config}
    exec("def f(x): return x * config.rate", scope)
    sys.modules["config_of_a_test"] = config
    t = traced(scope["f"], int)
    config.rate = 5  # type: ignore[attr-defined]
    assert t(2) == 6 and t("ab") == "ababab"
    assert t.changed() == ("config.rate",)
    assert pickle.loads(pickle.dumps(t))("ab") == "ababab"
    del sys.modules["config_of_a_test"]


def test_a_global_that_changes_under_a_mutable_object_is_not_trusted() -> None:
    @dataclass
    class Config:
        rate: int

    config = Config(3)
    found = trace(lambda x: x * config.rate, int)
    assert isinstance(found, Opaque) and "config.rate" in found.why


def test_a_helper_is_kept_as_it_was() -> None:
    scope: dict[str, Any] = {}
    exec("def helper(x): return x + 1\ndef f(x): return helper(x) * 2", scope)
    t = traced(scope["f"], int)
    exec("def helper(x): return x - 1", scope)
    assert t(1) == 4 and t(1.0) == 4.0
    assert t.changed() == ("helper",)
    assert pickle.loads(pickle.dumps(t))(1.5) == 5.0


def test_sql_like_is_traced() -> None:
    from ominus.trace import like

    t = traced(lambda s: like(s, "%gr_en%"), str)
    assert str(t) == "lambda s: like(s, '%gr_en%')"
    assert t("a green door") and t("grüen\n") and not t("gren")


def test_a_value_of_no_known_type_may_be_asked_for_none() -> None:
    t = traced(lambda x: 0 if x is None else 1, Any)
    assert [t(None), t(0), t([])] == [0, 1, 1]


def test_what_depends_on_the_order_of_keys_is_opaque() -> None:
    assert isinstance(trace(lambda p: tuple(p), Person), Opaque)


def test_a_fault_of_the_tracer_costs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from ominus.trace.symbols import operate

    monkeypatch.setattr(operate, "binary", lambda *a: 1 / 0)
    found = trace(lambda x: x + 1, int)
    assert isinstance(found, Opaque) and "does not cope" in found.why


def test_a_class_of_another_library_is_a_row() -> None:
    attrs = pytest.importorskip("attrs")

    @attrs.define
    class Item:
        name: str
        price: int

    t = traced(lambda i: i.price * 2, Item)
    assert t(Item("a", 2)) == 4 and not t.fits(Item("a", 2.0))


def test_a_row_that_may_be_absent_is_asked_first() -> None:
    t = traced(
        lambda left, right: (left.id, right.cents if right is not None else 0), Order, Order | None
    )
    assert t(Order(1, 1.0), None) == (1, 0) and t(Order(1, 1.0), Order(2, 0.5)) == (1, 50)
    assert t.raises[0].causes == ("not finite",)


def test_tracing_a_small_lambda_visits_each_instruction_of_each_path_once() -> None:
    from ominus.trace.symbols.path import Path

    steps: list[int] = []
    keep = Path.__init__
    try:
        Path.__init__ = lambda self, *a: (keep(self, *a), steps.append(1))[0]  # type: ignore[method-assign]
        traced(lambda x: x * 2 if x > 0 else -x, int)
    finally:
        Path.__init__ = keep  # type: ignore[method-assign]
    assert len(steps) == 2


def test_a_trace_is_inlined_into_generated_code() -> None:
    t = traced(lambda o: o.amount * 2 if o.status is Status.OPEN else 0.0, Order)
    scope: dict[str, Any] = {"k0": "taken"}
    written = t.inline(["row"], scope)
    assert written is not None and scope["k0"] == "taken"
    assert eval(f"{written} + 1", scope, {"row": Order(1, 2.0)}) == 5.0


def test_what_would_be_computed_twice_or_not_raise_is_not_inlined() -> None:
    def unread(x: int) -> int:
        _ = 1 / x
        return x

    def read_on_one_path(x: int, c: bool) -> float:
        y = 1 / x
        return y if c else 2.0

    def asked_for_nothing(x: int) -> int:
        return 2 if 1 / x > 0 else 2

    assert traced(lambda x: (x * 2 + 1, x * 2 + 1), int).inline(["x"], {}) is None
    assert traced(read_on_one_path, int, bool).inline(["x", "c"], {}) is None
    assert traced(asked_for_nothing, int).inline(["x"], {}) is None
    assert traced(unread, int).inline(["x"], {}) is None
