"""Containers at the door: parts checked, what can be changed copied, mappings in order."""

from __future__ import annotations

import collections
import sys
from collections.abc import Collection, Iterable, Mapping, MutableSequence, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from ominus.algebra.value import NAN, canon
from ominus.errors import TypeMismatch
from ominus.flow.door import door


class Pair(NamedTuple):
    a: int
    b: int


@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        (tuple[int, float], (1, 2), (1, 2.0)),
        (tuple[int, ...], (1, 2, 3), (1, 2, 3)),
        (tuple[float, ...], (1, -0.0), (1.0, 0.0)),
        (tuple[()], (), ()),
        (tuple, (1, [2]), (1, [2])),
        (list[float], [1, 2.5], [1.0, 2.5]),
        (list, [-0.0, "a"], [0.0, "a"]),
        (set[float], {1}, {1.0}),
        (set, {1}, {1}),
        (frozenset[float], frozenset({1}), frozenset({1.0})),
        (dict[str, int], {"b": 1, "a": 2}, {"a": 2, "b": 1}),
        (dict[int, float], {2: 1, 1: 2}, {1: 2.0, 2: 1.0}),
        (dict[Any, int], {"a": 1, 2: 3, None: 4}, {None: 4, 2: 3, "a": 1}),
        (dict[float | None, int], {float("nan"): 1, 2: 2}, {None: 1, 2.0: 2}),
        (dict, {"b": [1], "a": {2: -0.0}}, {"a": {2: 0.0}, "b": [1]}),
        (Mapping[str, int], MappingProxyType({"b": 1, "a": 2}), {"a": 2, "b": 1}),
        (Mapping[str, int], collections.OrderedDict(b=1, a=2), {"a": 2, "b": 1}),
        (Mapping, MappingProxyType({"b": [1]}), {"b": [1]}),
        (Sequence[float], [1], [1.0]),
        (Sequence[float], (1,), (1.0,)),
        (Sequence, (1, [2]), (1, [2])),
        (MutableSequence[int], [1], [1]),
        (AbstractSet[int], frozenset({1}), frozenset({1})),
        (AbstractSet[int], {1}, {1}),
        (Collection[int], {1}, {1}),
        (Iterable[float], (1,), (1.0,)),
        (list[tuple[str, list[float]]], [("a", [1])], [("a", [1.0])]),
        (collections.Counter, collections.Counter("a"), collections.Counter("a")),
    ],
)
def test_what_is_kept(kind: Any, given: Any, kept: Any) -> None:
    found = door(kind)(given)
    assert type(found) is type(kept)
    assert repr(found) == repr(kept)
    assert canon(found) is found


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (tuple[int, str], (1, "a")),
        (tuple[float, ...], (1.0, NAN)),
        (frozenset[int], frozenset({1, 2})),
        (tuple[tuple[int], frozenset[str]], ((1,), frozenset("a"))),
        (tuple, (1, (2, "a"))),
    ],
)
def test_what_cannot_be_changed_and_needs_no_change_stays_the_same_object(
    kind: Any, given: Any
) -> None:
    assert door(kind)(given) is given


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (list[list[int]], [[1], [2]]),
        (list, [[1], [2]]),
        (Any, [[1], [2]]),
        (tuple[list[list[int]], int], ([[1], [2]], 1)),
        (dict[str, list[list[int]]], {"a": [[1], [2]]}),
        (Mapping[str, Any], {"a": [[1], [2]]}),
        (Sequence[Any], [[1], [2]]),
        (list[list[int]] | int, [[1], [2]]),
        (list[list[int]] | None, [[1], [2]]),
    ],
)
def test_a_later_change_of_what_was_given_does_not_show(kind: Any, given: Any) -> None:
    kept = door(kind)(given)
    before = repr(kept)
    inner = given[0] if isinstance(given, tuple) else given
    inner = inner["a"] if isinstance(inner, dict) else inner
    inner[0].append("changed")
    inner.append("changed")
    assert repr(kept) == before
    assert repr(given) != before


@pytest.mark.parametrize(
    ("kind", "given", "found", "todo"),
    [
        (tuple[int, str], [1, "a"], "it is [1, 'a'], a list, where", "Write tuple(...)."),
        (tuple[int, int], Pair(1, 2), "it is Pair(a=1, b=2), a Pair", "Write tuple(...)."),
        (tuple[int, int], (1,), "it has 1 parts, not 2", "Give 2 parts."),
        (tuple[int, str], (1, 2), "its part [1] is 2, an int, where str", "Write str(2)"),
        (tuple[int, ...], (1, "a"), "its part [1] is 'a', a str", "Convert the text"),
        (tuple[int, ...], "ab", "it is 'ab', a str", "Write tuple(...)."),
        (list[int], (1,), "it is (1,), a tuple, where list[int]", "Write list(...)."),
        (list[list[int]], [[1], [2, None]], "its part [1][1] is None, where int", "Declare int"),
        (set[int], frozenset({1}), "a frozenset, where set[int]", "Write set(...)."),
        (set[int], {"a"}, "its part ['a'] is 'a', a str, where int", "Convert the text"),
        (dict[str, int], {"a": "b"}, "its part ['a'] is 'b', a str", "Convert the text"),
        (dict[str, int], {1: 1}, "its part [1] is 1, an int, where str", "Write str(1)"),
        (dict[str, int], collections.Counter("a"), "a Counter, where dict", "Write dict(...)."),
        (Sequence[str], "ab", "it is 'ab', a str", "Write list(...) or tuple(...)."),
        (Sequence[int], range(3), "it is range(0, 3), a range", "Write list(...) or tuple"),
        (Mapping[str, int], [("a", 1)], "a list, where Mapping[str, int]", "Write dict(...)."),
        (
            dict[float, int],
            {float("nan"): 1, NAN: 2},
            "two of its keys are nan once they are kept",
            "Give one of them.",
        ),
    ],
)
def test_what_is_refused(kind: Any, given: Any, found: str, todo: str) -> None:
    with pytest.raises(TypeMismatch) as refused:
        door(kind)(given)
    assert found in refused.value.found
    assert refused.value.todo.startswith(todo)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement is of Python 3.12")
def test_a_type_that_means_itself() -> None:
    made: dict[str, Any] = {}
    exec("type Json = dict[str, Json] | list[Json] | float | str | None", made)
    enter = door(made["Json"])
    assert repr(enter({"b": [1, {"a": float("nan")}], "a": "x"})) == (
        "{'a': 'x', 'b': [1.0, {'a': None}]}"
    )
    with pytest.raises(TypeMismatch) as refused:
        enter({"b": [1, {"a": True}]})
    assert "its part ['b'][1]['a'] is True" in refused.value.found


def test_a_set_is_copied() -> None:
    given = {1}
    kept = [door(kind)(given) for kind in (set[int], AbstractSet[int], set, Any)]
    given.add(2)
    assert kept == [{1}] * 4


def test_tuples_with_parts_unpacked_are_checked_as_tuples() -> None:
    kind = tuple[int, *tuple[str, ...]]
    assert door(kind)((1, "a")) == (1, "a")
    with pytest.raises(TypeMismatch):
        door(kind)([1, "a"])
