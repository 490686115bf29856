"""One small example for each sentence of "The one rule", on the oracle and on the engine."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple, TypedDict

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import (
    FieldsDiffer,
    FieldUnknown,
    FlowError,
    KeysCollide,
    KeysDiffer,
    NoneFound,
    NotOrdered,
    OminusError,
    ShapeRefuses,
    TypeMismatch,
    TypeRefuses,
)

NAN = float("nan")


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    amount: float
    status: str = "open"


@dataclass(frozen=True)
class Visit:
    page: str
    user: str | None
    seconds: int | None = None


orders = om.source("orders", Order, key="id")
visits = om.source("visits", Visit)
things = om.source("things")
keyed = om.source("keyed", key="k")

ORDERS = [
    Order(1, "ada", 30.0),
    Order(2, "bob", 5.0, "closed"),
    Order(3, "ada", 7.0),
]
VISITS = [Visit("home", "ada", 3), Visit("home", "ada", 3), Visit("cart", None, 5)]


def one(view: Any, **rows: Any) -> Any:
    return om.flow(view=view), rows


def plain(view: Any) -> dict[Any, Any]:
    """What is there, by key."""
    return {key: view[key] for key in view}


# The three shapes.


def test_rows_are_a_multiset_that_keeps_copies(read):
    view = read(om.flow(view=visits), visits=VISITS)["view"]
    assert view.value == om.Multiset(VISITS)
    assert len(view) == 3 and Visit("home", "ada", 3) in view
    assert sorted(v.page for v in view) == ["cart", "home", "home"]


def test_rows_are_one_group_whose_key_is_the_empty_tuple(read):
    view = read(om.flow(view=visits.count()), visits=VISITS)["view"]
    assert plain(view) == {(): 3} and view.value == 3


def test_a_table_has_one_value_for_each_key(read):
    view = read(om.flow(view=orders), orders=ORDERS)["view"]
    assert plain(view) == {1: ORDERS[0], 2: ORDERS[1], 3: ORDERS[2]}


def test_groups_have_a_multiset_for_each_key(read):
    view = read(om.flow(view=orders.group_by("customer")), orders=ORDERS)["view"]
    assert plain(view) == {
        "ada": om.Multiset([ORDERS[0], ORDERS[2]]),
        "bob": om.Multiset([ORDERS[1]]),
    }


def test_reduce_and_count_work_inside_each_group(read):
    groups = orders.group_by("customer")
    live = read(om.flow(sums=groups.reduce(r.sum("amount")), counts=groups.count()), orders=ORDERS)
    assert plain(live["sums"]) == {"ada": 37.0, "bob": 5.0}
    assert plain(live["counts"]) == {"ada": 2, "bob": 1}


def test_distinct_works_inside_each_group(read):
    view = read(om.flow(view=visits.group_by("page").distinct()), visits=VISITS)["view"]
    assert plain(view) == {"home": om.Multiset(VISITS[:1]), "cart": om.Multiset(VISITS[2:])}


def test_top_works_inside_each_group(read):
    view = read(om.flow(view=orders.group_by("customer").top(1, by="amount")), orders=ORDERS)[
        "view"
    ]
    assert plain(view) == {"ada": om.Multiset(ORDERS[:1]), "bob": om.Multiset(ORDERS[1:2])}


def test_union_works_inside_each_group(read):
    groups = things.group_by(0)
    view = read(om.flow(view=groups.union(groups)), things=[("a", 1), ("b", 2)])["view"]
    assert plain(view) == {
        "a": om.Multiset([("a", 1), ("a", 1)]),
        "b": om.Multiset([("b", 2), ("b", 2)]),
    }


def test_a_table_read_as_rows_is_one_group(read):
    live = read(
        om.flow(
            count=orders.count(),
            customers=orders.map("customer").distinct(),
            twice=orders.map("id").union(orders.map("id")),
        ),
        orders=ORDERS,
    )
    assert live["count"].value == 3
    assert live["customers"].value == om.Multiset(["ada", "bob"])
    assert live["twice"].value == om.Multiset([1, 1, 2, 2, 3, 3])


@pytest.mark.parametrize(
    ("view", "shape"),
    [
        (orders.filter("amount"), "table"),
        (orders.map("amount"), "table"),
        (orders.map_items(lambda k, v: k), "table"),
        (orders.top(1, by="amount"), "table"),
        (orders.join(keyed), "table"),
        (orders.join(visits, left_on="customer", right_on="user", how="semi"), "table"),
        (orders.join(visits, left_on="customer", right_on="user", how="anti"), "table"),
        (orders.slice(1, 2), "table"),
        (orders.take(1), "table"),
        (orders.flat_map(lambda o: [o]), "rows"),
        (orders.distinct(), "rows"),
        (orders.union(orders), "rows"),
        (orders.group_by(), "rows"),
        (orders.items(), "rows"),
        (orders.join(visits, left_on="customer", right_on="user"), "rows"),
        (orders.group_by("customer"), "groups"),
        (orders.group_by("customer").join(keyed), "groups"),
        (orders.group_by("customer").filter("amount"), "groups"),
        (orders.group_by("customer").flat_map(lambda o: [o]), "groups"),
        (orders.group_by("customer").top(1, by="amount"), "groups"),
        (orders.reduce(r.sum("amount")), "table"),
        (orders.count(), "table"),
        (orders.compute(len), "table"),
        (orders.maintain(len, lambda a, d: om.RECOMPUTE), "table"),
        (orders.size(), "table"),
        (visits.filter("page"), "rows"),
        (visits.map("page"), "rows"),
        (visits.top(1, by="page"), "rows"),
    ],
)
def test_the_shape_follows_from_the_operator(view, shape):
    assert view.kind.shape == shape


def test_filter_and_map_keep_the_keys_of_a_table(read):
    live = read(
        om.flow(
            big=orders.filter(lambda o: o.amount > 6),
            amounts=orders.map("amount"),
            marked=orders.map_items(lambda k, v: (k, v.amount)),
        ),
        orders=ORDERS,
    )
    assert plain(live["big"]) == {1: ORDERS[0], 3: ORDERS[2]}
    assert plain(live["amounts"]) == {1: 30.0, 2: 5.0, 3: 7.0}
    assert plain(live["marked"]) == {1: (1, 30.0), 2: (2, 5.0), 3: (3, 7.0)}


# Keys.


def test_one_field_of_group_by_gives_the_bare_value_and_several_a_tuple(read):
    live = read(
        om.flow(
            one=orders.group_by("customer").count(),
            two=orders.group_by("customer", "status").count(),
        ),
        orders=ORDERS,
    )
    assert plain(live["one"]) == {"ada": 2, "bob": 1}
    assert plain(live["two"]) == {("ada", "open"): 2, ("bob", "closed"): 1}


def test_a_computed_field_of_the_key_is_named(read):
    view = orders.group_by("customer", big=lambda o: o.amount > 10).count()
    live = read(om.flow(view=view, rows=view.items()), orders=ORDERS)
    assert plain(live["view"]) == {("ada", True): 1, ("ada", False): 1, ("bob", False): 1}
    assert om.record(customer="ada", big=True, value=1) in live["rows"]


def test_a_key_of_several_fields_is_a_tuple(read):
    pairs = om.source("pairs", key=("a", "b"))
    view = read(om.flow(view=pairs.map("v")), pairs=[{"a": 1, "b": 2, "v": 3}])["view"]
    assert plain(view) == {(1, 2): 3}


def test_on_several_fields_matches_all_of_them(read):
    left, right = om.source("left"), om.source("right")
    view = left.join(right, on=(0, 1), into=lambda a, b: (a[2], b[2]))
    live = read(om.flow(view=view), left=[(1, 2, "x"), (1, 3, "y")], right=[(1, 2, "z")])
    assert live["view"].value == om.Multiset([("x", "z")])


def test_group_by_without_arguments_forgets_the_key(read):
    view = read(om.flow(view=orders.group_by("customer").group_by()), orders=ORDERS)["view"]
    assert view.value == om.Multiset(ORDERS)


def test_items_gives_the_fields_of_the_key_and_then_those_of_the_value(read):
    view = visits.group_by("page").reduce(n=r.count(), users=r.count(where="user")).items()
    live = read(om.flow(view=view), visits=VISITS)
    assert live["view"].value == om.Multiset(
        [om.record(page="home", n=2, users=2), om.record(page="cart", n=1, users=0)]
    )


def test_items_names_a_bare_value_value_and_a_bare_key_key(read):
    view = things.group_by(lambda v: v % 2).count().items()
    live = read(om.flow(view=view), things=[1, 2, 3])
    assert live["view"].value == om.Multiset([om.record(key=1, value=2), om.record(key=0, value=1)])


def test_items_are_read_by_name_and_by_position(read):
    rows = visits.group_by("page").count().items()
    live = read(om.flow(name=rows.map("value"), place=rows.map(1)), visits=VISITS)
    assert live["name"].value == live["place"].value == om.Multiset([1, 2])


def test_items_show_once_a_field_that_key_and_value_have(read):
    live = read(om.flow(view=orders.items()), orders=ORDERS[:1])
    assert live["view"].value == om.Multiset(
        [om.record(id=1, customer="ada", amount=30.0, status="open")]
    )


def test_rows_united_with_groups_are_refused_when_built():
    with pytest.raises(KeysDiffer):
        visits.union(visits.group_by("page"))


# Selectors.


def test_a_string_is_an_item_of_a_mapping_else_an_attribute(read):
    live = read(
        om.flow(items=things.map("page"), fields=visits.map("page")),
        things=[{"page": "a"}],
        visits=VISITS[:1],
    )
    assert live["items"].value == om.Multiset(["a"])
    assert live["fields"].value == om.Multiset(["home"])


def test_an_integer_is_an_index_and_a_tuple_a_tuple(read):
    live = read(om.flow(first=things.map(0), both=things.map((1, 0))), things=[("a", "b")])
    assert live["first"].value == om.Multiset(["a"])
    assert live["both"].value == om.Multiset([("b", "a")])


def test_no_selector_means_the_value_itself(read):
    live = read(om.flow(view=things.top(1), sum=things.reduce(r.sum())), things=[1, 3, 2])
    assert live["view"].value == om.Multiset([3])
    assert live["sum"].value == 6


@pytest.mark.parametrize(
    "build",
    [
        lambda: orders.group_by("region"),
        lambda: orders.map("region"),
        lambda: orders.filter("region"),
        lambda: orders.reduce(r.sum("region")),
        lambda: orders.top(1, by="region"),
        lambda: orders.join(visits, left_on="region", right_on="user"),
        lambda: om.source("wrong", Order, key="region"),
    ],
)
def test_a_field_that_the_type_lacks_is_refused_when_built(build):
    with pytest.raises(FieldUnknown):
        build()


# Values.


def test_values_need_not_be_hashable(read):
    given = [{"a": [1]}, {"a": [1]}, [2], {3}]
    live = read(om.flow(view=things, once=things.distinct()), things=given)
    assert live["view"].value == om.Multiset(given) and len(live["once"]) == 3


def test_one_and_one_point_zero_and_true_are_three_values(read):
    live = read(om.flow(view=things.distinct()), things=[1, 1.0, True, 1])
    assert len(live["view"]) == 3


def test_two_decimals_of_different_exponent_are_two_values(read):
    live = read(om.flow(view=things.distinct()), things=[Decimal("1.0"), Decimal("1.00")])
    assert len(live["view"]) == 2


def test_one_instant_in_two_zones_is_two_values(read):
    at = datetime(2026, 1, 1, 12, tzinfo=UTC)
    there = at.astimezone(timezone(timedelta(hours=1)))
    live = read(om.flow(view=things.distinct()), things=[at, there])
    assert len(live["view"]) == 2


def test_nan_equals_itself_as_a_value_a_key_and_a_match(read):
    other = float("nan")
    live = read(
        om.flow(
            once=things.distinct(),
            count=things.group_by(lambda v: v).count(),
            pairs=things.distinct().join(things.map(lambda v: -v)),
        ),
        things=[NAN, other],
    )
    assert len(live["once"]) == 1
    assert list(live["count"].values()) == [2]
    assert len(live["pairs"]) == 2


def test_zeros_lose_their_sign_at_the_door_and_where_a_function_returns_one(read):
    live = read(
        om.flow(door=things.map(str), function=things.map(lambda v: v * -1.0).map(str)),
        things=[-0.0],
    )
    assert live["door"].value == live["function"].value == om.Multiset(["0.0"])


def test_a_mapping_is_kept_in_the_order_of_its_keys(read):
    live = read(om.flow(view=things.map(list)), things=[{"b": 1, "a": 2}])
    assert live["view"].value == om.Multiset([["a", "b"]])


def test_keys_that_are_equal_and_yet_two_are_refused_where_they_meet(read):
    for pair in [(1, True), (1, 1.0), (Decimal("1.0"), Decimal("1.00"))]:
        with pytest.raises(OminusError) as refused:
            read(om.flow(view=things.group_by(lambda v: v)), things=list(pair))
        assert isinstance(refused.value, KeysCollide) or isinstance(
            refused.value.__cause__, KeysCollide
        )


def test_a_mutable_row_is_copied_at_the_door_as_deep_as_it_goes(read):
    row = {"a": [1, {"b": 2}]}
    live = read(om.flow(view=things), things=[row])
    row["a"][1]["b"] = 3
    row["a"].append(4)
    assert live["view"].value == om.Multiset([{"a": [1, {"b": 2}]}])


# A typed source.


def test_a_declared_float_takes_an_int_that_it_holds_exactly(read):
    live = read(om.flow(view=orders.map("amount").map(repr)), orders=[Order(1, "ada", 3)])
    assert plain(live["view"]) == {1: "3.0"}


def test_a_declared_float_refuses_an_int_that_it_does_not_hold(read):
    with pytest.raises(TypeMismatch):
        read(om.flow(view=orders), orders=[Order(1, "ada", 2**53 + 1)])


def test_a_row_of_another_type_is_refused_with_row_and_field(read):
    with pytest.raises(TypeMismatch) as refused:
        read(om.flow(view=orders), orders=[Order(1, 7, 3.0)])  # type: ignore[arg-type]
    assert "customer" in str(refused.value) and "Order(" in str(refused.value)


def test_an_aware_datetime_is_kept_in_utc(read):
    @dataclass(frozen=True)
    class Stamp:
        at: datetime

    stamps = om.source("stamps", Stamp)
    there = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=1)))
    live = read(om.flow(view=stamps), stamps=[Stamp(there)])
    assert live["view"].value == om.Multiset([Stamp(datetime(2026, 1, 1, 11, tzinfo=UTC))])


def test_nan_becomes_none_where_the_field_may_be_none(read):
    @dataclass(frozen=True)
    class Maybe:
        x: float | None

    maybes = om.source("maybes", Maybe)
    live = read(om.flow(view=maybes.map("x")), maybes=[Maybe(NAN), Maybe(None)])
    assert live["view"].value == om.Multiset([None, None])


# The total order.


def test_the_total_order_is_that_of_the_page(read):
    class Point(NamedTuple):
        x: int

    ordered = [
        None,
        False,
        True,
        -1,
        0.5,
        2,
        NAN,
        "",
        "a",
        b"",
        b"a",
        datetime(2026, 1, 1),
        (),
        (1,),
        [1, 2],
        {1},
        {"a": 1},
        Point(1),
    ]
    view = read(
        om.flow(view=things.reduce(r.bottom(len(ordered)))), things=list(reversed(ordered))
    )["view"]
    assert om.Multiset(map(repr, view.value)) == om.Multiset(map(repr, ordered))
    assert list(map(repr, view.value)) == list(map(repr, ordered))


class Opaque:
    """A value that is in no order."""


@pytest.mark.parametrize(
    "view",
    [
        things.top(1),
        things.group_by(lambda v: v).take(1),
        things.group_by(lambda v: v).slice(hi=3),
    ],
)
def test_top_take_and_slice_refuse_values_outside_the_order(read, view):
    with pytest.raises(OminusError) as refused:
        read(om.flow(view=view), things=[Opaque(), Opaque()])
    assert isinstance(refused.value, NotOrdered) or isinstance(refused.value.__cause__, NotOrdered)


# None.


def test_none_is_a_value_a_key_and_an_element(read):
    live = read(
        om.flow(
            rows=things,
            keys=things.group_by(lambda v: v).count(),
            outer=things.group_by(lambda v: v).map(lambda v: None),
        ),
        things=[None, None, 1],
    )
    assert live["rows"].value == om.Multiset([None, None, 1])
    assert plain(live["keys"]) == {None: 2, 1: 1}
    assert live["outer"][1] == om.Multiset([None])


def test_a_reducer_of_a_field_that_may_be_none_is_refused_when_built():
    with pytest.raises(TypeRefuses):
        visits.reduce(r.sum("seconds"))


def test_a_reducer_without_skip_none_refuses_the_first_none_with_its_row(read):
    with pytest.raises(OminusError) as refused:
        read(om.flow(view=things.reduce(r.sum("x"))), things=[{"x": 1}, {"x": None}])
    found = refused.value if isinstance(refused.value, NoneFound) else refused.value.__cause__
    assert isinstance(found, NoneFound) and "{'x': None}" in str(found)


def test_skip_none_skips_as_sql_does(read):
    rows = [*VISITS, Visit("cart", "bob", None)]
    live = read(
        om.flow(
            sum=visits.reduce(r.sum("seconds", skip_none=True)),
            most=visits.reduce(r.max("seconds", skip_none=True)),
            users=visits.reduce(r.count_distinct("user", skip_none=True)),
        ),
        visits=rows,
    )
    assert live["sum"].value == 11
    assert live["most"].value == 5
    assert live["users"].value == 2


def test_skip_none_false_lets_none_count(read):
    live = read(
        om.flow(users=visits.reduce(r.count_distinct("user", skip_none=False))), visits=VISITS
    )
    assert live["users"].value == 2


def test_a_join_of_fields_that_may_be_none_is_refused_when_built():
    with pytest.raises(TypeRefuses):
        visits.join(visits, on="user")


def test_a_join_that_says_nothing_refuses_the_first_none_that_meets_none(read):
    with pytest.raises(OminusError) as refused:
        read(
            om.flow(view=things.join(keyed, left_on="x", right_on="k")),
            things=[{"x": None}],
            keyed=[{"k": None}],
        )
    found = refused.value if isinstance(refused.value, NoneFound) else refused.value.__cause__
    assert isinstance(found, NoneFound)


@pytest.mark.parametrize(
    ("how", "match", "pairs"),
    [
        ("inner", True, [(None, None), (1, 1)]),
        ("inner", False, [(1, 1)]),
        ("left", False, [(None, None), (1, 1)]),
        ("semi", True, [None, 1]),
        ("semi", False, [1]),
        ("anti", True, []),
        ("anti", False, [None]),
    ],
)
def test_match_none_says_whether_none_meets_none(read, how, match, pairs):
    view = things.join(things.distinct(), how=how, match_none=match)
    assert read(om.flow(view=view), things=[None, 1])["view"].value == om.Multiset(pairs)


def test_where_several_fields_are_matched_one_none_keeps_them_apart(read):
    view = things.join(things, on=(0, 1), match_none=False, into=lambda a, b: a[2])
    live = read(om.flow(view=view), things=[(1, None, "x"), (1, 2, "y")])
    assert live["view"].value == om.Multiset(["y"])


# Records, and the rows that a source takes.


def test_a_record_is_a_row_by_name():
    row = om.record(region="north", amount=3.5)
    assert (row.region, row[1]) == ("north", 3.5)


def test_a_record_takes_the_fields_of_a_row_and_more():
    assert om.record(ORDERS[0], region="north").region == "north"
    assert om.record(ORDERS[0], region="north").customer == "ada"


def test_a_record_of_two_rows_has_the_fields_of_both_and_they_must_agree(read):
    people = om.source("people", key="customer")
    view = orders.join(people, left_on="customer", into=om.record)
    live = read(om.flow(view=view), orders=ORDERS[:1], people=[om.record(customer="ada", age=3)])
    assert [row.age for row in live["view"]] == [3]
    with pytest.raises(FieldsDiffer):
        om.record(om.record(a=1), om.record(a=2))


def test_a_named_reduce_gives_a_record(read):
    live = read(om.flow(view=orders.reduce(n=r.count(), sum=r.sum("amount"))), orders=ORDERS)
    assert live["view"].value == om.record(n=3, sum=42.0)


class Point(NamedTuple):
    x: int
    y: int


class Shape(TypedDict):
    x: int
    y: int


def made_rows() -> list[tuple[Any, Any]]:
    import attrs
    import msgspec
    import pydantic

    class Struct(msgspec.Struct, frozen=True):
        x: int
        y: int

    class Model(pydantic.BaseModel, frozen=True):
        x: int
        y: int

    @attrs.frozen
    class Attrs:
        x: int
        y: int

    return [(kind, kind(x=1, y=2)) for kind in (Struct, Model, Attrs)]


@pytest.mark.parametrize(
    ("kind", "row"),
    [(Point, Point(1, 2)), (Shape, {"x": 1, "y": 2}), *made_rows()],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_rows_may_be_of_many_kinds(read, kind, row):
    points = om.source("points", kind, key="x")
    live = read(om.flow(view=points.group_by("y").reduce(r.sum("x"))), points=[row])
    assert plain(live["view"]) == {2: 1}


@pytest.mark.parametrize(("kind", "row"), [(int, 3), (str, "a"), (tuple[int, str], (1, "a"))])
def test_rows_may_be_scalars_and_tuples(read, kind, row):
    live = read(om.flow(view=om.source("scalars", kind)), scalars=[row, row])
    assert live["view"].value == om.Multiset([row, row])


def test_a_source_without_a_type_takes_any_value(read):
    given = [None, 1, "a", [1], {"a": {2}}, Order(1, "ada", 2.0), (1, [2])]
    assert read(om.flow(view=things), things=given)["view"].value == om.Multiset(given)


def test_a_definition_holds_no_data():
    with pytest.raises(FlowError):
        bool(orders)
    with pytest.raises(FlowError):
        list(orders)


@pytest.mark.parametrize(
    "build",
    [
        lambda: visits.slice(1, 2),
        lambda: visits.slices((1, 2)),
        lambda: visits.take(1),
        lambda: visits.size(),
    ],
)
def test_what_is_about_keys_is_refused_on_rows(build):
    with pytest.raises(ShapeRefuses):
        build()
