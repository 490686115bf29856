"""One small example for each sentence of "Run, change, read"."""

import asyncio
import threading
from dataclasses import dataclass
from typing import Any

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import (
    ChangeRefused,
    Closed,
    FunctionFailed,
    KeyAbsent,
    KeyPresent,
    NeedsRow,
    OminusError,
    RowAbsent,
    TransactionRefused,
)


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    amount: float


orders = om.source("orders", Order, key="id")
people = om.source("people", key="name")
clicks = om.source("clicks", str)

by_customer = orders.group_by("customer")
shop = om.flow(
    total=orders.reduce(r.sum("amount")),
    spent=by_customer.reduce(r.sum("amount")),
    groups=by_customer,
    clicks_=clicks.map(str.upper),
    pages=clicks.group_by(lambda c: c[0]),
    joined=orders.join(people, left_on="customer", into=lambda o, p: (o.id, p["city"])),
)

A, B, C = Order(1, "ada", 30.0), Order(2, "bob", 5.0), Order(3, "ada", 7.0)


@pytest.fixture
def live():
    with shop.run() as running:
        running["orders"].insert_many([A, B])
        running["clicks"].insert_many(["x", "x", "y"])
        yield running


def plain(view: Any) -> dict[Any, Any]:
    return {key: view[key] for key in view}


def state(live: Any) -> Any:
    """All that can be read, as plain values."""
    tables = {n: plain(live[n]) for n in ("orders", "people", "total", "spent", "groups", "pages")}
    return tables | {n: live[n].value for n in ("clicks", "clicks_", "joined")}


def cause_of(refused: Any, kind: type) -> Any:
    found = refused.value
    return found if isinstance(found, kind) else found.__cause__


# Changes.


def test_a_source_is_found_by_name_and_by_what_defined_it(live):
    live[orders].insert(C)
    assert live["orders"][3] == live[orders][3] == C


def test_an_insert_shows_in_every_view(live):
    live["orders"].insert(C)
    assert live["total"].value == 42.0
    assert plain(live["spent"]) == {"ada": 37.0, "bob": 5.0}
    assert live["groups"]["ada"] == om.Multiset([A, C])


def test_an_update_replaces_the_row_of_its_key(live):
    live["orders"].update(Order(1, "ada", 35.0))
    assert live["total"].value == 40.0 and live["orders"][1].amount == 35.0


def test_an_upsert_inserts_or_replaces(live):
    live["orders"].upsert(Order(1, "bob", 1.0))
    live["orders"].upsert(C)
    assert plain(live["spent"]) == {"bob": 6.0, "ada": 7.0}


def test_a_delete_names_the_key_or_the_row(live):
    live["orders"].delete(key=1)
    live["orders"].delete(B)
    assert len(live["orders"]) == 0 and live["total"].value == 0


def test_a_delete_of_rows_removes_one_copy(live):
    live["clicks"].delete("x")
    assert live["clicks"].value == om.Multiset(["x", "y"])
    assert live["clicks_"].value == om.Multiset(["X", "Y"])


def test_a_group_whose_last_value_left_is_gone(live):
    live["orders"].delete(key=2)
    assert set(live["spent"]) == set(live["groups"]) == {"ada"}
    live["orders"].delete(key=1)
    assert len(live["total"]) == 0


REFUSED = [
    (lambda live: live["orders"].insert(Order(1, "eve", 1.0)), KeyPresent),
    (lambda live: live["orders"].insert(A), KeyPresent),
    (lambda live: live["orders"].update(C), KeyAbsent),
    (lambda live: live["orders"].delete(key=9), KeyAbsent),
    (lambda live: live["orders"].delete(C), KeyAbsent),
    (lambda live: live["orders"].delete(Order(1, "ada", 31.0)), RowAbsent),
    (lambda live: live["clicks"].delete("z"), RowAbsent),
    (lambda live: live.apply(orders=[om.Update(Order(1, "ada", 31.0), C)]), ChangeRefused),
    (lambda live: live.apply(orders=[om.Update(B, Order(2, "b", 1.0)), om.Insert(A)]), KeyPresent),
    (lambda live: live["orders"].insert_many([C, C]), KeyPresent),
    (lambda live: live["clicks"].delete_many(["y", "y"]), RowAbsent),
]


@pytest.mark.parametrize(("change", "error"), REFUSED)
def test_what_does_not_fit_is_refused_and_nothing_is_changed(live, change, error):
    before = state(live)
    with pytest.raises(error):
        change(live)
    assert state(live) == before


def test_missing_ok_lets_a_delete_of_what_is_not_there_pass(live):
    before = state(live)
    live["orders"].delete(key=9, missing_ok=True)
    live["clicks"].delete("z", missing_ok=True)
    assert state(live) == before


def test_update_of_old_and_new_checks_the_old_row(live):
    with pytest.raises(RowAbsent):
        live.apply(orders=[om.Update(Order(1, "ada", 1.0), Order(1, "ada", 2.0))])
    live.apply(orders=[om.Update(A, Order(1, "ada", 2.0))])
    assert live["orders"][1].amount == 2.0


def test_many_rows_go_in_with_one_transaction(live):
    heard = []
    live["spent"].subscribe(heard.append)
    live["orders"].insert_many([C, Order(4, "eve", 1.0)])
    live["orders"].upsert_many([Order(4, "eve", 2.0), Order(5, "eve", 3.0)])
    live["orders"].update_many([Order(4, "eve", 4.0), Order(5, "eve", 5.0)])
    assert live["spent"]["eve"] == 9.0
    live["orders"].delete_many([C])
    live["orders"].delete_many(keys=[4, 5])
    assert len(heard) == 5 and plain(live["spent"]) == {"ada": 30.0, "bob": 5.0}


def test_apply_takes_every_kind_of_change(live):
    live.apply(
        orders=[
            om.Insert(C),
            om.Update(Order(1, "ada", 1.0)),
            om.Upsert(Order(4, "eve", 2.0)),
            om.Delete(B),
            om.Delete(key=3),
        ],
        clicks=[om.Insert("z"), om.Delete("x")],
    )
    assert plain(live["orders"]) == {1: Order(1, "ada", 1.0), 4: Order(4, "eve", 2.0)}
    assert live["clicks"].value == om.Multiset(["x", "y", "z"])


def test_arrow_tables_go_in(live):
    import pyarrow as pa

    live["orders"].insert_many(
        pa.table({"id": [7, 8], "customer": ["a", "b"], "amount": [1.5, 2.5]})
    )
    assert live["orders"][8] == Order(8, "b", 2.5)


# Transactions.


def test_a_transaction_is_one_version_of_many_inputs(live):
    told = []
    live["joined"].subscribe(told.append)
    with live.transaction():
        live["people"].insert({"name": "ada", "city": "york"})
        live["orders"].insert(C)
        live["orders"].delete(key=2)
    assert len(told) == 1
    assert live["joined"].value == om.Multiset([(1, "york"), (3, "york")])


def test_a_transaction_that_throws_changes_nothing(live):
    before, heard = state(live), []
    live["total"].subscribe(heard.append)
    with pytest.raises(ZeroDivisionError):
        with live.transaction():
            live["orders"].insert(C)
            live["clicks"].delete("x")
            raise ZeroDivisionError
    assert state(live) == before and heard == []
    live["orders"].insert(C)
    assert live["total"].value == 42.0


def test_sources_show_their_own_writes_and_views_stand_as_before(live):
    with live.transaction():
        live["orders"].insert(C)
        live["clicks"].delete("x")
        assert live["orders"][3] == C and len(live["orders"]) == 3
        assert live["clicks"].value == om.Multiset(["x", "y"])
        assert live["total"].value == 35.0 and len(live["clicks_"]) == 3
        live["orders"].delete(key=3)
        assert 3 not in live["orders"]
    assert live["total"].value == 35.0


def test_a_transaction_inside_another_is_refused(live):
    with live.transaction():
        with pytest.raises(TransactionRefused):
            with live.transaction():
                pass


def test_a_second_writer_waits(live):
    order = []
    inside, go = threading.Event(), threading.Event()

    def first() -> None:
        with live.transaction():
            live["clicks"].insert("a")
            inside.set()
            go.wait(5)
            order.append("first")

    def second() -> None:
        inside.wait(5)
        live["clicks"].insert("b")
        order.append("second")

    threads = [threading.Thread(target=f) for f in (first, second)]
    for thread in threads:
        thread.start()
    inside.wait(5)
    assert order == [] and "A" not in live["clicks_"]
    go.set()
    for thread in threads:
        thread.join(5)
    assert order == ["first", "second"] and {"A", "B"} <= set(live["clicks_"])


def test_a_function_that_throws_takes_the_whole_transaction_back():
    ratios = om.flow(view=clicks.map(lambda c: 1 / len(c)), count=clicks.count())
    live = ratios.run()
    live["clicks"].insert("a")
    with pytest.raises(FunctionFailed) as failed:
        live["clicks"].insert_many(["b", ""])
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    assert "map" in str(failed.value) and failed.value.row == ""
    assert "1 / len(c)" in failed.value.line or "1 / len(c)" in str(failed.value)
    assert live["clicks"].value == om.Multiset(["a"]) and live["count"].value == 1


def test_what_comes_and_goes_in_one_transaction_is_not_seen(live):
    heard = []
    live["clicks_"].subscribe(heard.append)
    with live.transaction():
        live["clicks"].insert("q")
        live["clicks"].delete("q")
    assert heard == []


def test_functions_see_only_pairs_of_the_old_or_the_new_state():
    left, right = om.source("left", key=0), om.source("right", key=0)
    seen = []

    def into(a: Any, b: Any) -> Any:
        seen.append((a[1], b[1]))
        return (a[1], b[1])

    live = om.flow(view=left.join(right, into=into)).run()
    live.apply(left=[om.Insert((1, "old"))], right=[om.Insert((1, "old"))])
    live.apply(left=[om.Update((1, "new"))], right=[om.Update((1, "new"))])
    assert live["view"][1] == ("new", "new")
    assert set(seen) == {("old", "old"), ("new", "new")}


# Being told.


def test_subscribers_hear_exact_changes_of_a_table(live):
    heard = []
    live["spent"].subscribe(heard.append)
    with live.transaction():
        live["orders"].update(Order(1, "ada", 31.0))
        live["orders"].delete(key=2)
        live["orders"].insert(Order(4, "eve", 1.0))
    (changes,) = heard
    assert {c.key: c for c in changes} == {
        "ada": om.Change("ada", 30.0, 31.0),
        "bob": om.Change("bob", 5.0, om.ABSENT),
        "eve": om.Change("eve", om.ABSENT, 1.0),
    }


def test_changes_of_rows_and_groups_tell_what_left_and_what_joined(live):
    rows, groups = [], []
    live["clicks_"].subscribe(rows.append)
    live["pages"].subscribe(groups.append)
    live.apply(clicks=[om.Delete("x"), om.Insert("xyz")])
    assert rows == [[om.GroupChange((), om.Multiset(["X"]), om.Multiset(["XYZ"]))]]
    assert groups == [[om.GroupChange("x", om.Multiset(["x"]), om.Multiset(["xyz"]))]]


def test_nobody_is_told_where_nothing_changed(live):
    heard = []
    live["spent"].subscribe(heard.append)
    live["clicks"].insert("k")
    with live.transaction():
        live["orders"].update(Order(1, "ada", 31.0))
        live["orders"].update(A)
    assert heard == []


def test_a_value_of_none_is_told_as_none_and_no_value_as_absent():
    t = om.source("t", key=0)
    live = om.flow(view=t.map(1)).run()
    heard = []
    live["view"].subscribe(heard.append)
    live["t"].insert((1, None))
    live["t"].delete(key=1)
    assert heard == [[om.Change(1, om.ABSENT, None)], [om.Change(1, None, om.ABSENT)]]


def test_a_closed_subscription_hears_nothing_more(live):
    heard = []
    subscription = live["total"].subscribe(heard.append)
    live["orders"].insert(C)
    subscription.close()
    live["orders"].delete(key=3)
    assert len(heard) == 1


def test_several_views_are_told_in_one_call_for_each_version(live):
    heard = []
    live.subscribe(heard.append, "spent", "total")
    live["orders"].insert(C)
    live["clicks"].insert("x")
    (told,) = heard
    assert set(told) == {"spent", "total"}
    assert told["total"] == [om.Change((), 35.0, 42.0)]


def test_subscribers_are_told_after_the_commit_in_order(live):
    heard = []
    live["total"].subscribe(lambda _: heard.append(("a", live["total"].value)))
    live["total"].subscribe(lambda _: heard.append(("b", live["total"].value)))
    live["orders"].insert(C)
    assert heard == [("a", 42.0), ("b", 42.0)]


def test_a_subscriber_that_throws_is_reported_and_stops_nobody(live, recwarn, caplog, capsys):
    heard = []

    def throws(_: Any) -> None:
        raise ZeroDivisionError("of a subscriber")

    live["total"].subscribe(throws)
    live["total"].subscribe(heard.append)
    live["orders"].insert(C)
    assert len(heard) == 1 and live["total"].value == 42.0
    said = "".join([*map(str, (w.message for w in recwarn)), caplog.text, *capsys.readouterr()])
    assert "ZeroDivisionError" in said or "of a subscriber" in said


def test_a_write_from_a_subscriber_is_the_next_transaction(live):
    heard = []

    def echo(changes: Any) -> None:
        heard.append(live["clicks"].value.count("echo"))
        if len(heard) == 1:
            live["clicks"].insert("echo")

    live["clicks_"].subscribe(echo)
    live["clicks_"].subscribe(lambda changes: heard.append(changes[0].added))
    live["clicks"].insert("q")
    assert heard == [0, om.Multiset(["Q"]), 1, om.Multiset(["ECHO"])]
    assert "ECHO" in live["clicks_"]


def test_a_stream_gives_what_is_there_and_then_each_change(live):
    async def read() -> list[Any]:
        found = []
        stream = live["spent"].stream(key="ada", initial=True)
        async for changes in stream:
            found.append(changes)
            if len(found) == 3:
                return found
            live["orders"].update(Order(1, "ada", 30.0 + len(found)))
        return found

    found = asyncio.run(asyncio.wait_for(read(), 5))
    flat = [c for part in found for c in (part if isinstance(part, list) else [part])]
    assert flat == [
        om.Change("ada", om.ABSENT, 30.0),
        om.Change("ada", 30.0, 31.0),
        om.Change("ada", 31.0, 32.0),
    ]


def test_a_stream_that_falls_behind_gets_one_change_for_each_key(live):
    async def read() -> Any:
        stream = live["spent"].stream(initial=True).__aiter__()
        await anext(stream)
        await anext(stream)
        for amount in (31.0, 32.0, 33.0):
            live["orders"].update(Order(1, "ada", amount))
        live["orders"].update(Order(2, "bob", 6.0))
        live["orders"].update(Order(2, "bob", 5.0))
        return await anext(stream)

    change = asyncio.run(asyncio.wait_for(read(), 5))
    assert change == om.Change("ada", 30.0, 33.0)


# Reading.


def test_a_snapshot_stays_as_it_was(live):
    then = live.snapshot()
    before = state(live)
    live.apply(
        orders=[om.Insert(C), om.Delete(key=1), om.Update(Order(2, "ada", 9.0))],
        clicks=[om.Delete("x"), om.Insert("q")],
    )
    assert state(then) == before and state(live) != before


def test_what_was_read_of_a_snapshot_is_the_same_later(live):
    first = live.snapshot()
    live["orders"].insert(C)
    second = live.snapshot()
    live["orders"].delete(key=3)
    live["orders"].delete(key=1)
    assert [s["total"].value for s in (first, second, live)] == [35.0, 42.0, 5.0]
    assert plain(first["spent"]) == {"ada": 30.0, "bob": 5.0}
    assert list(second["groups"]["ada"]) == [A, C]


def test_another_view_is_filled_from_what_is_there(live):
    live.extend(top=orders.top(1, by="amount"), pairs=orders.join(people, left_on="customer"))
    assert plain(live["top"]) == {1: A}
    live["orders"].insert(Order(4, "eve", 99.0))
    assert list(live["top"]) == [4]


def test_a_run_that_was_closed_refuses_changes():
    with shop.run() as live:
        live["clicks"].insert("a")
    with pytest.raises(Closed):
        live["clicks"].insert("b")


def test_tables_and_groups_are_mappings(live):
    assert dict(live["spent"]) == {"ada": 30.0, "bob": 5.0}
    assert dict(live["groups"].items()) == {"ada": om.Multiset([A]), "bob": om.Multiset([B])}
    assert set(live["spent"].keys()) == {"ada", "bob"}
    assert sorted(live["spent"].values()) == [5.0, 30.0]


def test_the_oracle_agrees(live):
    truth = om.recompute(shop, orders=[A, B], clicks=["x", "x", "y"])
    for name in shop:
        assert truth[name] == live[name]


# Sources that know less or more.


def test_a_source_that_keeps_no_rows_refuses_changes_by_key_alone():
    light = om.source("light", key="id", keep=False)
    live = om.flow(sum=light.group_by("g").reduce(r.sum("v")), n=light.count()).run()
    live["light"].insert({"id": 1, "g": "a", "v": 3})
    with pytest.raises(NeedsRow):
        live["light"].delete(key=1)
    live["light"].delete({"id": 1, "g": "a", "v": 3})
    assert len(live["sum"]) == 0


def test_a_source_that_keeps_no_rows_refuses_a_count_below_nothing():
    light = om.source("light", keep=False)
    live = om.flow(sum=light.reduce(r.sum())).run()
    live["light"].insert(3)
    with pytest.raises(OminusError):
        live["light"].delete_many([3, 3])
    assert live["sum"].value == 3


def feed():
    return om.source("feed", key="k", sequence="lsn")


def test_with_a_sequence_what_comes_late_or_twice_is_dropped():
    live = om.flow(view=feed().map("v")).run()
    live["feed"].insert({"k": 1, "v": "b", "lsn": 2})
    live["feed"].insert({"k": 1, "v": "a", "lsn": 1})
    live["feed"].insert({"k": 1, "v": "b", "lsn": 2})
    assert plain(live["view"]) == {1: "b"}
    live["feed"].update({"k": 1, "v": "c", "lsn": 3})
    assert plain(live["view"]) == {1: "c"}


def test_with_a_sequence_a_deletion_leaves_its_mark():
    live = om.flow(view=feed().map("v")).run()
    live["feed"].insert({"k": 1, "v": "a", "lsn": 1})
    live.apply(feed=[om.Delete(key=1, sequence=3)])
    live["feed"].insert({"k": 1, "v": "late", "lsn": 2})
    assert len(live["view"]) == 0
    live.apply(feed=[om.Delete(key=2, sequence=9)])
    live["feed"].insert({"k": 2, "v": "late", "lsn": 8})
    assert len(live["view"]) == 0
    live["feed"].insert({"k": 2, "v": "new", "lsn": 10})
    assert plain(live["view"]) == {2: "new"}


def test_with_a_sequence_an_insert_or_update_writes_whatever_is_there():
    live = om.flow(view=feed().map("v")).run()
    live["feed"].update({"k": 1, "v": "a", "lsn": 1})
    live["feed"].insert({"k": 1, "v": "b", "lsn": 2})
    assert plain(live["view"]) == {1: "b"}


# Functions that are told of one change.


def test_maintain_is_told_one_insert_delete_or_update():
    told = []

    def on(current: Any, change: Any) -> Any:
        told.append(change)
        removed = 0 if isinstance(change, om.Insert) else change.old[1]
        added = 0 if isinstance(change, om.Delete) else change.new[1]
        return current - removed + added

    t = om.source("t", key=0)
    live = om.flow(view=t.maintain(lambda rows: sum(x[1] for x in rows), on)).run()
    live["t"].insert((1, 5))
    live["t"].insert((2, 6))
    live["t"].update((1, 7))
    live["t"].delete(key=2)
    assert live["view"].value == 7
    assert [type(c) for c in told][-3:] == [om.Insert, om.Update, om.Delete]
    assert (told[-2].old, told[-2].new) == ((1, 5), (1, 7))


def test_on_a_sees_b_as_before_and_on_b_sees_a_as_after():
    a, b = om.source("a"), om.source("b")

    def full(a: Any, b: Any) -> int:
        return sum(a) * sum(b)

    def change_of(change: Any) -> int:
        removed = 0 if isinstance(change, om.Insert) else change.old
        return (0 if isinstance(change, om.Delete) else change.new) - removed

    view = om.maintain(
        full,
        a,
        b,
        delta=(
            lambda c, d, b: c + change_of(d) * sum(b),
            lambda c, d, a: c + sum(a) * change_of(d),
        ),
    )
    live = om.flow(view=view).run()
    live.apply(a=[om.Insert(2)], b=[om.Insert(3)])
    assert live["view"].value == 6
    live.apply(a=[om.Insert(5), om.Delete(2)], b=[om.Insert(7)])
    assert live["view"].value == 50
    live.apply(a=[om.Delete(5)], b=[om.Delete(3)])
    assert live["view"].value == 0


def test_a_view_that_reads_another_follows_what_it_read():
    names = om.source("names", key=0)
    view = clicks.map(lambda c, at: at.get(c, "?"), reads=names.map(1))
    live = om.flow(view=view).run()
    live["clicks"].insert_many(["a", "b"])
    assert live["view"].value == om.Multiset(["?", "?"])
    live["names"].insert(("a", "Ada"))
    assert live["view"].value == om.Multiset(["?", "Ada"])
    live["names"].update(("a", "Anna"))
    live["clicks"].delete("b")
    assert live["view"].value == om.Multiset(["Anna"])


def test_a_lazy_value_follows_what_it_read():
    t = om.source("t", key=0)
    sums = om.lazy(lambda k, self, at: at[k][1] + (self[k - 1] if k else 0), reads=t)
    live = om.flow(sums=sums, shown=clicks.map(lambda c, at: at[int(c)], reads=sums)).run()
    live["t"].insert_many([(0, 1), (1, 10), (2, 100)])
    live["clicks"].insert("2")
    assert live["sums"][2] == 111 and live["shown"].value == om.Multiset([111])
    live["t"].update((0, 2))
    assert live["sums"][2] == 112 and live["shown"].value == om.Multiset([112])


def test_a_bound_that_moves_moves_the_slice():
    t, low = om.source("t", key=0), om.source("low", key=0)
    live = om.flow(view=t.slice(low.reduce(r.sum(1)))).run()
    live["t"].insert_many([(k,) for k in range(5)])
    assert set(live["view"]) == {0, 1, 2, 3, 4}
    live["low"].insert((1, 3))
    assert set(live["view"]) == {3, 4}
    live["low"].update((1, 1))
    assert set(live["view"]) == {1, 2, 3, 4}


# Mistakes that a user makes, and what they are told.


def test_a_stream_ends_when_the_flow_is_closed(live):
    async def read() -> list[Any]:
        stream = live["spent"].stream(key="ada")
        live["orders"].update(Order(1, "ada", 31.0))
        live.close()
        return [change async for change in stream]

    assert asyncio.run(asyncio.wait_for(read(), 5)) == [om.Change("ada", 30.0, 31.0)]


def test_a_write_to_a_derived_view_says_what_to_write(live):
    with pytest.raises(AttributeError, match="Write the sources"):
        live["spent"].insert(3)
    with pytest.raises(AttributeError, match="a snapshot is not written"):
        live.snapshot()["orders"].delete(key=1)


def test_a_subscriber_that_is_no_function_is_refused_at_once(live):
    with pytest.raises(TypeError, match="Give a function"):
        live["spent"].subscribe(3)


def test_one_change_is_applied_as_a_list_of_one(live):
    live.apply(orders=om.Delete(key=1))
    assert 1 not in live["orders"]
