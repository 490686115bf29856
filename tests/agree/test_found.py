"""Small programs that the engine once answered otherwise than the oracle."""

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import ChangeRefused

w = om.source("w")
v = om.source("v")
t = om.source("t", key="k")


def agree(flow, **rows):
    """The engine, after these rows and nothing else, shows what the oracle shows."""
    live = flow.run()
    for name, given in rows.items():
        live[name].insert_many(given)
    truth = om.recompute(flow, **rows)
    for name in flow:
        assert truth[name] == live[name]
    return live


def test_many_copies_push_out_of_a_top_what_was_in_it():
    live = agree(om.flow(view=w.top(2)), w=[1, 1, 1, 1, 1, 2])
    live["w"].insert_many([3, 3])
    assert list(live["view"]) == [3, 3]


def test_what_is_told_of_rows_has_the_empty_tuple_as_its_key():
    live, heard = om.flow(view=w.count()).run(), []
    live["w"].subscribe(heard.append)
    live["w"].insert(1)
    assert heard == [[om.GroupChange((), om.Multiset(), om.Multiset([1]))]]


def test_a_view_that_was_there_unkept_is_filled_when_it_is_shown():
    both = w.union(v)
    live = agree(om.flow(n=both.maintain(len, lambda c, d: om.RECOMPUTE)), w=[1], v=[2])
    live.extend(both=both, ones=w.map(lambda x: x + 1), twice=w.union(w))
    assert live["both"].value == om.Multiset([1, 2])
    assert live["ones"].value == om.Multiset([2])
    assert live["twice"].value == om.Multiset([1, 1])


def test_a_none_that_comes_and_goes_in_one_transaction_was_never_there():
    live = om.flow(view=t.join(w, how="anti")).run()
    live["t"].insert({"k": "a"})
    with live.transaction():
        live["t"].insert({"k": "b"})
        live["t"].insert({"k": None})
        live["t"].delete(key=None)
    assert set(live["view"]) == {"a", "b"}


class Less:
    """A remove whose code says nothing of RECOMPUTE."""

    def __call__(self, state, value):
        return state if value < state else om.RECOMPUTE


def most():
    more = lambda state, value: value if state is None or value > state else state
    return om.Reducer(None, more, Less())


@pytest.mark.parametrize("names", [("top", "rows", "codes"), ("codes", "rows", "top")])
def test_rows_that_a_reducer_asks_for_late_are_kept_for_all_who_read_them(names):
    shifted = w.map(lambda x: x + 1)
    views = {
        "top": shifted.reduce(most()),
        "rows": shifted,
        "codes": shifted.maintain(sorted, lambda c, d: om.RECOMPUTE),
    }
    flow = om.flow(**{name: views[name] for name in names})
    live = agree(flow, w=[3, 5, 5])
    live["w"].delete_many([5, 5])
    assert live["top"].value == 4 and live["codes"].value == [4]
    live["w"].insert_many([7, 6])
    assert live["top"].value == 8 and live["codes"].value == [4, 7, 8]
    live["w"].delete(7)
    assert live["top"].value == 7 and live["codes"].value == [4, 7]


def test_two_rows_of_an_outer_join_of_tables_never_share_a_key():
    flow = om.flow(view=t.join(t.map("v"), how="full", match_none=False))
    with pytest.raises(ChangeRefused):
        om.recompute(flow, t=[{"k": None, "v": 1}])
    live = flow.run()
    with pytest.raises(ChangeRefused):
        live["t"].insert({"k": None, "v": 1})
    assert len(live["t"]) == 0


def test_a_mapping_that_is_no_row_is_one_value_of_items():
    groups = w.reduce(r.group(lambda x: x % 2, r.count()))
    live = agree(om.flow(view=groups.items()), w=[1, 2, 3])
    assert [dict(row.value) for row in live["view"]] == [{0: 1, 1: 2}]
