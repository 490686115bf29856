"""What raises rolls the whole transaction back, and says where."""

from __future__ import annotations

import asyncio
import gc
import threading
from dataclasses import dataclass

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import (
    ChangeRefused,
    Closed,
    FlowError,
    FunctionFailed,
    KeyAbsent,
    KeyPresent,
    NotDeterministic,
    RowAbsent,
    TransactionRefused,
)


@dataclass(frozen=True)
class Order:
    id: int
    region: str
    amount: int


orders = om.source("orders", Order, key="id")
numbers = om.source("numbers", int)


def contents(live):
    return {
        name: live[name].value if hasattr(live[name], "count") else dict(live[name].items())
        for name in [*live.flow.sources, *live.flow.views]
    }


def test_an_error_names_the_operator_the_row_and_the_users_line():
    live = om.flow(inverse=numbers.map(lambda n: 1 // n)).run()
    with pytest.raises(FunctionFailed) as refused:
        live["numbers"].insert_many([1, 0, 2])
    error = refused.value
    assert error.operator == "map" and error.row == 0
    assert "lambda n: 1 // n" in error.line and __file__ in error.line
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert len(live["numbers"]) == 0 and live.version == 0


def test_a_function_that_raises_takes_everything_back():
    live = om.flow(
        total=orders.group_by("region").reduce(r.sum("amount")),
        best=orders.group_by("region").top(1, by="amount"),
        inverse=orders.group_by("region").reduce(r.sum("amount")).map(lambda s: 10 // s),
        low=orders.group_by("region").reduce(r.min("amount", keep="one")),
        pairs=orders.join(numbers, left_on="amount"),
        seen=orders.map("region").distinct(),
        first=orders.take(2),
    ).run()
    live["orders"].insert_many([Order(1, "n", 2), Order(2, "s", 3)])
    live["numbers"].insert_many([2, 3])
    before, version = contents(live), live.version
    heard = []
    live["total"].subscribe(heard.append)
    with pytest.raises(FunctionFailed), live.transaction():
        live["orders"].delete(key=2)
        live["numbers"].insert(5)
        live["orders"].insert(Order(3, "n", -2))
    assert contents(live) == before and live.version == version and heard == []
    live["orders"].insert(Order(3, "n", 5))
    assert live["total"]["n"] == 7 and live["low"]["n"] == 2


def test_a_state_that_is_changed_in_place_is_taken_back():
    def add(state, row):
        if row.amount == 13:
            raise ValueError("unlucky")
        state.append(row.amount)
        return state

    def remove(state, row):
        state.remove(row.amount)
        return state

    listed = om.Reducer(list, add, remove, finish=lambda s: tuple(sorted(s)), mutates=True)
    live = om.flow(all=orders.group_by("region").reduce(listed)).run()
    live["orders"].insert_many([Order(1, "n", 1), Order(2, "n", 2)])
    with pytest.raises(FunctionFailed), live.transaction():
        live["orders"].delete(key=1)
        live["orders"].insert(Order(3, "n", 3))
        live["orders"].insert(Order(4, "n", 13))
    assert live["all"]["n"] == (1, 2)
    live["orders"].delete(key=1)
    assert live["all"]["n"] == (2,)


def test_a_call_that_is_refused_inside_a_transaction_leaves_what_came_before():
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    with live.transaction():
        live["orders"].insert(Order(1, "n", 1))
        with pytest.raises(KeyPresent):
            live["orders"].insert_many([Order(2, "n", 2), Order(1, "n", 5), Order(3, "n", 3)])
        assert set(live["orders"]) == {1}
    assert live["total"].value == 1


def test_a_transaction_that_ends_with_an_exception_changes_nothing():
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    with pytest.raises(RuntimeError), live.transaction():
        live["orders"].insert(Order(1, "n", 1))
        raise RuntimeError("changed my mind")
    assert len(live["orders"]) == 0 and live["total"].value == 0 and live.version == 0


def test_a_transaction_inside_another_is_refused_and_the_outer_goes_on():
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    with live.transaction():
        with pytest.raises(TransactionRefused), live.transaction():
            pass
        live["orders"].insert(Order(1, "n", 1))
    assert live["total"].value == 1


def test_a_write_from_a_function_of_the_flow_is_refused():
    live = om.flow(echo=numbers.map(lambda n: live["numbers"].insert(n + 1))).run()
    with pytest.raises(TransactionRefused):
        live["numbers"].insert(1)
    assert len(live["numbers"]) == 0


def test_a_function_that_changes_its_mind_is_found_where_rows_are_kept():
    answers = iter([1, 2])
    live = om.flow(odd=numbers.map(lambda n: next(answers)).distinct()).run()
    live["numbers"].insert(5)
    with pytest.raises(NotDeterministic):
        live["numbers"].delete(5)
    assert 5 in live["numbers"]


def test_what_is_not_there_is_refused_or_said_to_be_fine():
    live = om.flow(rows=numbers, table=orders).run()
    with pytest.raises(RowAbsent):
        live["numbers"].delete(1)
    with pytest.raises(KeyAbsent):
        live["orders"].delete(key=1)
    with pytest.raises(KeyAbsent):
        live["orders"].update(Order(1, "n", 1))
    live["orders"].delete(key=1, missing_ok=True)
    live["numbers"].delete(1, missing_ok=True)
    assert live.version == 0


def test_a_closed_flow_is_read_but_not_written():
    with om.flow(rows=numbers).run() as live:
        live["numbers"].insert(1)
    assert 1 in live["rows"]
    with pytest.raises(Closed):
        live["numbers"].insert(2)


def test_readers_in_other_threads_see_whole_versions_only():
    accounts = om.source("accounts", tuple, key=0)
    live = om.flow(total=accounts.reduce(r.sum(1)), accounts_=accounts.map(1)).run()
    live["accounts"].insert_many([(i, 100) for i in range(20)])
    wrong, done = [], threading.Event()

    def read():
        while not done.is_set():
            then = live.snapshot()
            if sum(then["accounts_"].values()) != 2000 or then["total"].value != 2000:
                wrong.append(then.version)
            if sum(dict(live["accounts_"].items()).values()) != 2000:
                wrong.append("live")

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for i in range(600):
        a, b = i % 20, (i * 7 + 1) % 20
        if a == b:
            continue
        x, y = live["accounts"][a], live["accounts"][b]
        try:
            with live.transaction():
                live["accounts"].update((a, x[1] - 5))
                live["accounts"].update((b, y[1] + 5))
                if i % 5 == 0:
                    raise RuntimeError
        except RuntimeError:
            pass
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []


def test_a_second_writer_waits():
    live = om.flow(total=numbers.reduce(r.sum())).run()
    entered = threading.Event()

    def other():
        entered.set()
        live["numbers"].insert(1)

    with live.transaction():
        live["numbers"].insert(10)
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait()
        thread.join(timeout=0.05)
        assert thread.is_alive() and live["total"].value == 0
    thread.join(timeout=5)
    assert live["total"].value == 11


def test_a_snapshot_stays_as_it_was_through_many_versions_and_rollbacks():
    live = om.flow(
        total=orders.group_by("region").reduce(r.sum("amount")),
        rows=orders.group_by("region"),
        seen=orders.map("region").distinct(),
    ).run()
    kept = []
    for i in range(60):
        live["orders"].upsert(Order(i % 7, "nsew"[i % 4], i))
        if i % 3 == 0:
            kept.append((live.snapshot(), contents(live)))
        if i % 5 == 0:
            live["orders"].delete(key=(i // 2) % 7, missing_ok=True)
        if i % 11 == 0:
            del kept[::2]
    for then, was in kept:
        now = {
            name: then[name].value if hasattr(then[name], "count") else dict(then[name].items())
            for name in was
        }
        assert now == was


def test_what_is_read_can_be_changed_without_changing_what_is_kept():
    things = om.source("things", dict, key="id")
    loose = om.source("loose")
    live = om.flow(named=things.map("tags"), groups=things.group_by("kind"), rows=loose).run()
    heard = []
    live["named"].subscribe(heard.extend)
    live["things"].insert({"id": 1, "kind": "a", "tags": ["x"]})
    live["loose"].insert([1])
    live["things"][1]["tags"].append("y")
    live["named"][1].append("y")
    heard[0].new.append("y")
    next(iter(live["groups"]["a"]))["tags"].clear()
    next(iter(live["rows"])).append(2)
    assert live["things"][1] == {"id": 1, "kind": "a", "tags": ["x"]}
    assert live["named"][1] == ["x"] and [1] in live["rows"]
    live["things"].delete(key=1)
    live["loose"].delete([1])
    assert len(live["groups"]) == 0 == len(live["rows"])


def test_what_is_no_view_of_the_flow_is_not_read():
    kept = orders.filter(lambda o: o.amount > 1)
    live = om.flow(total=kept.reduce(r.sum("amount"))).run()
    with pytest.raises(KeyError, match="extend"):
        live[kept]
    live.extend(kept=kept)
    assert len(live[kept]) == 0


def test_groups_are_iterated_at_one_version():
    live = om.flow(groups=numbers.group_by(lambda n: n % 3)).run()
    live["numbers"].insert_many(range(30))
    done, wrong = threading.Event(), []

    def read():
        while not done.is_set():
            seen = [n for _, group in live["groups"].items() for n in group]
            if len(seen) != 30:
                wrong.append(len(seen))

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(300):
        with live.transaction():
            live["numbers"].delete(i)
            live["numbers"].insert(i + 30)
    done.set()
    reader.join()
    assert wrong == []


def test_a_bound_of_several_values_is_refused_and_nothing_is_lost():
    live = om.flow(kept=orders.slice(numbers)).run()
    live["numbers"].insert(2)
    live["orders"].insert_many([Order(1, "n", 1), Order(3, "n", 3)])
    with pytest.raises(FlowError, match="2 rows"):
        live["numbers"].insert(1)
    assert set(live["kept"]) == {3}
    live["numbers"].delete(2)
    assert set(live["kept"]) == set()


def test_what_a_dropped_snapshot_held_is_let_go_with_the_next_commit():
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    live["orders"].insert_many([Order(i, "n", i) for i in range(100)])
    then = live.snapshot()
    live["orders"].update_many([Order(i, "n", i + 1) for i in range(100)])
    assert then["total"].value == 4950 and then.epoch.maps
    del then
    live["orders"].delete(key=0)
    assert live.plan.clock.tail.maps == {}
    assert live["total"].value == 5049


def test_a_function_that_raises_again_after_an_abort_leaves_its_state_right():
    calls = {"left": 100}

    def add(state, row):
        calls["left"] -= 1
        if calls["left"] < 0:
            raise ValueError("out of calls")
        state.append(row.amount)
        return state

    def remove(state, row):
        state.remove(row.amount)
        return state

    listed = om.Reducer(list, add, remove, finish=lambda s: tuple(sorted(s)), mutates=True)
    live = om.flow(all=orders.group_by("region").reduce(listed)).run()
    live["orders"].insert_many([Order(1, "n", 1), Order(2, "n", 2)])
    calls["left"] = 1
    with pytest.raises(FunctionFailed):
        live["orders"].insert_many([Order(3, "n", 3), Order(4, "n", 4)])
    calls["left"] = 100
    assert live["all"]["n"] == (1, 2)
    live["orders"].insert(Order(5, "n", 9))
    assert live["all"]["n"] == (1, 2, 9)


def test_a_write_from_a_lazy_value_is_refused():
    lazy = om.lazy(lambda key, own, rows: live["numbers"].insert(key), reads=orders)
    live = om.flow(lazy=lazy, total=numbers.reduce(r.sum())).run()
    with pytest.raises(TransactionRefused):
        live["lazy"][1]
    assert len(live["numbers"]) == 0
    live["numbers"].insert(2)
    assert live["total"].value == 2


def test_the_keys_of_a_transaction_that_was_taken_back_are_forgotten():
    pairs = om.source("pairs", tuple, key=(0, 1))
    live = om.flow(n=pairs.size()).run()
    for i in range(10):
        with pytest.raises(RuntimeError), live.transaction():
            live["pairs"].insert((i, "x"))
            raise RuntimeError("changed my mind")
    kept = live.source(live.flow.sources["pairs"]).kept
    assert len(kept.names) == 1 and not kept.raws


def test_a_subscriber_that_is_interrupted_keeps_nothing_from_the_others():
    live, heard = om.flow(total=numbers.reduce(r.sum())).run(), []

    def interrupted(changes):
        raise KeyboardInterrupt

    first = live["total"].subscribe(interrupted)
    live["total"].subscribe(lambda changes: heard.extend(c.new for c in changes))
    with pytest.raises(KeyboardInterrupt):
        live["numbers"].insert(1)
    first.close()
    live["numbers"].insert(2)
    assert heard == [1, 3]


def test_a_snapshot_refuses_a_view_that_was_added_after_it():
    live = om.flow(total=numbers.reduce(r.sum())).run()
    live["numbers"].insert(5)
    then = live.snapshot()
    live.extend(low=numbers.reduce(r.min()), again=numbers.reduce(r.sum()))
    with pytest.raises(KeyError, match="added at version 2"):
        then["low"]
    assert then["again"].value == 5
    assert live.snapshot()["low"].value == 5


@pytest.mark.parametrize("first", [None, float("nan")])
def test_a_sequence_that_has_no_order_is_refused(first):
    levels = om.source("levels", dict, key="tank", sequence="at")
    live = om.flow(total=levels.reduce(r.sum("litres"))).run()
    with pytest.raises(ChangeRefused, match="no place in an order"):
        live["levels"].insert({"tank": 1, "litres": 5, "at": first})
    live["levels"].insert({"tank": 1, "litres": 7, "at": 1})
    for later in (first, "two"):
        with pytest.raises(ChangeRefused, match="cannot be compared with 1"):
            live["levels"].insert({"tank": 1, "litres": 5, "at": later})
    assert live["total"].value == 7


def test_a_stream_that_nobody_reads_any_more_is_forgotten():
    live = om.flow(total=numbers.reduce(r.sum())).run()
    live["numbers"].insert(1)

    async def first():
        async for change in live["total"].stream(initial=True):
            return change.new

    assert asyncio.run(first()) == 1
    gc.collect()
    assert not live._board.wanted()


def test_lazy_values_are_not_iterated_without_end():
    live = om.flow(lazy=om.lazy(lambda key, own, rows: key, reads=orders)).run()
    for ask in (list, iter, lambda view: 1 in view):
        with pytest.raises(TypeError):
            ask(live["lazy"])
        with pytest.raises(TypeError):
            ask(live.snapshot()["lazy"])


def test_value_of_groups_says_how_to_read_one():
    live = om.flow(groups=orders.group_by("region")).run()
    with pytest.raises(AttributeError, match="each region"):
        live["groups"].value
