"""One small example for each sentence of "Define", on the oracle and on the engine."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import Circle, FlowError, KeysDiffer, NameTaken, OminusError

NAN = float("nan")


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    category: str
    amount: float
    status: str = "open"


@dataclass(frozen=True)
class Customer:
    name: str
    region: str


orders = om.source("orders", Order, key="id")
customers = om.source("customers", Customer, key="name")
left = om.source("left")
right = om.source("right")
t = om.source("t", key="k")
u = om.source("u", key="k")

ORDERS = [
    Order(1, "ada", "books", 30.0),
    Order(2, "bob", "books", 5.0),
    Order(3, "ada", "games", 7.0, "cancelled"),
    Order(4, "eve", "games", 9.0),
]
CUSTOMERS = [Customer("ada", "north"), Customer("bob", "south"), Customer("zoe", "east")]


def row(k: Any, v: Any = 0) -> Any:
    return om.record(k=k, v=v)


def plain(view: Any) -> dict[Any, Any]:
    """What is there, by key."""
    return {key: view[key] for key in view}


def values(op: Any) -> Any:
    """Operators that pass a value on, as a user would define them twice."""
    return op.filter(lambda o: o.amount > 6).map(lambda o: o.amount)


def cause_of(refused: Any, kind: type) -> Any:
    found = refused.value
    return found if isinstance(found, kind) else found.__cause__


# The page's own example.


def test_the_shop_of_the_first_page(read):
    sales = (
        orders.filter(lambda o: o.status != "cancelled")
        .join(
            customers,
            left_on="customer",
            right_on="name",
            into=lambda o, c: om.record(region=c.region, amount=o.amount),
        )
        .group_by("region")
    )
    shop = om.flow(
        sales=sales,
        revenue=sales.reduce(r.sum("amount")),
        stats=sales.reduce(
            orders=r.count(), mean=r.mean("amount"), p95=r.quantile(0.95, of="amount")
        ),
        total=orders.reduce(r.sum("amount")),
        best=orders.group_by("category").top(3, by="amount"),
    )
    live = read(shop, orders=ORDERS, customers=CUSTOMERS)
    assert plain(live["revenue"]) == {"north": 30.0, "south": 5.0}
    assert live["stats"]["north"] == om.record(orders=1, mean=30.0, p95=30.0)
    assert live["total"].value == 51.0
    assert list(live["best"]["games"]) == [ORDERS[3], ORDERS[2]]
    assert live["sales"]["south"] == om.Multiset([om.record(region="south", amount=5.0)])


# Union, distinct, filter.


def test_union_adds_multiplicities(read):
    live = read(om.flow(view=left.union(right, left)), left=[1, 2], right=[2])
    assert live["view"].value == om.Multiset([1, 1, 2, 2, 2])


def test_the_union_of_sql_is_union_and_distinct(read):
    live = read(om.flow(view=left.union(right).distinct()), left=[1, 2, 2], right=[2, 3])
    assert live["view"].value == om.Multiset([1, 2, 3])


def test_the_except_of_sql_is_an_anti_join(read):
    live = read(om.flow(view=left.join(right, how="anti")), left=[1, 2, 2, 3], right=[2])
    assert live["view"].value == om.Multiset([1, 3])


def test_filter_sees_rows_also_in_groups(read):
    view = orders.group_by("customer").filter(lambda o: o.amount > 6)
    live = read(om.flow(view=view), orders=ORDERS)
    assert set(live["view"]) == {"ada", "eve"}


def test_the_having_of_sql_is_reduce_and_filter(read):
    view = orders.group_by("customer").reduce(r.sum("amount")).filter(lambda s: s > 8)
    live = read(om.flow(view=view), orders=ORDERS)
    assert plain(live["view"]) == {"ada": 37.0, "eve": 9.0}


def test_flat_map_gives_all_that_the_function_gives(read):
    live = read(om.flow(view=left.flat_map(range)), left=[0, 2, 3])
    assert live["view"].value == om.Multiset([0, 0, 1, 1, 2])


def test_flat_map_of_groups_stays_inside_each_group(read):
    view = left.group_by(lambda v: v % 2).flat_map(range)
    live = read(om.flow(view=view), left=[2, 3])
    assert plain(live["view"]) == {0: om.Multiset([0, 1]), 1: om.Multiset([0, 1, 2])}


# What is the same.


def test_two_sub_flows_of_the_same_operators_and_code_are_one():
    shop = om.flow(a=values(orders).reduce(r.sum()), b=values(orders).reduce(r.sum()))
    assert shop.op("a") is shop.op("b")


def test_other_closure_values_defaults_and_globals_make_other_sub_flows():
    def above(n: int) -> Any:
        return orders.filter(lambda o: o.amount > n)

    def below(n: int) -> Any:
        return orders.filter(lambda o, n=n: o.amount > n)

    shop = om.flow(a=above(1), b=above(2), c=above(1), d=below(1), e=below(2))
    assert shop.op("a") is shop.op("c")
    assert len({id(shop.op(name)) for name in "abde"}) == 4


def test_two_different_sources_of_one_name_are_refused():
    with pytest.raises(NameTaken):
        om.flow(a=om.source("same", key="a"), b=om.source("same", key="b"))


# Joins.


JOINS = [
    ("inner", {2: (row(2, "a"), row(2, "b"))}),
    ("left", {1: (row(1, "a"), None), 2: (row(2, "a"), row(2, "b"))}),
    ("right", {2: (row(2, "a"), row(2, "b")), 3: (None, row(3, "b"))}),
    ("full", {1: (row(1, "a"), None), 2: (row(2, "a"), row(2, "b")), 3: (None, row(3, "b"))}),
    ("semi", {2: row(2, "a")}),
    ("anti", {1: row(1, "a")}),
]


@pytest.mark.parametrize(("how", "expected"), JOINS, ids=[how for how, _ in JOINS])
def test_joins_of_tables_match_keys_and_keep_them(read, how, expected):
    live = read(
        om.flow(view=t.join(u, how=how)), t=[row(1, "a"), row(2, "a")], u=[row(2, "b"), row(3, "b")]
    )
    assert plain(live["view"]) == expected


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("inner", {2: [("l2", "r2"), ("l2", "r3")]}),
        ("left", {1: [("l1", None)], 2: [("l2", "r2"), ("l2", "r3")]}),
        ("right", {2: [("l2", "r2"), ("l2", "r3")], 3: [(None, "r4")]}),
        ("full", {1: [("l1", None)], 2: [("l2", "r2"), ("l2", "r3")], 3: [(None, "r4")]}),
        ("semi", {2: ["l2"]}),
        ("anti", {1: ["l1"]}),
    ],
)
def test_joins_of_groups_match_keys_and_keep_them(read, how, expected):
    view = left.group_by(0).map(1).join(right.group_by(0).map(1), how=how)
    live = read(
        om.flow(view=view), left=[(1, "l1"), (2, "l2")], right=[(2, "r2"), (2, "r3"), (3, "r4")]
    )
    assert plain(live["view"]) == {k: om.Multiset(vs) for k, vs in expected.items()}


def test_a_table_joined_with_groups_gives_groups(read):
    view = t.map("v").join(right.group_by(0).map(1))
    live = read(om.flow(view=view), t=[row(1, "a")], right=[(1, "x"), (1, "x"), (2, "y")])
    assert plain(live["view"]) == {1: om.Multiset([("a", "x"), ("a", "x")])}


def test_on_matches_values_and_gives_rows(read):
    view = left.join(right, on=0, into=lambda a, b: (a[1], b[1]))
    live = read(
        om.flow(view=view),
        left=[(1, "a"), (1, "b"), (2, "c")],
        right=[(1, "x"), (1, "x"), (3, "y")],
    )
    assert live["view"].value == om.Multiset([("a", "x"), ("a", "x"), ("b", "x"), ("b", "x")])


def test_a_side_that_is_not_named_joins_by_its_key(read):
    view = orders.join(customers, left_on="customer", into=lambda o, c: (o.id, c.region))
    live = read(om.flow(view=view), orders=ORDERS, customers=CUSTOMERS)
    assert live["view"].value == om.Multiset([(1, "north"), (2, "south"), (3, "north")])


def test_a_side_that_is_rows_joins_by_its_whole_value(read):
    view = orders.join(left, left_on="customer", into=lambda o, name: o.id)
    live = read(om.flow(view=view), orders=ORDERS, left=["ada", "zoe"])
    assert live["view"].value == om.Multiset([1, 3])


def test_rows_with_rows_join_by_their_whole_values(read):
    live = read(om.flow(view=left.join(right)), left=[[1], [2]], right=[[2], [2]])
    assert live["view"].value == om.Multiset([([2], [2]), ([2], [2])])


def test_a_table_and_rows_join_the_key_with_the_value(read):
    live = read(
        om.flow(view=t.join(right, into=lambda a, b: (a.v, b))),
        t=[row(1, "a"), row(2, "b")],
        right=[2, 3],
    )
    assert live["view"].value == om.Multiset([("b", 2)])


def test_on_nothing_is_the_cross_product(read):
    live = read(om.flow(view=left.join(right, on=())), left=[1, 2], right=["a", "b"])
    assert live["view"].value == om.Multiset([(1, "a"), (1, "b"), (2, "a"), (2, "b")])


def test_an_outer_join_on_values_shows_the_absent_side_as_none(read):
    view = left.join(right, how="full")
    live = read(om.flow(view=view), left=[1, 1, 2], right=[2, 3])
    assert live["view"].value == om.Multiset([(1, None), (1, None), (2, 2), (None, 3)])


@pytest.mark.parametrize(("how", "kept"), [("semi", {1, 2, 3}), ("anti", {4})])
def test_semi_and_anti_joins_keep_the_shape_of_the_left(read, how, kept):
    def joined(side: Any) -> Any:
        return side.join(customers, left_on="customer", how=how)

    live = read(
        om.flow(
            table=joined(orders),
            groups=joined(orders.group_by("id")),
            rows=joined(orders.group_by()),
        ),
        orders=ORDERS,
        customers=CUSTOMERS,
    )
    assert set(live["table"]) == set(live["groups"]) == kept
    assert {o.id for o in live["rows"]} == kept


def test_semi_joins_count_the_left_and_not_the_right(read):
    live = read(om.flow(view=left.join(right, how="semi")), left=[1, 1, 2], right=[1, 1, 1])
    assert live["view"].value == om.Multiset([1, 1])


def test_nan_matches_itself(read):
    live = read(om.flow(view=left.join(right)), left=[NAN], right=[float("nan")])
    assert len(live["view"]) == 1


def test_a_self_join_meets_itself(read):
    view = left.join(left, on=0, into=lambda a, b: (a[1], b[1]))
    live = read(om.flow(view=view), left=[(1, "a"), (1, "b")])
    assert live["view"].value == om.Multiset([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")])


def test_keys_whose_types_can_never_be_equal_are_refused():
    with pytest.raises(KeysDiffer):
        orders.join(customers)
    with pytest.raises(KeysDiffer):
        orders.join(customers, left_on="id", right_on="name")


def test_into_of_a_semi_join_is_refused():
    with pytest.raises(FlowError):
        t.join(u, how="semi", into=lambda a, b: a)


# Reading another view.


def test_map_filter_and_flat_map_read_another_view(read):
    names = customers.map("region")
    live = read(
        om.flow(
            map=orders.map(lambda o, at: at.get(o.customer, "?"), reads=names),
            filter=orders.filter(lambda o, at: o.customer in at, reads=names),
            flat_map=orders.flat_map(
                lambda o, at: [at[o.customer]] if o.customer in at else [], reads=names
            ),
        ),
        orders=ORDERS,
        customers=CUSTOMERS,
    )
    assert plain(live["map"]) == {1: "north", 2: "south", 3: "north", 4: "?"}
    assert set(live["filter"]) == {1, 2, 3}
    assert live["flat_map"].value == om.Multiset(["north", "north", "south"])


def test_reads_may_ask_for_the_value_and_the_length(read):
    total = orders.reduce(r.sum("amount"))
    live = read(
        om.flow(
            share=orders.map(lambda o, all_: o.amount / all_.value, reads=total),
            of=orders.map(lambda o, them: len(them), reads=customers),
        ),
        orders=ORDERS,
        customers=CUSTOMERS,
    )
    assert live["share"][1] == 30.0 / 51.0
    assert live["of"][1] == 3


# Top.


def test_top_keeps_the_highest_of_each_group_best_first(read):
    view = left.group_by(0).top(2, by=1)
    live = read(om.flow(view=view), left=[("a", 1), ("a", 3), ("a", 2), ("b", 5)])
    assert list(live["view"]["a"]) == [("a", 3), ("a", 2)]
    assert list(live["view"]["b"]) == [("b", 5)]


def test_top_of_a_table_keeps_its_highest_rows_with_their_keys(read):
    live = read(om.flow(view=orders.top(2, by="amount")), orders=ORDERS)
    assert list(live["view"]) == [1, 4]
    assert [live["view"][k] for k in live["view"]] == [ORDERS[0], ORDERS[3]]


def test_top_counts_copies(read):
    live = read(om.flow(view=left.top(3)), left=[5, 5, 4, 3])
    assert list(live["view"]) == [5, 5, 4]


def test_of_equal_rows_of_a_table_the_smaller_key_comes_first(read):
    live = read(om.flow(view=t.top(2, by="v")), t=[row(3, 7), row(1, 7), row(2, 7)])
    assert list(live["view"]) == [1, 2]


def test_of_equal_values_the_smaller_comes_first(read):
    live = read(om.flow(view=left.top(2, by=1)), left=[("c", 1), ("a", 1), ("b", 1)])
    assert list(live["view"]) == [("a", 1), ("b", 1)]


def test_desc_turns_a_field_round(read):
    live = read(
        om.flow(low=left.top(2, by=om.desc(1)), both=left.top(3, by=(0, om.desc(1)))),
        left=[("a", 1), ("a", 3), ("b", 2)],
    )
    assert list(live["low"]) == [("a", 1), ("b", 2)]
    assert list(live["both"]) == [("b", 2), ("a", 1), ("a", 3)]


def test_the_reducer_top_lists_them(read):
    live = read(om.flow(view=left.reduce(r.top(2))), left=[1, 3, 2, 3])
    assert list(live["view"].value) == [3, 3]


def test_top_of_nothing_is_nothing(read):
    live = read(
        om.flow(rows=left.top(2), none=left.top(0), groups=left.group_by(0).top(0)), left=[]
    )
    assert len(live["rows"]) == len(live["none"]) == len(live["groups"]) == 0


def test_functions_that_read_a_top_see_it_best_first(read):
    live = read(
        om.flow(
            rows=om.compute(list, left.top(2)),
            table=om.compute(list, t.top(2, by="v")),
            groups=om.compute(lambda view: list(view["g"]), left.group_by(lambda v: "g").top(2)),
            reads=left.top(1).map(lambda v, best: list(best), reads=left.top(2)),
        ),
        left=[1, 3, 2],
        t=[row(1, 1), row(2, 3), row(3, 2)],
    )
    assert live["rows"].value == live["groups"].value == [3, 2]
    assert live["table"].value == [2, 3]
    assert live["reads"].value == om.Multiset([[3, 2]])


# Keys.


def test_a_slice_keeps_the_keys_from_lo_to_before_hi(read):
    rows = [row(k) for k in (1, 2, 3, 4)]
    live = read(
        om.flow(
            both=t.slice(2, 4),
            low=t.slice(lo=3),
            high=t.slice(hi=2),
            all=t.slice(),
            none=t.slice(3, 2),
        ),
        t=rows,
    )
    assert [set(live[n]) for n in ("both", "low", "high", "all", "none")] == [
        {2, 3},
        {3, 4},
        {1},
        {1, 2, 3, 4},
        set(),
    ]


def test_slices_keep_several_ranges_each_key_once(read):
    live = read(om.flow(view=t.slices((1, 3), (2, 4), (7, 9))), t=[row(k) for k in range(10)])
    assert set(live["view"]) == {1, 2, 3, 7, 8}


def test_slices_of_groups_keep_all_of_a_group(read):
    live = read(om.flow(view=left.group_by(0).slice(2)), left=[(1, "a"), (2, "b"), (2, "b")])
    assert plain(live["view"]) == {2: om.Multiset([(2, "b"), (2, "b")])}


def test_a_bound_may_be_a_view_of_one_value(read):
    low = left.reduce(r.min())
    live = read(
        om.flow(view=t.slice(low, left.reduce(r.max()))), t=[row(k) for k in range(5)], left=[1, 3]
    )
    assert set(live["view"]) == {1, 2}


def test_a_range_whose_bound_has_no_value_holds_nothing(read):
    absent, empty = left.compute(len), left.filter(lambda v: False)
    live = read(
        om.flow(a=t.slice(absent), b=t.slice(hi=empty), c=t.slices((empty, 3), (1, 2))),
        t=[row(1), row(5)],
        left=[],
    )
    assert [set(live[name]) for name in "abc"] == [set(), set(), {1}]


def test_take_keeps_the_first_keys(read):
    live = read(
        om.flow(table=t.take(2), groups=left.group_by(0).take(1), none=t.take(0)),
        t=[row(3), row(1), row(2)],
        left=[(2, "x"), (1, "y"), (1, "y")],
    )
    assert set(live["table"]) == {1, 2}
    assert plain(live["groups"]) == {1: om.Multiset([(1, "y"), (1, "y")])}
    assert len(live["none"]) == 0


def test_size_counts_keys(read):
    live = read(
        om.flow(groups=left.group_by(0).size(), table=t.size()),
        left=[(1, "a"), (1, "b"), (2, "c")],
        t=[],
    )
    assert live["groups"].value == 2
    assert live["table"].value == 0


def test_map_items_sees_key_and_value(read):
    live = read(
        om.flow(
            table=t.map_items(lambda k, v: (k, v.v)),
            groups=left.group_by(0).map_items(lambda k, v: (k, v[1])),
        ),
        t=[row(1, "a")],
        left=[(1, "b"), (1, "b")],
    )
    assert plain(live["table"]) == {1: (1, "a")}
    assert plain(live["groups"]) == {1: om.Multiset([(1, "b"), (1, "b")])}


# Computed and maintained.


def test_compute_sees_the_multiset_of_each_group(read):
    def spread(group: Any) -> tuple[bool, int]:
        return isinstance(group, om.Multiset), max(group) - min(group)

    live = read(
        om.flow(groups=left.group_by(lambda v: v % 2).compute(spread), rows=left.compute(len)),
        left=[1, 5, 2],
    )
    assert plain(live["groups"]) == {1: (True, 4), 0: (True, 0)}
    assert live["rows"].value == 3


def test_compute_of_whole_views_sees_them_as_they_read(read):
    def described(table: Any, rows: Any, groups: Any) -> Any:
        return (
            dict(table),
            table.get(9, "none"),
            len(rows),
            3 in rows,
            rows.value,
            groups["odd"],
            groups["none"],
            set(groups),
        )

    odd = right.group_by(lambda v: "odd" if v % 2 else "even")
    live = read(
        om.flow(view=om.compute(described, t.map("v"), right, odd)),
        t=[row(1, "a")],
        right=[3, 4, 3],
    )
    assert live["view"].value == (
        {1: "a"},
        "none",
        3,
        True,
        om.Multiset([3, 3, 4]),
        om.Multiset([3, 3]),
        om.Multiset(),
        {"odd", "even"},
    )


def test_maintain_gives_what_full_gives(read):
    def on(current: list[Any], change: Any) -> Any:
        if isinstance(change, om.Insert):
            return sorted([*current, change.new])
        return om.RECOMPUTE

    live = read(om.flow(view=left.group_by(lambda v: v % 2).maintain(sorted, on)), left=[3, 1, 2])
    assert plain(live["view"]) == {1: [1, 3], 0: [2]}


def test_maintain_of_several_views_gives_what_full_gives(read):
    def full(a: Any, b: Any) -> int:
        return len(a) * len(b)

    view = om.maintain(
        full, left, right, delta=(lambda c, d, b: om.RECOMPUTE, lambda c, d, a: om.RECOMPUTE)
    )
    assert read(om.flow(view=view), left=[1, 2], right=[3])["view"].value == 2


# Lazy.


def test_lazy_values_are_computed_by_key_and_may_read_themselves(read):
    def size(name: Any, self: Any, files: Any) -> int:
        return sum(self[f.child] if f.child else f.bytes for f in files[name])

    @dataclass(frozen=True)
    class File:
        parent: str
        child: str | None
        bytes: int

    files = om.source("files", File)
    sizes = om.lazy(size, reads=files.group_by("parent"))
    live = read(
        om.flow(sizes=sizes, both=left.map(lambda name, at: at[name], reads=sizes)),
        files=[File("/", "a", 0), File("/", None, 3), File("a", None, 4), File("a", None, 5)],
        left=["/", "a", "b"],
    )
    assert live["sizes"]["/"] == 12 and live["sizes"]["none"] == 0
    assert live["both"].value == om.Multiset([12, 9, 0])


def test_a_lazy_value_that_needs_itself_is_a_circle_that_is_named(read):
    view = om.lazy(lambda key, self, at: self[at[key].v], reads=t)
    with pytest.raises(OminusError) as refused:
        live = read(om.flow(view=view), t=[row("a", "b"), row("b", "a")])
        assert live["view"]["a"] is None
    circle = cause_of(refused, Circle)
    assert isinstance(circle, Circle)
    assert "'a'" in str(circle) and "'b'" in str(circle)


# Windows.


def test_a_window_is_a_key(read):
    view = left.group_by(om.window("at", "1h")).count()
    at = datetime(2026, 1, 1, 10, 30)
    live = read(om.flow(view=view, rows=view.items()), left=[{"at": at}, {"at": at}])
    (window,) = live["view"]
    assert (window.start, window.end) == (datetime(2026, 1, 1, 10), datetime(2026, 1, 1, 11))
    assert live["view"][window] == 2
    assert om.record(window=window, value=2) in live["rows"]


def test_sliding_windows_put_a_row_into_several_groups(read):
    view = left.group_by("page", om.window("at", "1h", every="30m")).count()
    at = datetime(2026, 1, 1, 10, 40)
    live = read(om.flow(view=view), left=[{"page": "a", "at": at}])
    assert [(k[0], k[1].start) for k in sorted(live["view"])] == [
        ("a", datetime(2026, 1, 1, 10)),
        ("a", datetime(2026, 1, 1, 10, 30)),
    ]


# Absent keys.


def test_an_absent_key_of_groups_reads_as_the_empty_multiset(read):
    view = read(om.flow(view=left.group_by(0)), left=[(1,)])["view"]
    assert view[2] == om.Multiset() and 2 not in view
    assert view.get(2) is None and view.get(2, "none") == "none" and len(view) == 1


def test_an_absent_key_of_a_reduce_or_count_reads_as_nothing_folded(read):
    groups = left.group_by(0)
    live = read(
        om.flow(
            sum=groups.reduce(r.sum(1)),
            count=groups.count(),
            all=left.count(),
            named=groups.reduce(n=r.count(), s=r.sum(1)),
        ),
        left=[],
    )
    assert live["sum"]["a"] == 0 and live["count"]["a"] == 0
    assert live["all"].value == 0
    assert live["named"]["a"] == om.record(n=0, s=0)
    assert "a" not in live["sum"] and len(live["all"]) == 0
    assert live["sum"].get("a") is None and live["sum"].get("a", 7) == 7
    assert list(live["all"]) == []


def test_an_absent_key_of_any_other_table_is_a_key_error(read):
    live = read(
        om.flow(table=t, filtered=t.count().filter(lambda n: n > 5), computed=left.compute(len)),
        t=[row(1)],
    )
    for view, key in [("table", 2), ("filtered", ()), ("computed", ())]:
        with pytest.raises(KeyError):
            live[view][key]
        assert live[view].get(key, "none") == "none"
