"""An ordered map agrees with a sorted list of entries, whatever its history and its shape."""

from __future__ import annotations

import copy
import pickle
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ominus.algebra import btree, btree_differences, ordered
from ominus.algebra.ordered import EMPTY, Ordered, differences

Model = dict[Any, tuple[Any, int]]


@pytest.fixture(params=["nodes of 4", "nodes as they are"])
def nodes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small nodes make tall trees of few entries: every split and join is met often."""
    if request.param == "nodes of 4":
        shrink_nodes(monkeypatch)
    return str(request.param)


def shrink_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, width in {"LEAF": 4, "LEAF_MIN": 2, "FAN": 4, "FAN_MIN": 2}.items():
        monkeypatch.setattr(btree, name, width)
    monkeypatch.setattr(ordered, "LEAF", 4)


def listed(model: Model) -> list[tuple[Any, Any, int]]:
    return [(key, *model[key]) for key in sorted(model)]


def built(model: Model) -> Ordered[Any, Any]:
    return Ordered.build(listed(model))


def changed(model: Model, key: Any, item: Any, by: int) -> Model:
    held_item, held = model.get(key, (item, 0))
    rest = {k: v for k, v in model.items() if k != key}
    return {**rest, key: (held_item, held + by)} if held + by else rest


def random_step(tree: Any, model: Model, *, random: Random, keys: int, grow: float) -> Any:
    """Change tree and model alike: an insertion with probability `grow`, else a removal."""
    key, item = random.randrange(keys), object()
    if random.random() < grow or not model:
        by = random.choice([1, 1, 1, 3])
        return tree.change(key, item, by), changed(model, key, item, by)
    key = random.choice(list(model))
    if random.random() < 0.3:
        count = random.randrange(4)
        rest = {k: v for k, v in model.items() if k != key}
        return tree.put(key, item, count), {**rest, key: (item, count)} if count else rest
    by = -random.randint(1, model[key][1])
    return tree.change(key, item, by), changed(model, key, item, by)


def assert_answers(tree: Ordered[Any, Any], model: Model, probes: list[Any]) -> None:
    """Ask everything that can be asked of a tree, and compare with the sorted list."""
    rows = listed(model)
    keys = [row[0] for row in rows]
    counts = [row[2] for row in rows]
    assert list(tree.entries()) == rows
    assert list(tree.reversed_entries()) == rows[::-1]
    assert (tree.size, tree.total, len(tree), bool(tree)) == (
        len(rows),
        sum(counts),
        len(rows),
        bool(rows),
    )
    if rows:
        assert (tree.first(), tree.last()) == (rows[0], rows[-1])
    for lo in probes:
        i = bisect_left(keys, lo)
        assert tree.get(lo) == model.get(lo)
        assert tree.count(lo) == model.get(lo, (None, 0))[1]
        assert (lo in tree) == (lo in model)
        assert (tree.position(lo), tree.rank(lo)) == (i, sum(counts[:i]))
        assert list(tree.entries(lo)) == rows[i:]
        assert list(tree.entries(None, lo)) == rows[:i]
        assert list(tree.reversed_entries(lo)) == rows[:i][::-1]
        assert tree.count_between(lo) == sum(counts[i:])
        assert tree.count_between(None, lo) == sum(counts[:i])
        for hi in probes:
            j = bisect_left(keys, hi)
            assert list(tree.entries(lo, hi)) == rows[i:j]
            assert tree.count_between(lo, hi) == sum(counts[i:j])


def assert_ranks(tree: Ordered[Any, Any], model: Model, indexes: list[int]) -> None:
    rows = listed(model)
    copies = [(row, at) for at, row in enumerate(rows) for _ in range(row[2])]
    starts = [sum(row[2] for row in rows[:at]) for at in range(len(rows))]
    for index in indexes:
        if -len(copies) <= index < len(copies):
            row, at = copies[index]
            assert tree.at(index) == (*row, starts[at])
        else:
            with pytest.raises(IndexError):
                tree.at(index)
        if -len(rows) <= index < len(rows):
            assert tree.entry_at(index) == (*rows[index], starts[index])
        else:
            with pytest.raises(IndexError):
                tree.entry_at(index)
        held = copies[index:]
        assert list(tree.entries_from(index)) == (rows[held[0][1] :] if held else [])


@pytest.mark.parametrize("seed", range(3))
def test_a_long_history_agrees_with_a_sorted_list_at_each_step(nodes: str, seed: int) -> None:
    random = Random(seed)
    keys, steps, every = (150, 1500, 1) if nodes == "nodes of 4" else (3000, 5000, 250)
    tree, model = EMPTY, dict[Any, tuple[Any, int]]()
    for step in range(steps):
        # Grow, shrink to nothing, grow again.
        grow = 0.9 if step % (steps // 2) < steps // 4 else 0.05
        tree, model = random_step(tree, model, random=random, keys=keys, grow=grow)
        if step % every == 0:
            tree.check()
            assert_answers(tree, model, [random.randrange(-1, keys + 1) for _ in range(3)])
            assert_ranks(tree, model, [random.randrange(-keys, keys) for _ in range(3)])


steps = st.lists(st.tuples(st.integers(0, 30), st.integers(-2, 3), st.booleans()), max_size=60)


@given(steps)
def test_any_history_agrees_with_a_sorted_list(history: list[tuple[int, int, bool]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        shrink_nodes(patch)
        tree, model = EMPTY, dict[Any, tuple[Any, int]]()
        for key, by, put in history:
            if put:
                tree = tree.put(key, -key, abs(by))
                model = {k: v for k, v in model.items() if k != key}
                model |= {key: (-key, abs(by))} if by else {}
            elif model.get(key, (None, 0))[1] + by < 0:
                with pytest.raises(KeyError):
                    tree.change(key, key, by)
            else:
                tree, model = tree.change(key, key, by), changed(model, key, key, by)
            tree.check()
        assert_answers(tree, model, [-1, 7, 15, 31])
        assert_ranks(tree, model, [0, 1, 9, 40, -1, -9, -40])
        assert tree == built(model)


def test_old_versions_stay_as_they_were(nodes: str) -> None:
    random = Random(5)
    versions: list[tuple[Any, Model]] = [(EMPTY, {})]
    for _ in range(600):
        # Any version may be changed again, not the last one only.
        tree, model = random.choice(versions[-40:])
        versions.append(random_step(tree, model, random=random, keys=400, grow=0.8))
    for tree, model in versions:
        tree.check()
        assert list(tree.entries()) == listed(model)


@pytest.mark.parametrize("length", [*range(70), 500, 577, 5000])
def test_a_built_map_holds_the_entries_in_a_right_tree(nodes: str, length: int) -> None:
    rows = [(key, str(key), 1 + key % 3 % 2) for key in range(length)]
    tree = Ordered.build(iter(rows))
    tree.check()
    assert list(tree.entries()) == rows


def test_keys_may_be_tuples() -> None:
    random = Random(3)
    keys = [(random.randrange(5), random.choice("abc"), n) for n in range(300)]
    tree: Ordered[tuple[int, str, int], int] = EMPTY
    for key in keys:
        tree = tree.change(key, key[2], 1)
    tree.check()
    assert [key for key, _, _ in tree.entries((2,))] == [k for k in sorted(keys) if k >= (2,)]


# One entry.


def test_a_key_that_is_present_keeps_its_first_item() -> None:
    assert EMPTY.change(1, "first", 1).change(1, "second", 2).get(1) == ("first", 3)


def test_equal_keys_are_one_entry() -> None:
    assert list(EMPTY.change(1, "a", 1).change(1.0, "b", 1).entries()) == [(1, "a", 2)]


def test_put_replaces_item_and_count() -> None:
    assert EMPTY.put(1, "a", 2).put(1, "b", 5).get(1) == ("b", 5)


def test_put_of_no_copies_removes_the_entry() -> None:
    assert EMPTY.put(1, "a", 2).put(1, "b", 0) == EMPTY


def test_removing_the_last_copy_drops_the_entry() -> None:
    assert 1 not in EMPTY.change(1, "a", 2).change(1, "a", -2)


def test_a_change_of_nothing_returns_the_same_map() -> None:
    tree = EMPTY.put(1, "a", 2)
    assert tree.change(1, "b", 0) is tree
    assert tree.change(2, "b", 0) is tree
    assert tree.put(1, "a", 2) is tree
    assert tree.put(2, "b", 0) is tree


# What is refused.


def test_taking_more_copies_than_there_are_is_refused_with_the_number_present() -> None:
    with pytest.raises(KeyError, match="take 3 copies of 1; 2 present"):
        EMPTY.put(1, "a", 2).change(1, "a", -3)
    with pytest.raises(KeyError, match="take 1 copies of 1; 0 present"):
        EMPTY.change(1, "a", -1)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 copies of 1"):
        EMPTY.put(1, "a", -1)


def test_an_index_outside_is_refused_with_the_bounds() -> None:
    with pytest.raises(IndexError, match="number 2 of 2 copies; ask from -2 to 1"):
        EMPTY.put(1, "a", 2).at(2)
    with pytest.raises(IndexError, match="number -2 of 1 entries; ask from -1 to 0"):
        EMPTY.put(1, "a", 2).entry_at(-2)


def test_an_empty_map_has_no_first_and_no_last_entry() -> None:
    for ask in (EMPTY.first, EMPTY.last, lambda: EMPTY.at(0), lambda: EMPTY.entry_at(-1)):
        with pytest.raises(IndexError, match=r"of 0 (copies|entries); add some first"):
            ask()


def test_building_from_keys_that_do_not_ascend_is_refused_with_the_first_pair() -> None:
    with pytest.raises(ValueError, match="2 follows 2"):
        Ordered.build([(1, "a", 1), (2, "b", 1), (2, "c", 1), (0, "d", 1)])


def test_building_from_a_count_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="2 has 0"):
        Ordered.build([(1, "a", 1), (2, "b", 0)])


# As a value.


def test_maps_of_the_same_entries_are_equal_whatever_their_shape(nodes: str) -> None:
    random = Random(9)
    keys = list(range(700))
    grown: Ordered[int, int] = EMPTY
    for key in random.sample(keys, len(keys)):
        grown = grown.change(key, key, 1 + key % 2)
    shrunk = Ordered.build((key, key, 1 + key % 2) for key in range(1400))
    for key in range(700, 1400):
        shrunk = shrunk.put(key, 0, 0)
    assert grown == shrunk == Ordered.build((key, key, 1 + key % 2) for key in keys)


def test_maps_that_differ_in_one_key_item_or_count_are_not_equal(nodes: str) -> None:
    tree = Ordered.build((key, key, 2) for key in range(700))
    assert tree != tree.put(350, "other", 2)
    assert tree != tree.change(350, 350, 1).change(351, 351, -1)
    assert tree != tree.put(350, 0, 0).put(-1, 350, 2)
    assert tree != tree.put(699, 0, 0)
    assert tree != "a map"


def test_an_item_that_equals_nothing_equals_itself() -> None:
    nan = float("nan")
    tree = Ordered.build([(1, nan, 1)])
    assert tree == Ordered.build([(1, nan, 1)])
    assert tree != Ordered.build([(1, float("nan"), 1)])


def test_a_map_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(EMPTY)


@pytest.mark.parametrize("length", [0, 1, 1000])
def test_a_map_survives_pickling_and_copying(length: int) -> None:
    tree = Ordered.build((key, [key], 1 + key % 2) for key in range(length))
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        again.check()
        assert again == tree


def test_the_repr_is_short() -> None:
    assert repr(Ordered.build([(1, "a", 2), (3, "b", 1)])) == "Ordered(size=2, total=3)"


# Differences.


def naive_differences(old: Model, new: Model) -> list[Any]:
    keys = sorted(old.keys() | new.keys())
    return [(k, old.get(k), new.get(k)) for k in keys if old.get(k) != new.get(k)]


@pytest.mark.parametrize("distance", [1, 3, 40, 400])
def test_differences_of_a_map_and_its_descendant(nodes: str, distance: int) -> None:
    for seed in range(8):
        random = Random(seed)
        old_model: Model = {key: (key, 1 + key % 2) for key in range(0, 600, 2)}
        old, model = built(old_model), old_model
        tree = old
        for _ in range(distance):
            tree, model = random_step(tree, model, random=random, keys=600, grow=seed / 8)
        assert list(differences(old, tree)) == naive_differences(old_model, model)
        assert list(differences(tree, old)) == naive_differences(model, old_model)
        assert (old == tree) == (old_model == model)


models = st.dictionaries(st.integers(0, 60), st.tuples(st.integers(0, 1), st.integers(1, 2)))


@given(models, models)
def test_differences_of_unrelated_maps(old: Model, new: Model) -> None:
    with pytest.MonkeyPatch.context() as patch:
        shrink_nodes(patch)
        assert list(differences(built(old), built(new))) == naive_differences(old, new)


# Work.


class Counted:
    """A key that counts how often it is compared."""

    compared = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __lt__(self, other: Counted) -> bool:
        Counted.compared += 1
        return self.value < other.value

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return isinstance(other, Counted) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


def comparisons(ask: Any) -> int:
    Counted.compared = 0
    ask()
    return Counted.compared


def test_a_key_is_found_in_a_logarithm_of_comparisons() -> None:
    tree = Ordered.build((Counted(n), n, 1) for n in range(20_000))
    key = Counted(12_345)
    for ask in (
        lambda: tree.get(key),
        lambda: tree.change(key, 0, 1),
        lambda: tree.put(key, 0, 0),
        lambda: tree.rank(key),
        lambda: tree.position(key),
        lambda: list(islice(tree.entries(key), 5)),
        lambda: list(islice(tree.reversed_entries(key), 5)),
    ):
        assert 0 < comparisons(ask) <= 22
    for ask in (lambda: tree.at(777), lambda: list(islice(tree.entries_from(777), 5))):
        assert comparisons(ask) == 0


def nodes_of(tree: Ordered[Any, Any]) -> dict[int, Any]:
    def walk(node: Any, height: int) -> Iterator[Any]:
        yield node
        for child in node[1] if height else ():
            yield from walk(child, height - 1)

    return {id(node): node for node in walk(tree._root, tree._height)}


def test_an_insertion_makes_one_path_and_what_it_splits(nodes: str) -> None:
    random = Random(1)
    tree = Ordered.build((n, n, 1) for n in range(0, 3000, 3))
    for _ in range(200):
        after = tree.change(random.randrange(3000), 0, 1)
        old, new = nodes_of(tree), nodes_of(after)
        risen = after._height - tree._height
        splits = len(new) - len(old) - risen
        assert len(new.keys() - old.keys()) == after._height + 1 + splits
        tree = after


def test_a_removal_makes_one_path_and_at_most_one_neighbour_of_each_node(nodes: str) -> None:
    random = Random(2)
    tree = Ordered.build((n, n, 1) for n in range(1000))
    for key in random.sample(range(1000), 900):
        after = tree.change(key, 0, -1)
        fresh = nodes_of(after).keys() - nodes_of(tree).keys()
        assert len(fresh) <= 2 * tree._height + 1
        tree = after


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What finding differences did, by name: it opened a node, or it merged two leaves."""
    done: list[str] = []

    def note(name: str) -> None:
        real = getattr(btree_differences, name)

        def noted(*parts: Any) -> Any:
            done.append(name)
            return real(*parts)

        monkeypatch.setattr(btree_differences, name, noted)

    note("open_top")
    note("merge_tops")
    return done


def test_differences_read_only_the_nodes_beside_a_change(read: list[str]) -> None:
    old = Ordered.build((n, n, 1) for n in range(20_000))
    for key, by in [(n + 0.5, 1) for n in range(9_000, 9_200)] + [(n, -1) for n in range(50)]:
        read.clear()
        assert len(list(differences(old, old.change(key, 0, by)))) == 1
        assert read.count("open_top") <= 4 * old._height
        assert read.count("merge_tops") <= 2


def test_maps_of_different_sizes_are_not_equal_at_sight(read: list[str]) -> None:
    old = Ordered.build((n, n, 1) for n in range(1000))
    assert old != old.change(999, 0, 1)
    assert read == []


def test_a_map_of_up_to_32_entries_is_one_leaf() -> None:
    rows = [(n, n, 1) for n in range(32)]
    built = Ordered.build(rows)
    grown = EMPTY
    for row in rows:
        grown = grown.change(*row)
    assert (len(nodes_of(built)), len(nodes_of(grown))) == (1, 1)


def test_single_copies_share_their_counts() -> None:
    tree = EMPTY.change(2, 0, 1).change(1, 0, 1).change(2, 0, -1)
    assert tree._root[2] is EMPTY.change(7, 0, 1)._root[2]


# `check` sees what is broken.


def two_levels() -> Any:
    return Ordered.build((n, n, 1) for n in range(100))


def broken(name: str) -> Ordered[Any, Any]:
    tree = two_levels()
    seps, children, totals, sizes = tree._root
    keys, items, counts = children[1]
    if name == "sorted":
        leaf = [keys[1], keys[0], *keys[2:]], items, counts
    elif name == "positive":
        leaf = keys, items, [0, 2, *counts[2:]]
    elif name == "filled":
        leaf = keys[:3], items[:3], counts[:3]
    else:
        leaf = keys, items, [2, *counts[1:]]
    tree._root = seps, [children[0], leaf, *children[2:]], totals, sizes
    return tree


@pytest.mark.parametrize("name", ["sorted", "positive", "filled", "measured"])
def test_check_names_the_invariant_that_a_node_breaks(name: str) -> None:
    with pytest.raises(AssertionError, match=name):
        broken(name).check()


def test_check_names_a_root_of_one_child() -> None:
    leaf = EMPTY.change(1, 1, 1)._root
    with pytest.raises(AssertionError, match="rooted"):
        Ordered(([], [leaf], [1], [1]), 1, 1, 1).check()


def test_check_names_a_separator_that_is_on_the_wrong_side() -> None:
    tree = two_levels()
    seps, *rest = tree._root
    for wrong in (seps[0] - 1, seps[0] + 1):
        with pytest.raises(AssertionError, match="sorted"):
            Ordered(([wrong, *seps[1:]], *rest), 1, tree.total, tree.size).check()


def test_check_names_a_wrong_total_of_the_map() -> None:
    tree = two_levels()
    with pytest.raises(AssertionError, match="measured"):
        Ordered(tree._root, tree._height, tree.total + 1, tree.size).check()
