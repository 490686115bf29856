"""Operators that keep nothing: each value goes through on its own."""

from __future__ import annotations

from typing import Any

from ominus.algebra.record import field_names, fields_of, record_of
from ominus.algebra.select import Field
from ominus.algebra.value import canon, ident
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.store import identity
from ominus.engine.embedded.wave import Wave
from ominus.errors import FieldsDiffer, FunctionFailed
from ominus.flow import ops


class Filter(Node):
    """Keeps an update one where both rows pass; else it is what is left of it."""

    op: ops.Filter

    def step(self) -> Wave:
        f = self.calling(self.op.f)
        value = None
        out = Wave()
        given = _wave(self)
        try:
            for item in given.gone:
                value = item[1]
                if f(value):
                    out.gone.append(item)
            for move in given.moved:
                value = move[1]
                was = f(value)
                value = move[2]
                if f(value):
                    if was:
                        out.moved.append(move)
                    else:
                        out.come.append((move[0], move[2], 1))
                elif was:
                    out.gone.append((move[0], move[1], 1))
            for item in given.come:
                value = item[1]
                if f(value):
                    out.come.append(item)
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return out


class Map(Node):
    """Keeps an update one, and drops it where the two results are one value."""

    op: ops.Map

    def step(self) -> Wave:
        f = self.calling(self.op.f)
        value = None
        given = _wave(self)
        out = Wave()
        try:
            for key, value, n in given.gone:
                out.gone.append((key, canon(f(value)), n))
            for key, old, new in given.moved:
                value = old
                was = canon(f(old))
                value = new
                now = canon(f(new))
                if was is not now and ident(was) != ident(now):
                    out.moved.append((key, was, now))
            for key, value, n in given.come:
                out.come.append((key, canon(f(value)), n))
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return out


class MapItems(Node):
    """`map` of a function of key and value."""

    op: ops.MapItems

    def step(self) -> Wave:
        f = self.calling(self.op.f)
        key = value = None
        given = _wave(self)
        out = Wave()
        try:
            for key, value, n in given.gone:
                out.gone.append((key, canon(f(key, value)), n))
            for key, old, new in given.moved:
                value = old
                was = canon(f(key, old))
                value = new
                now = canon(f(key, new))
                if was is not now and ident(was) != ident(now):
                    out.moved.append((key, was, now))
            for key, value, n in given.come:
                out.come.append((key, canon(f(key, value)), n))
        except Exception as cause:
            raise self.failed(cause, (key, value)) from cause
        return out


class FlatMap(Node):
    """All the values that the function gives for each value."""

    op: ops.FlatMap

    def step(self) -> Wave:
        f = self.calling(self.op.f)
        value = None
        given = _wave(self)
        out = Wave()
        rows = self.op.kind.shape == "rows"
        try:
            for key, value, n in given.leaving():
                for x in f(value):
                    out.gone.append((() if rows else key, canon(x), n))
            for key, value, n in given.joining():
                for x in f(value):
                    out.come.append((() if rows else key, canon(x), n))
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return out


class Items(Node):
    """Rows of records: the key's fields, then the value's; a field that is in both stands once."""

    op: ops.Items

    def step(self) -> Wave:
        given = _wave(self)
        names = self.op.of.kind.names
        out = Wave()
        for key, value, n in given.leaving():
            out.gone.append(((), item_record(names, key, value), n))
        for key, value, n in given.joining():
            out.come.append(((), item_record(names, key, value), n))
        return out


def item_record(names: tuple[str, ...], key: Any, value: Any) -> Any:
    """A record of a key and a value: the key's fields, then the value's."""
    fields = dict(zip(names, key if len(names) > 1 else (key,), strict=True)) if names else {}
    if field_names(type(value)) is not None or isinstance(value, dict):
        for name, x in fields_of(value).items():
            if name in fields and ident(fields[name]) != ident(x):
                raise FieldsDiffer(
                    f"items() of the key {key!r} with {value!r}",
                    f"field {name!r} is {fields[name]!r} in one and {x!r} in the other",
                    "Name the key's field otherwise: group_by(name=...).",
                )
            fields.setdefault(name, x)
    else:
        fields["value"] = value
    return record_of(tuple(fields), tuple(fields.values()))


class GroupBy(Node):
    """Values under their keys; an update stays one where both rows have one key."""

    op: ops.GroupBy

    def step(self) -> Wave:
        by = None if self.op.by is None else self.calling(self.op.by)
        given = _wave(self)
        if by is None:
            return Wave(
                [((), v, n) for _, v, n in given.gone],
                [((), v, n) for _, v, n in given.come],
                [((), old, new) for _, old, new in given.moved],
            )
        if self.op.many:
            return self._several(given)
        out = Wave()
        value = None
        try:
            for _, value, n in given.gone:
                out.gone.append((self._key(by, value), value, n))
            for _, old, new in given.moved:
                value = old
                was = self._key(by, old)
                value = new
                now = self._key(by, new)
                if was is now or identity(was) == identity(now):
                    out.moved.append((now, old, new))
                else:
                    out.gone.append((was, old, 1))
                    out.come.append((now, new, 1))
            for _, value, n in given.come:
                out.come.append((self._key(by, value), value, n))
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return out

    def _key(self, by: Any, value: Any) -> Any:
        key = canon(by(value))
        if type(key) is not str:
            try:
                hash(key)
            except TypeError as cause:
                raise unhashable_key(self, key, value) from cause
        return key

    def _several(self, given: Wave) -> Wave:
        by = self.op.by
        assert by is not None
        out = Wave()
        value = None
        try:
            for _, value, n in given.leaving():
                out.gone += [(canon(key), value, n) for key in by(value)]
            for _, value, n in given.joining():
                out.come += [(canon(key), value, n) for key in by(value)]
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return out


def unhashable_key(node: Node, key: Any, value: Any) -> FunctionFailed:
    """The error for a key that cannot be one."""
    by = getattr(node.op, "by", None)
    named = f"({by!r})" if isinstance(by, Field) else ""
    error = FunctionFailed(
        f"{node.verb}{named} of {value!r}",
        f"the key {key!r} is a {type(key).__name__}, which is not hashable",
        "Make it a tuple, a string or a number.",
    )
    error.operator, error.row = node.verb, value
    return error


class Union(Node):
    """All values of all inputs."""

    op: ops.Union

    def step(self) -> Wave:
        rows = self.op.kind.shape == "rows"
        out = Wave()
        for node in self.inputs:
            given = node.wave
            if not given:
                continue
            if rows:
                out.gone += [((), v, n) for _, v, n in given.gone]
                out.come += [((), v, n) for _, v, n in given.come]
                out.moved += [((), old, new) for _, old, new in given.moved]
            else:
                out.gone += given.gone
                out.come += given.come
                out.moved += given.moved
        return out


def _wave(node: Node) -> Wave:
    found = node.inputs[0].wave
    assert found is not None
    return found
