"""A flow is shown whole, by the names that its user gave."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import FlowError
from ominus.flow import ops
from ominus.flow.show import FORMS, draw, operators
from ominus.flow.show.layers import columns_of, layout
from ominus.flow.show.spelled import body, source_of, spelled


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    amount: float
    status: str = "open"


@dataclass(frozen=True)
class Customer:
    name: str
    region: str


def shop() -> om.Flow:
    orders = om.source("orders", Order, key="id")
    customers = om.source("customers", Customer, key="name")
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
    return om.flow(
        sales=sales,
        revenue=sales.reduce(r.sum("amount")),
        stats=sales.reduce(orders=r.count(), mean=r.mean("amount")),
        total=orders.reduce(r.sum("amount")),
    )


SHOP = """\
orders: source, table by id of Order
customers: source, table by name of Customer

sales: groups by region
  orders
    filter    o.status != "cancelled"
    join      with customers, on 'customer' = 'name',
              into om.record(region=c.region, amount=o.amount)
    group_by  'region'

revenue: table by region
  sales
    reduce  sum('amount')

stats: table by region of record(orders, mean)
  sales
    reduce  orders=count(), mean=mean('amount')

total: one value
  orders
    reduce  sum('amount')
"""


def without_types(text: str) -> str:
    """The outline without what is known of values, which may come to be more."""
    return re.sub(r"(?m)^(\w+: (?:(?!source).)*?) of .*$", r"\1", text)


def test_text_has_sources_then_views_with_operators_in_the_order_of_flow() -> None:
    assert without_types(shop().show()) == without_types(SHOP)


def test_a_source_alone_is_one_line() -> None:
    assert repr(om.source("clicks", int)) == "clicks: source, rows of int"
    late = om.source("late", Order, key="id", sequence="amount")
    assert repr(late) == "late: source, table by id of Order, in the order of amount"


def test_a_collection_shows_what_is_behind_it_without_a_name() -> None:
    shown = repr(om.source("clicks", int).filter(lambda n: n > 3))
    assert shown.splitlines()[2:] == ["rows of int", "  clicks", "    filter  n > 3"]


def test_what_is_shared_without_a_name_stands_once_and_is_referred_to() -> None:
    paid = om.source("orders", Order, key="id").filter(lambda o: o.status == "paid")
    text = om.flow(n=paid.count(), total=paid.reduce(r.sum("amount"))).show()
    assert text.count('o.status == "paid"') == 1
    assert text.count("\n  filter#1\n") == 2


def test_equal_sub_flows_built_twice_are_shown_once() -> None:
    orders = om.source("orders", Order, key="id")
    one, two = (orders.filter("status").map("amount") for _ in range(2))
    assert one.union(two).show("dot").count("map") == 1


def test_an_input_without_a_name_is_shown_below_the_operator_that_reads_it() -> None:
    orders, more = (om.source(name, Order, key="id") for name in ("orders", "more"))
    text = om.flow(both=orders.union(more.filter("status"))).show()
    assert text.endswith("  orders\n    union  with more\n               filter  'status'\n")


def test_two_names_of_one_view_are_both_there() -> None:
    orders = om.source("orders", Order, key="id")
    text = om.flow(a=orders.count(), b=orders.count(), c=orders).show()
    assert "b: one value" in text and text.split("b: ")[1].splitlines()[1] == "  a"
    assert text.split("c: ")[1].splitlines()[1] == "  orders"


def test_a_view_read_by_a_function_is_named() -> None:
    orders = om.source("orders", Order, key="id")
    total = orders.reduce(r.sum("amount"))
    shares = orders.map(lambda o, total: o.amount / total.value, reads=total)
    text = om.flow(total=total, shares=shares).show()
    assert "map  lambda o, total: o.amount / total.value, reads total" in text


def nested() -> dict[str, Any]:
    orders = om.source("orders", Order, key="id")
    rows = om.source("rows", int)
    grouped = orders.group_by("customer", om.window("id", "1h", every="5m"), big=len)
    lazy = om.lazy(lambda key, self, n: n.value + key, reads=orders.count())
    return dict(
        grouped=grouped,
        forgotten=grouped.group_by(),
        best=grouped.top(3, by=om.desc("amount")),
        slice=orders.slice(rows.reduce(r.min()), 10),
        slices=orders.slices((1, 2), (5, 6)),
        take=orders.filter("status").take(2),
        size=orders.size(),
        items=orders.items(),
        paired=orders.map_items(lambda key, o: (key, o)),
        flat=orders.flat_map(lambda o: [o, o]),
        some=rows.distinct().union(om.literal([1, 2, 3, 4])),
        anti=orders.join(rows, left_on="id", how="anti"),
        cross=rows.join(rows, on=()),
        computed=grouped.compute(lambda m: len(m)),
        whole=om.compute(lambda a, b: len(a) + len(b), orders, rows),
        kept=grouped.maintain(sorted, lambda now, change: om.UNCHANGED),
        kept_whole=om.maintain(len, rows, delta=(lambda now, change: om.UNCHANGED,)),
        asked=rows.map(lambda n, lazy: lazy[n], reads=lazy),
    )


def test_every_operator_is_shown_in_every_form() -> None:
    views = nested()
    flow = om.flow(**views)
    verbs = {op.verb for op in flow.order()}
    assert verbs == set(ops.VERBS.values())
    for form in FORMS:
        text = flow.show(form)
        for name in views:
            assert name in text
        for verb in verbs - {"source"}:
            assert verb in text, f"{verb} in {form}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("grouped", "group_by  'customer', window('id', '1h', every='5m'), big=len"),
        ("forgotten", "group_by  no key"),
        ("best", "top  3 by desc('amount')"),
        ("slice", "slice  from (below) to 10\n           from rows\n               reduce  min()"),
        ("slices", "slice  from 1 to 2 from 5 to 6"),
        ("some", "with literal  1, 2, 3, and 1 more"),
        ("anti", "join  with rows, on 'id' = value, how='anti'"),
        ("cross", "join  with rows, every pair"),
        ("whole", "compute  lambda a, b: len(a) + len(b), of orders, rows"),
        ("kept", "maintain  sorted, by lambda now, change: om.UNCHANGED"),
    ],
)
def test_an_operator_says_what_it_was_given(name: str, said: str) -> None:
    text = om.flow(**nested()).show()
    block = next(part for part in text.split("\n\n") if part.startswith(f"{name}:"))
    assert said in block


def test_an_unknown_form_is_refused_with_those_there_are() -> None:
    with pytest.raises(FlowError, match="'text', 'mermaid', 'dot', 'svg'"):
        shop().show("png")


# Functions


def scaled(factor: int) -> Any:
    return lambda o: o.amount * factor


def test_a_lambda_is_shown_by_its_source() -> None:
    found = [
        lambda o: o.status != "cancelled",
        lambda o: (o.a + 1) * 2,
        lambda o: o.a and (o.b or (o.c)),
        lambda o: "(" + o.x,
        lambda o: [x for x in o if x],
        lambda o: om.record(a=o.a),
    ]
    assert [source_of(f) for f in found] == [
        'o.status != "cancelled"',
        "(o.a + 1) * 2",
        "o.a and (o.b or (o.c))",
        '"(" + o.x',
        "[x for x in o if x]",
        "om.record(a=o.a)",
    ]
    assert source_of(scaled(3)) == "o.amount * factor"


def test_a_lambda_over_several_lines_is_shown_on_one() -> None:
    f = lambda o: (
        o.a  # the first
        + o.b
    )
    assert body(f) == "o.a + o.b"


def test_a_lambda_whose_source_is_gone_is_a_lambda() -> None:
    made = eval("lambda o: o.a")
    assert source_of(made) is None
    assert body(made) == "lambda"


def test_a_lambda_is_never_shown_by_the_words_of_another(tmp_path: Any) -> None:
    file = tmp_path / "edited.py"
    file.write_text("f = lambda o: o.a + 1\n", encoding="utf-8")
    spoken: dict[str, Any] = {}
    exec(compile(file.read_text("utf-8"), str(file), "exec"), spoken)
    file.write_text("f = lambda o: o.b + 2\n", encoding="utf-8")
    assert source_of(spoken["f"]) is None


def test_other_functions_are_shown_by_name() -> None:
    assert spelled(functools.partial(max, 3)) == "partial(max, 3)"
    assert spelled(str.upper) == "str.upper"
    assert spelled(scaled) == "scaled"
    assert spelled(Order) == "Order"
    assert spelled(r.sum("amount", where=lambda o: o.paid)) == (
        "sum('amount', where=lambda o: o.paid)"
    )
    assert spelled(r.sum().finish(lambda x: -x)) == "sum().finish(lambda x: -x)"


def test_a_very_long_function_is_cut() -> None:
    f = lambda o: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + o  # fmt: skip  # noqa: E501
    assert len(body(f)) <= 160 and body(f).endswith("…")


# Pictures


def test_mermaid_has_cylinders_for_sources_and_marks_views() -> None:
    text = shop().show("mermaid")
    assert text.startswith("flowchart LR\n")
    assert '[("<b>orders</b>' in text
    assert '(["<b>revenue</b><br/><i>reduce</i>' in text
    assert "#quot;cancelled#quot;" in text and '"cancelled"' not in text


def test_dot_escapes_quotes() -> None:
    assert r"\"cancelled\"" in shop().show("dot")


def test_the_picture_is_well_formed_and_tells_the_outline_to_those_who_do_not_see_it() -> None:
    flow = shop()
    tree = ElementTree.fromstring(flow.show("svg"))
    space = {"s": "http://www.w3.org/2000/svg"}
    texts = [text.text for text in tree.iterfind(".//s:text", space)]
    assert {"orders", "customers", "sales", "revenue", "stats", "total"} <= set(texts)
    assert tree.findtext("s:desc", namespaces=space) == flow.show()


def test_the_picture_is_the_same_each_time() -> None:
    assert shop().show("svg") == shop().show("svg")


def test_a_notebook_gets_a_picture() -> None:
    bundle = shop()._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"] == "flow(sales, revenue, stats, total)"


def test_no_two_boxes_of_a_picture_overlap() -> None:
    tree = ElementTree.fromstring(om.flow(**nested()).show("svg"))
    rects = [
        tuple(float(rect.attrib[n]) for n in ("x", "y", "width", "height"))
        for rect in tree.iter("{http://www.w3.org/2000/svg}rect")
    ]
    assert len(rects) > 20
    for i, (x, y, w, h) in enumerate(rects):
        for x2, y2, w2, h2 in rects[:i]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y


def test_boxes_stand_after_what_they_read_and_last_views_in_one_column() -> None:
    arrows = [("a", "b"), ("b", "c"), ("a", "d")]
    assert columns_of("abcd", arrows, {"c", "d"}) == {"a": 0, "b": 1, "c": 2, "d": 2}
    made = layout(dict.fromkeys("abcd", 20.0), arrows, {"c", "d"})
    assert made.columns[1] in (["b", "a>1"], ["a>1", "b"])


def test_arrows_that_need_not_cross_do_not() -> None:
    arrows = [("a", "y"), ("b", "x"), ("c", "z")]
    made = layout(dict.fromkeys("abcxyz", 20.0), arrows, set())
    left, right = made.columns
    partner = dict(arrows)
    assert [partner[name] for name in left] == right


def test_operators_are_listed_as_plain_data() -> None:
    listed = operators(shop().views)
    by_name = {each["name"]: each for each in listed}
    assert by_name["revenue"]["operator"] == "reduce"
    assert by_name["revenue"]["reads"] == [by_name["sales"]["id"]]
    assert by_name["orders"]["reads"] == []


def test_the_empty_name_is_that_of_a_collection_without_one() -> None:
    assert draw({"": om.literal([]).op}, "text") == "rows\n  literal  no rows\n"
