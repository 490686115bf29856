"""The examples of the paper on `reduce`, one by one.

A test is named by the paper's number; where the paper is wrong, a test named `..._but_...` shows
the counterexample and what is done here instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any

import pytest

from ominus import reducers as r
from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import RECOMPUTE, Reducer
from paper_reducers import (
    AVERAGE,
    COUNT,
    MIN,
    SUM,
    UNION,
    AnyReducer,
    counted,
    law,
    refolded,
    well_formed,
)

# Section 6: the examples


@pytest.mark.parametrize("total", [SUM, r.sum()], ids=["the paper's", "ours"])
def test_example_6_1_sum_goes_from_15_to_12(total: AnyReducer) -> None:
    state = total.fold([3, 5, 7])
    assert total.read(state) == 15
    updated = total.update(state, removed=[5], added=[2])
    assert total.read(updated) == 12 == total.fold_read([3, 7, 2])


@pytest.mark.parametrize("count", [COUNT, r.count()], ids=["the paper's", "ours"])
def test_example_6_2_count_stays_3(count: AnyReducer) -> None:
    state = count.fold(["x", "y", "z"])
    assert count.read(state) == 3
    assert count.read(count.update(state, removed=["y"], added=["w"])) == 3


@pytest.mark.parametrize("average", [AVERAGE, r.mean()], ids=["the paper's", "ours"])
def test_example_6_3_average_by_a_richer_state(average: AnyReducer) -> None:
    assert well_formed(average, [1, 2, 6])
    assert average.kind == "algebraic"
    state = average.fold([1, 2, 6])
    assert average.read(state) == 3
    state = average.update(state, removed=[6], added=[4, 5])
    assert average.read(state) == 3 == average.fold_read([1, 2, 4, 5])
    emptied = average.update(state, removed=[1, 2, 4, 5])
    assert average.equal(emptied, average.start())
    assert average.read(average.update(emptied, added=[4])) == 4


def test_example_6_3_maintaining_only_the_average_is_insufficient() -> None:
    one_ten, two_tens = [10], [10, 10]
    assert AVERAGE.fold_read(one_ten) == AVERAGE.fold_read(two_tens) == 10
    # So whatever an add makes of (average 10, value 40), it is wrong for one of them.
    assert AVERAGE.fold_read([*one_ten, 40]) == 25
    assert AVERAGE.fold_read([*two_tens, 40]) == 20


@pytest.mark.parametrize("low", [MIN, r.min()], ids=["the paper's", "ours"])
def test_example_6_4_min_of_3_and_5_keeps_3_when_5_goes_and_cannot_tell_when_3_goes(
    low: AnyReducer,
) -> None:
    group = Multiset([3, 5])
    state = low.fold(group)
    assert low.read(state) == 3
    assert refolded(low, group, removed=[5], added=[]) == low.fold([3])
    assert low.read(refolded(low, group, removed=[3], added=[])) == 5


def test_example_6_4_the_paper_s_min_cannot_tell_when_3_goes() -> None:
    assert MIN.update(MIN.fold([3, 5]), removed=[5]) == 3
    assert MIN.update(MIN.fold([3, 5]), removed=[3]) is RECOMPUTE
    # No remove could tell: two multisets have the minimum 3, and different ones without it.
    assert MIN.fold([3, 5]) == MIN.fold([3, 7])
    assert MIN.fold([5]) != MIN.fold([7])
    # Not even that 3 was there twice.
    assert MIN.update(MIN.fold([3, 3]), removed=[3]) is RECOMPUTE


def test_example_6_4_a_sorted_multiset_as_state_makes_min_invertible() -> None:
    richer = r.min(keep="all")
    assert (richer.inverse, richer.kind) == ("invertible", "holistic")
    state = richer.update(richer.fold([3, 5]), removed=[3])
    assert richer.read(state) == 5
    assert well_formed(richer, [1, 2, 3])


def test_section_6_5_multiplicities_keep_what_another_file_still_contributes() -> None:

    nodes = UNION.replace(of=lambda row: row[1])
    union = nodes.fold([("file a", "n"), ("file b", "n")])
    assert nodes.update(union, removed=[("file a", "n")]) == Multiset(["n"])
    deduplicated: AnyReducer = Reducer(
        frozenset(), lambda a, v: a | {v}, lambda a, v: a - {v}, of=lambda row: row[1]
    )
    # What the paper assumes away: without counts, one file's removal is everybody's.
    assert deduplicated.fold([("file a", "n"), ("file b", "n")]) == {"n"}
    gone = deduplicated.update(frozenset({"n"}), removed=[("file a", "n")])
    assert gone != deduplicated.fold([("file b", "n")])
    assert not well_formed(deduplicated, [("a", "n"), ("b", "n")])


FILES: dict[str, dict[str, list[Any]]] = {
    "main": {"nodes": ["main", "help"], "edges": [("main", "help"), ("main", "util")],
             "roots": ["main"]},
    "util": {"nodes": ["util", "old"], "edges": [("old", "util")], "roots": []},
}  # fmt: skip


def test_example_6_6_the_union_reducer_is_well_formed() -> None:
    for union in (UNION, r.multiset()):
        assert well_formed(union, [("a", "b"), ("b", "a")])
        assert law("add_commutes", union, [("a", "b"), ("b", "a")])
        state = union.update(union.fold(["x", "x", "y"]), removed=["x"], added=["z"])
        assert union.read(state) == Multiset(["x", "y", "z"])


def test_example_6_6_files_are_normalised_to_one_graph_by_small_deltas() -> None:
    noted, calls = counted(UNION)
    graph = {part: noted.fold(merged(FILES, part)) for part in ("nodes", "edges", "roots")}
    assert dead(graph) == {"old"}
    calls.clear()
    # File `main` is edited: the call of util goes, one of old comes.
    removed, added = [("main", "util")], [("main", "old")]
    graph["edges"] = noted.update(graph["edges"], removed=removed, added=added)
    assert calls == ["remove", "add"]
    edited = FILES | {"main": FILES["main"] | {"edges": [("main", "help"), ("main", "old")]}}
    assert graph == {p: UNION.fold(merged(edited, p)) for p in ("nodes", "edges", "roots")}
    assert dead(graph) == set()


def test_example_6_6_unreachable_is_the_difference_of_nodes_and_reachable() -> None:
    graph = {part: UNION.fold(merged(FILES, part)) for part in ("nodes", "edges", "roots")}
    assert reachable(graph["roots"], graph["edges"]) == {"main", "help", "util"}
    assert dead(graph) == {"old"}


def test_example_6_6_but_reachable_is_not_within_nodes_where_an_edge_dangles() -> None:
    found = reachable(["main"], [("main", "library")])
    assert not found <= {"main"}
    # What we do: the difference is taken as one of multisets, which asks for no containment.
    assert Multiset(["main"]) - Multiset(found) == Multiset()


def merged(files: dict[str, dict[str, list[Any]]], part: str) -> list[Any]:
    return [x for file in files.values() for x in file[part]]


def dead(graph: dict[str, Any]) -> set[Any]:
    return set(graph["nodes"]) - reachable(graph["roots"], graph["edges"])


def reachable(roots: Iterable[Any], edges: Iterable[Any]) -> set[Any]:
    """From scratch: the specification."""
    found, pairs = set(roots), list(edges)
    while more := {v for u, v in pairs if u in found} - found:
        found |= more
    return found


class Counting:
    """Section 6.6 as it is written: a node lives while its count of live predecessors does."""

    def __init__(self, roots: Iterable[Any], edges: Iterable[Any]) -> None:
        self.roots, self.edges = set(roots), list(edges)
        self.live = reachable(self.roots, self.edges)
        self.count = {v: 0 for e in self.edges for v in e} | dict.fromkeys(self.roots, 0)
        self.looks = 0
        for u, v in self.edges:
            self.count[v] += u in self.live

    def remove_edge(self, u: Any, v: Any) -> None:
        self.edges.remove((u, v))
        self.lower(v)

    def lower(self, v: Any) -> None:
        self.count[v] -= 1
        if self.count[v] == 0 and v not in self.roots:
            self.kill(v)

    def remove_root(self, v: Any) -> None:
        self.roots.remove(v)
        self.kill(v)

    def kill(self, v: Any) -> None:
        if v in self.live:
            self.live.remove(v)
            for a, b in list(self.edges):
                if a == v:
                    self.looks += 1
                    self.lower(b)

    def agrees(self) -> bool:
        return self.live == reachable(self.roots, self.edges)


def test_example_6_6_counting_is_right_on_a_chain() -> None:
    graph = Counting("R", [("R", "A"), ("A", "B")])
    graph.remove_edge("R", "A")
    assert graph.live == {"R"}
    assert graph.agrees()


def test_example_6_6_but_counting_keeps_a_cycle_that_nothing_reaches() -> None:
    graph = Counting("R", [("R", "A"), ("A", "A")])
    graph.remove_edge("R", "A")
    assert graph.live == {"R", "A"}
    assert reachable(graph.roots, graph.edges) == {"R"}


def test_example_6_6_but_counting_kills_a_root_that_is_still_reached() -> None:
    graph = Counting("RA", [("R", "A")])
    graph.remove_root("A")
    assert "A" not in graph.live
    assert reachable(graph.roots, graph.edges) == {"R", "A"}


def test_example_6_6_but_counting_kills_a_live_node_that_loses_an_edge_from_a_dead_one() -> None:
    graph = Counting("R", [("R", "A"), ("D", "A")])
    graph.remove_edge("D", "A")
    assert "A" not in graph.live
    assert reachable(graph.roots, graph.edges) == {"R", "A"}


@pytest.mark.parametrize("fan", [3, 50])
def test_example_6_6_but_its_cost_omits_the_edges_of_the_nodes_that_change(fan: int) -> None:
    # One edge and one node change; every edge of that node is looked at, though all targets live.
    roots = ["R", *range(fan)]
    graph = Counting(roots, [("R", "A"), *(("A", n) for n in range(fan))])
    graph.remove_edge("R", "A")
    assert graph.agrees()
    assert graph.looks == fan


def test_example_6_6_the_recompute_is_the_specification_that_counting_fails() -> None:
    """What we do: reachability is a least fixpoint, maintained by ranks, never by counts."""
    wrong = 0
    pairs = [(u, v) for u in "RAB" for v in "RAB"]
    for edges in (e for n in (2, 3) for e in combinations_with_replacement(pairs, n)):
        if len(set(edges)) == len(edges):
            for u, v in edges:
                graph = Counting("R", edges)
                graph.remove_edge(u, v)
                wrong += not graph.agrees()
    assert wrong > 0
