"""Reducers made of reducers: several in one pass, or one for each bucket inside a key.

Each is well-formed where its parts are, and tells its facts from theirs: the inverse is the
weakest of theirs; the state is constant where all of theirs are (never that of `group`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.algebra.order import arrange
from ominus.algebra.ordered import EMPTY
from ominus.algebra.record import Record, record_class
from ominus.algebra.reducer import RECOMPUTE, Inverse, Reducer
from ominus.algebra.select import Selector, selector
from ominus.algebra.value import canon, one
from ominus.errors import FlowError, InvalidDelta, NotOrdered
from ominus.reducers.buckets import Buckets, Held, States
from ominus.reducers.catalogue import made
from ominus.reducers.totals import count

Where = Selector | None
AnyReducer = Reducer[Any, Any, Any]
_WEAKEST: tuple[Inverse, ...] = ("add-only", "partial", "invertible")


def record(**reducers: AnyReducer) -> Reducer[Any, Any, Record]:
    """Several reducers of the same rows in one pass: the result is a record, a field for each.

    Law    record(x=r, y=s).fold_read(m) == record(x=r.fold_read(m), y=s.fold_read(m))
    Cost   that of its parts together; where one part must recompute, all do.
    Fails  FlowError, without parts, or for a part that is no reducer.

    >>> from ominus.reducers import sum
    >>> record(total=sum(), n=count()).fold_read([3, 4])
    record(total=7, n=2)
    """
    parts = tuple(reducers.values())
    _check_parts(reducers)
    shape = record_class(tuple(reducers))
    reads = [*enumerate(part.read for part in parts)]
    inside = any(part.mutates for part in parts)

    def finish(state: Any) -> Record:
        return tuple.__new__(shape, [read(state[i]) for i, read in reads])

    def start() -> list[Any]:
        return [part.start() for part in parts]

    add, remove, merge = (_in_place if inside else _anew)(parts)
    return made(
        "record",
        (),
        reducers,
        init=start if inside else tuple(start()),
        add=add,
        remove=remove,
        finish=finish,
        merge=merge if all(part.merge is not None for part in parts) else None,
        same=_each_equal(parts) if any(part.same is not None for part in parts) else None,
        inverse=min((part.inverse for part in parts), key=_WEAKEST.index),
        constant=all(part.constant for part in parts),
        mutates=inside,
    )


def _check_parts(reducers: dict[str, Any]) -> None:
    wrong = next((n for n, part in reducers.items() if not isinstance(part, Reducer)), None)
    if wrong is not None or not reducers:
        raise FlowError(
            "a record of reducers",
            f"{wrong}={reducers[wrong]!r} is none" if wrong else "there is none in it",
            "Write record(total=sum('amount'), n=count()).",
        )


Steps = tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any], Callable[[Any, Any], Any]]


def _anew(parts: tuple[AnyReducer, ...]) -> Steps:
    adders = [*enumerate(part.adder for part in parts)]
    removers = [*enumerate(_remover(part) for part in parts)]
    merges = [*enumerate(part.merge for part in parts)]

    def add(state: Any, row: Any) -> Any:
        return tuple([step(state[i], row) for i, step in adders])

    def remove(state: Any, row: Any) -> Any:
        left = tuple([step(state[i], row) for i, step in removers])
        for s in left:
            if s is RECOMPUTE:
                return RECOMPUTE
        return left

    def merge(a: Any, b: Any) -> Any:
        return tuple([join(a[i], b[i]) for i, join in merges])  # type: ignore[misc]

    return add, remove, merge


def _in_place(parts: tuple[AnyReducer, ...]) -> Steps:
    # After a RECOMPUTE some parts are already changed: the state is spent, as for any such reducer.
    fresh_add, fresh_remove, fresh_merge = _anew(parts)

    def add(state: Any, row: Any) -> Any:
        state[:] = fresh_add(state, row)
        return state

    def remove(state: Any, row: Any) -> Any:
        left = fresh_remove(state, row)
        if left is RECOMPUTE:
            return RECOMPUTE
        state[:] = left
        return state

    def merge(a: Any, b: Any) -> Any:
        a[:] = fresh_merge(a, b)
        return a

    return add, remove, merge


def _remover(part: AnyReducer) -> Callable[[Any, Any], Any]:
    """The part's remove; where it has none, one that recomputes for the rows that the part sees."""
    if part.remover is not None:
        return part.remover
    remover = part.replace(remove=_cannot).remover
    assert remover is not None
    return remover


def _cannot(state: Any, value: Any) -> Any:
    return RECOMPUTE


def _each_equal(parts: tuple[AnyReducer, ...]) -> Callable[[Any, Any], bool]:
    def same(a: Any, b: Any) -> bool:
        return all(part.equal(x, y) for part, x, y in zip(parts, a, b, strict=True))

    return same


def group(
    by: Selector | None, reducer: AnyReducer, *, where: Where = None
) -> Reducer[Any, Any, Buckets[Any, Any]]:
    """A reducer for each bucket inside the key: the result is a mapping from bucket to result.

    A bucket is there while a row is in it; versions of the mapping share structure.

    Law    the mapping at b is reducer.fold_read of the rows whose bucket is b
    Cost   O(log n) beside the inner reducer's, for n buckets.
    Fails  FlowError, for a reducer whose state is changed in place.

    >>> group(len, count()).fold_read(["a", "bb", "c"])
    {1: 2, 2: 1}
    """
    return _grouping("group", (by, reducer), by, reducer, where)


def frequencies(
    of: Selector | None = None, *, where: Where = None
) -> Reducer[Any, Any, Buckets[Any, int]]:
    """How often each value is there: `group(of, count())`.

    >>> frequencies().fold_read("abca")
    {'a': 2, 'b': 1, 'c': 1}
    """
    return _grouping("frequencies", (of,), of, count(), where)


def _grouping(
    name: str, args: tuple[Any, ...], by: Selector | None, inner: AnyReducer, where: Where
) -> AnyReducer:
    _check_inner(inner)
    add, remove = _bucket_steps(selector(by), inner)
    return made(
        name,
        args,
        {"where": where},
        init=EMPTY,
        add=add,
        remove=remove,
        finish=_show(inner),
        merge=None if inner.merge is None else _merging(inner),
        same=_same_buckets(inner),
        where=where,
        inverse=inner.inverse,
        constant=False,
    )


def _check_inner(inner: Any) -> None:
    if not isinstance(inner, Reducer) or inner.mutates:
        raise FlowError(
            f"group by a bucket, with {inner!r} in each",
            "its state is changed in place, which versions that share it would see"
            if isinstance(inner, Reducer)
            else f"a {type(inner).__name__} is no reducer",
            "Give a reducer whose add makes a new state.",
        )


def _bucket_steps(
    by: Callable[[Any], Any], inner: AnyReducer
) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    inner_add, inner_remove = inner.adder, _remover(inner)

    def add(states: States, row: Any) -> States:
        bucket = canon(by(row), copied=True)
        place = arrange(bucket)
        found = states.get(place)
        if found is None:
            return states.put(place, Held((bucket, inner_add(inner.init, row))), 1)
        (there, state), rows = found
        _check_one(place, there, bucket)
        return states.put(place, Held((there, inner_add(state, row))), rows + 1)

    def remove(states: States, row: Any) -> Any:
        bucket = canon(by(row), copied=True)
        place = arrange(bucket)
        found = states.get(place)
        if found is None:
            raise _not_there(row, bucket)
        (there, state), rows = found
        _check_one(place, there, bucket)
        if rows == 1:
            return states.put(place, None, 0)
        left = inner_remove(state, row)
        return RECOMPUTE if left is RECOMPUTE else states.put(place, Held((there, left)), rows - 1)

    return add, remove


def _check_one(place: tuple[Any, ...], there: Any, bucket: Any) -> None:
    # Only values outside the total order, which are placed by their text, can share a place.
    if place[0] == 11 and not one(there, bucket):
        raise NotOrdered(
            f"two buckets that read {bucket!r}",
            f"two values of {type(bucket).__qualname__}, which has no place in the total order",
            "Group by a field of it, or give its class __order__.",
        )


def _not_there(row: Any, bucket: Any) -> InvalidDelta:
    return InvalidDelta(
        f"remove {row!r} from bucket {bucket!r}",
        "there is no row in it",
        "Remove only what is there.",
    )


def _show(inner: AnyReducer) -> Callable[[Any], Buckets[Any, Any]]:
    read = inner.read

    def show(states: States) -> Buckets[Any, Any]:
        return Buckets(states, read)

    return show


def _merging(inner: AnyReducer) -> Callable[[Any, Any], Any]:
    join = inner.merge
    assert join is not None

    def merge(a: States, b: States) -> States:
        if a.size < b.size:
            a, b = b, a
        for place, (bucket, state), rows in b.entries():
            found = a.get(place)
            if found is None:
                a = a.put(place, Held((bucket, state)), rows)
            else:
                (there, mine), more = found
                _check_one(place, there, bucket)
                a = a.put(place, Held((there, join(mine, state))), rows + more)
        return a

    return merge


def _same_buckets(inner: AnyReducer) -> Callable[[Any, Any], bool]:
    def same(a: States, b: States) -> bool:
        if (a.size, a.total) != (b.size, b.total):
            return False
        pairs = zip(a.entries(), b.entries(), strict=True)
        return all(
            p == q and n == m and inner.equal(s, t) for (p, (_, s), n), (q, (_, t), m) in pairs
        )

    return same
