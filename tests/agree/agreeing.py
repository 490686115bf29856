"""A program run on an engine beside the oracle: after every step they must agree in everything.

What is held: every view and source; what subscribers are told, exact and minimal; that a refused
step changes nothing; that snapshots stay; and that functions are called only on what is in the
old or the new state.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import contents as rows_module
import ominus as om
from authors import NAMES, Program
from contents import KEYS, SOURCES, Contents
from heard import heard
from ominus.algebra.change import ABSENT
from ominus.algebra.value import ident
from ominus.errors import ChangeRefused, KeysCollide, NeedsRow, OminusError
from ominus.testing import OnDemand, recompute

TOO_MANY = 400
"""A program whose views have more values than this is given up: it would only be slow."""

ASKED = [0, 1, 2, 3, "a", "b", None, (1, 2)]
"""The keys that lazy views are asked for, and by which absent keys are read."""


class Disagreement(AssertionError):
    """The engine and the oracle differ; `kind` says in what, for a shrinker to keep."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class TooBig(Exception):
    """The program makes more values than a test has time for, or asks what a source cannot give."""


@dataclass(frozen=True)
class Step:
    """A step of a history: changes of sources, sent in one way or another.

    `how` is alone, apply, each, many, caught (what is refused inside is caught), or abort.
    """

    how: str
    changes: tuple[tuple[str, Any], ...] = ()
    late: str = ""


class Aborted(Exception):
    """Raised inside a transaction, to take it back."""


# Views as plain values that can be compared.


def told(view: Any, shape: str) -> dict[Any, Any]:
    """What a view holds, by identity."""
    if shape == "rows":
        return counted(view.value)
    if isinstance(view, OnDemand) or shape == "lazy":
        return {ident(key): ident(view[key]) for key in ASKED}
    if shape == "groups":
        return {ident(key): counted(group) for key, group in view.items()}
    return {ident(key): ident(value) for key, value in view.items()}


def counted(values: Any) -> dict[Any, int]:
    return {ident(value): n for value, n in values.counts()}


def applied(shape: str, before: dict[Any, Any], changes: Any) -> dict[Any, Any]:
    """A view after the changes that were told, each of which must fit and say something."""
    after = dict(before)
    seen = set()
    for change in changes:
        key = ident(change.key)
        assert key not in seen, f"two changes of {change.key!r}"
        seen.add(key)
        if shape == "table":
            _apply_change(after, key, change)
        else:
            _apply_group_change(shape, after, key, change)
    return after


def _apply_change(after: dict[Any, Any], key: Any, change: Any) -> None:
    assert type(change) is om.Change, f"{change!r} of a table"
    old, new = (ABSENT if v is ABSENT else ident(v) for v in (change.old, change.new))
    assert old != new, f"{change!r} says nothing"
    assert after.get(key, ABSENT) == old, f"{change!r}, where {after.get(key, ABSENT)!r} was"
    after.pop(key, None)
    if new is not ABSENT:
        after[key] = new


def _apply_group_change(shape: str, after: dict[Any, Any], key: Any, change: Any) -> None:
    assert type(change) is om.GroupChange, f"{change!r} of {shape}"
    gone, come = counted(change.removed), counted(change.added)
    assert gone or come, f"{change!r} says nothing"
    assert not set(gone) & set(come), f"{change!r} removes and adds the same"
    assert shape == "groups" or change.key == (), f"{change!r} of rows"
    group = dict(after) if shape == "rows" else dict(after.get(key, {}))
    for value, n in gone.items():
        assert group.get(value, 0) >= n, f"{change!r} removes what is not there"
        group[value] -= n
    for value, n in come.items():
        group[value] = group.get(value, 0) + n
    group = {value: n for value, n in group.items() if n}
    if shape == "rows":
        after.clear()
        after.update(group)
    elif group:
        after[key] = group
    else:
        after.pop(key, None)


class Run:
    """A program under way on an engine, and what the oracle says of it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.built = program.built()
        self.names = list(program.views)
        self.contents = Contents(program.sources)
        self.flow = om.flow(**{name: self.built[name] for name in self.names})
        self.sources = [n for n in program.sources if n in self.flow.sources]
        try:
            self.now, self.calls = self.truth(self.contents)
        except Exception as raised:
            # Rows of the definition, and no rows at all, may be refused as well.
            raise TooBig from raised
        try:
            self.live = self.flow.run()
        except NeedsRow as refused:
            raise TooBig from refused
        self.only_called_on(self.calls)
        self.heard: dict[str, list[Any]] = {}
        self.together: list[Any] = []
        self.snapshots: list[tuple[Any, dict[str, Any]]] = []
        self.look("at the start")
        self.listen([*self.names, *self.sources])
        self.live.subscribe(self.together.append, *self.hearable())

    # What is true.

    def shape(self, name: str) -> str:
        op = self.flow.op(name)
        return "lazy" if op.verb == "lazy" else op.kind.shape

    def readable(self) -> list[str]:
        return [*self.names, *(n for n in self.sources if n != "light")]

    def hearable(self) -> list[str]:
        return [n for n in self.names if self.shape(n) != "lazy"]

    def truth(self, contents: Contents) -> tuple[dict[str, Any], set[Any]]:
        """All views by the oracle, and the calls that it took."""
        heard.taken()
        known = {n: rows for n, rows in contents.all().items() if n in self.flow.sources}
        self.oracle = recompute(self.flow, **known)
        found = {name: told(self.oracle[name], self.shape(name)) for name in self.readable()}
        if sum(map(len, found.values())) > TOO_MANY:
            raise TooBig
        return found, heard.taken()

    # Steps.

    def step(self, step: Step) -> None:
        """Take a step on both sides, and compare."""
        self.heard = {name: [] for name in self.heard}
        self.together.clear()
        if step.how == "extend":
            self.extend(step.late)
            return
        expected, refused = self.expect(step)
        before = self.now
        if refused is not None:
            self.must_refuse(step, refused)
            self.look("after a step that was refused")
            self.nothing_heard()
            return
        try:
            now, calls = self.truth(expected)
        except TooBig:
            raise
        except Exception as error:
            self.must_refuse(step, error)
            heard.taken()
            self.look("after a step that was taken back")
            self.nothing_heard()
            return
        self.must_take(step)
        self.only_called_on(calls | self.calls)
        self.now, self.calls, self.contents = now, calls, expected
        self.look("after the step")
        self.exactly_heard(before)

    def expect(self, step: Step) -> tuple[Contents, Exception | None]:
        """The rows after a step, and the first refusal at the door."""
        new = self.contents.copy()
        for name, change in step.changes:
            if name not in self.sources:
                continue
            try:
                new.apply(name, change)
            except ChangeRefused as error:
                if name == "light":
                    raise TooBig from error
                if step.how != "caught":
                    return self.contents, error
        return (self.contents, Aborted()) if step.how == "abort" else (new, None)

    def must_take(self, step: Step) -> None:
        try:
            self.send(step)
        except NeedsRow as error:
            raise TooBig from error
        except Exception as error:
            raise Disagreement("raised", f"{type(error).__name__}: {error}") from error

    def must_refuse(self, step: Step, expected: Exception) -> None:
        try:
            self.send(step)
        except (OminusError, type(expected)) as error:
            cause = error.__cause__ or error
            if not isinstance(error, type(expected)) and not isinstance(cause, type(expected)):
                raise Disagreement(
                    "raised otherwise",
                    f"{type(error).__name__}: {error}, where the oracle has {expected!r}",
                ) from error
        except Exception as error:
            raise Disagreement(
                "raised", f"{type(error).__name__}: {error}, where the oracle has {expected!r}"
            ) from error
        else:
            if isinstance(expected, KeysCollide):
                # The oracle refuses them in every collection, an engine where it keeps the keys.
                raise TooBig
            raise Disagreement("not raised", f"the oracle has {expected!r}")

    def send(self, step: Step) -> None:
        """The changes as a user sends them."""
        changes = [(name, change) for name, change in step.changes if name in self.sources]
        if step.how == "apply":
            given: dict[str, list[Any]] = {}
            for name, change in changes:
                given.setdefault(name, []).append(change)
            self.live.apply(**given)
        elif step.how == "many":
            with self.live.transaction():
                for name, group in runs(changes):
                    send_many(self.live[name], group)
        elif step.how == "alone":
            for name, change in changes:
                send_one(self.live, name, change)
        else:
            with self.live.transaction():
                for name, change in changes:
                    refused = ChangeRefused if step.how == "caught" else ()
                    with contextlib.suppress(*([refused] if refused else [])):
                        send_one(self.live, name, change)
                self.look_inside(step)
                if step.how == "abort":
                    raise Aborted

    def look_inside(self, step: Step) -> None:
        """Inside a transaction sources show its writes, and views stand as before."""
        inside = self.contents.copy()
        for name, change in step.changes:
            if name in self.sources:
                with contextlib.suppress(ChangeRefused):
                    inside.apply(name, change)
        for name in self.sources:
            if name != "light":
                rows = {ident(row): 0 for row in inside.rows(name)}
                view = self.live[name]
                shown = {ident(row) for row in (view.values() if name in KEYS else view.value)}
                if shown != set(rows):
                    raise Disagreement("inside", f"source {name} shows {view!r}")
        for name in self.hearable():
            if told(self.live[name], self.shape(name)) != self.now[name]:
                raise Disagreement("inside", f"view {name} moved inside a transaction")

    def extend(self, name: str) -> None:
        """Another view, filled from what is there."""
        if name not in self.built or name in self.names:
            return
        flow = om.flow(**{n: self.built[n] for n in [*self.names, name]})
        known = [n for n in self.program.sources if n in flow.sources]
        if known != self.sources:
            return
        old, self.flow = self.flow, flow
        self.names.append(name)
        try:
            now, calls = self.truth(self.contents)
        except TooBig:
            raise
        except Exception:
            self.flow = old
            self.names.remove(name)
            return
        try:
            self.live.extend(**{name: self.built[name]})
        except NeedsRow as error:
            raise TooBig from error
        except Exception as error:
            raise Disagreement("extend", f"{type(error).__name__}: {error}") from error
        self.only_called_on(calls)
        self.now, self.calls = now, calls | self.calls
        self.look("after extend")
        self.listen([name])

    # Comparisons.

    def look(self, when: str) -> None:
        """Every view and source against the oracle."""
        for name in self.readable():
            shape = self.shape(name)
            try:
                found = told(self.live[name], shape)
            except Exception as error:
                raise Disagreement("reading", f"{name} {when}: {error!r}") from error
            if found != self.now[name]:
                raise Disagreement(
                    "view",
                    f"{name} {when} is\n  {show(self.live[name], shape)}\nand not\n  "
                    f"{show(self.oracle[name], shape) if when != 'refused' else self.now[name]}",
                )
            self.look_closely(name, shape)

    def look_closely(self, name: str, shape: str) -> None:
        """Length, order of iteration where one is promised, and what absent keys read as."""
        if shape == "lazy" or name in self.sources:
            return
        live, true = self.live[name], self.oracle[name]
        if len(live) != len(true) and self.now[name] == told(true, shape):
            raise Disagreement("length", f"{name}: {len(live)} and not {len(true)}")
        if self.now[name] != told(true, shape):
            return
        if self.flow.op(name).verb == "top":
            for mine, theirs in best_first(shape, live, true):
                if list(map(ident, mine)) != list(map(ident, theirs)):
                    raise Disagreement("order", f"{name}: {list(mine)} and not {list(theirs)}")
        if shape != "rows":
            for key in ASKED:
                if outcome(live, key) != outcome(true, key):
                    raise Disagreement(
                        "absent",
                        f"{name}[{key!r}]: {outcome(live, key)} and not {outcome(true, key)}",
                    )

    def listen(self, names: list[str]) -> None:
        for name in names:
            if self.shape(name) != "lazy" and name != "light":
                self.heard[name] = []
                self.live[name].subscribe(lambda c, name=name: self.heard[name].append(c))

    def exactly_heard(self, before: dict[str, Any]) -> None:
        """One call where something changed, whose changes lead from before to now."""
        for name, calls in self.heard.items():
            if (len(calls) == 1) is not (before[name] != self.now[name]) or len(calls) > 1:
                raise Disagreement("calls", f"{name} told {calls!r}")
            for changes in calls:
                self.leads(name, before[name], changes)
        combined = {
            n: calls[0] for n, calls in self.heard.items() if calls and n in self.first_views()
        }
        if ([combined] if combined else []) != self.together:
            raise Disagreement("together", f"{self.together!r} and not {combined!r}")

    def first_views(self) -> list[str]:
        return [n for n in self.program.views if self.shape(n) != "lazy"]

    def leads(self, name: str, before: dict[str, Any], changes: Any) -> None:
        try:
            after = applied(self.shape(name), before, changes)
        except AssertionError as error:
            raise Disagreement("delta", f"{name} told {changes!r}: {error}") from error
        if after != self.now[name]:
            raise Disagreement("delta", f"{name} told {changes!r}, which leads elsewhere")

    def nothing_heard(self) -> None:
        if any(self.heard.values()) or self.together:
            raise Disagreement("heard", f"nothing changed, and {self.heard!r} was told")

    def only_called_on(self, calls: set[Any]) -> None:
        """Functions were called on nothing but rows and pairs of the old or the new state."""
        others = heard.taken() - calls
        if others:
            raise Disagreement(
                "called", f"on what is in neither state: {sorted(map(repr, others))}"
            )

    # Snapshots.

    def keep_snapshot(self) -> None:
        self.snapshots.append((self.live.snapshot(), dict(self.now)))

    def look_back(self) -> None:
        """Every snapshot is as it was."""
        for snapshot, then in self.snapshots:
            for name, was in then.items():
                try:
                    found = told(snapshot[name], self.shape(name))
                except Exception as error:
                    raise Disagreement("snapshot", f"{name}: {error!r}") from error
                if found != was:
                    raise Disagreement(
                        "snapshot", f"{name} is {show(snapshot[name], 'rows')}, and was {was!r}"
                    )


def outcome(view: Any, key: Any) -> Any:
    """What reading a key gives, and whether it is there."""
    try:
        found = ident(view[key])
    except KeyError:
        found = KeyError
    return found, key in view, view.get(key, "nothing") == "nothing"


def best_first(shape: str, live: Any, true: Any) -> list[tuple[Any, Any]]:
    """What iterates best first, of both."""
    if shape == "groups":
        return [(live[key], true[key]) for key in true]
    return [(live, true)]


def show(view: Any, shape: str) -> str:
    return repr(
        view.value
        if hasattr(view, "counts") or shape == "rows" and hasattr(view, "value")
        else dict(view)
        if shape != "lazy"
        else {k: view[k] for k in ASKED}
    )


def runs(changes: list[tuple[str, Any]]) -> list[tuple[str, list[Any]]]:
    """Changes in runs of one source and one kind."""
    found: list[tuple[str, list[Any]]] = []
    for name, change in changes:
        if found and found[-1][0] == name and form(found[-1][1][-1]) == form(change):
            found[-1][1].append(change)
        else:
            found.append((name, [change]))
    return found


def form(change: Any) -> Any:
    return (
        type(change),
        getattr(change, "key", ABSENT) is ABSENT,
        getattr(change, "old", 0) is ABSENT,
    )


def send_many(source: Any, changes: list[Any]) -> None:
    first = changes[0]
    if isinstance(first, om.Insert):
        source.insert_many([c.new for c in changes])
    elif isinstance(first, om.Upsert):
        source.upsert_many([c.new for c in changes])
    elif isinstance(first, om.Update):
        source.update_many([c.new for c in changes])
    elif first.key is ABSENT:
        source.delete_many([c.old for c in changes])
    else:
        source.delete_many(keys=[c.key for c in changes])


def send_one(live: Any, name: str, change: Any) -> None:
    source = live[name]
    if isinstance(change, om.Insert):
        source.insert(change.new)
    elif isinstance(change, om.Upsert):
        source.upsert(change.new)
    elif isinstance(change, om.Update) and change.old is ABSENT:
        source.update(change.new)
    elif isinstance(change, om.Delete) and change.sequence is ABSENT:
        source.delete(key=change.key) if change.old is ABSENT else source.delete(change.old)
    else:
        live.apply(**{name: [change]})


# A history, drawn while it is lived.


def draw_step(rng: Random, run: Run) -> Step:
    """A random step that mostly fits what the sources hold."""
    if run.program.late and rng.random() < 0.15:
        left = [n for n in run.program.late if n not in run.names]
        if left:
            return Step("extend", late=left[0])
    if not run.sources:
        return Step("apply")
    contents = run.contents.copy()
    chance = rng.random()
    count = 1 if chance < 0.4 else rng.randrange(1, 5) if chance < 0.85 else rng.randrange(4, 14)
    changes: list[tuple[str, Any]] = []
    for _ in range(count):
        changes += draw_changes(rng, run, contents)
    how = (
        "alone"
        if len(changes) == 1 and rng.random() < 0.6
        else rng.choice(
            ["apply", "apply", "each", "each", "many", "caught", "abort"]
            if rng.random() < 0.7
            else ["apply", "each"]
        )
    )
    if how == "many":
        changes = [
            c
            for c in changes
            if not (isinstance(c[1], om.Update) and c[1].old is not ABSENT)
            and getattr(c[1], "sequence", ABSENT) is ABSENT
        ]
    if rng.random() < 0.05 and how not in ("many",):
        name = rng.choice(run.sources)
        if name not in ("feed", "light"):
            changes.append((name, rows_module.misfit(rng, contents, name)))
    return Step("each" if how == "alone" and len(changes) > 1 else how, tuple(changes))


def draw_changes(rng: Random, run: Run, contents: Contents) -> list[tuple[str, Any]]:
    """One change, or a few that belong together; `contents` moves along."""
    name = rng.choice(run.sources)
    found = []
    if rng.random() < 0.06:
        found = leaving(rng, name, contents)
    else:
        change = rows_module.change(rng, contents, name)
        found = [(name, change)]
        if rng.random() < 0.08 and isinstance(change, om.Insert) and name != "feed":
            found.append((name, om.Delete(change.new)))
    for source, change in found:
        contents.apply(source, change)
    return found


def leaving(rng: Random, name: str, contents: Contents) -> list[tuple[str, Any]]:
    """Many rows leave at once: all, or about half."""
    if name == "feed":
        return []
    share = rng.choice([0.5, 1.0])
    return [(name, om.Delete(row)) for row in contents.rows(name) if rng.random() < share]


def live_through(program: Program, length: int, rng: Random | None) -> int:
    """Run a program, drawing its steps where `rng` is given; how many steps were taken."""
    run = Run(program)
    taken = 0
    for place in range(length):
        if rng is not None:
            program.steps.append(draw_step(rng, run))
        run.step(program.steps[place])
        taken += 1
        if place % 7 == 3:
            run.keep_snapshot()
            run.look_back()
            run.snapshots = run.snapshots[-3:]
    run.look_back()
    return taken


# A program as a script.


def script(program: Program) -> str:
    """The program as Python, to be pasted and run."""
    lines = [
        "from agreeing import *",
        "from heard import *",
        "import datetime",
        "from decimal import Decimal",
        "from ominus import record, reducers as r",
        "from ominus.algebra.change import *",
        "",
    ]
    lines += [f"{name} = {SOURCES[name]}" for name in program.sources]
    lines += [f"{name} = {code}" for name, code in program.lines]
    views = ", ".join(f"{name}={name}" for name in program.views)
    lines += [f"flow = om.flow({views})", "", "steps = ["]
    lines += [f"    {shown(step)}," for step in program.steps]
    lines += [
        "]",
        f"program = Program({program.sources!r},",
        f"    {program.lines!r},",
        f"    {program.views!r}, {program.late!r}, steps)",
        "live_through(program, len(steps), None)",
    ]
    return "\n".join(lines)


def shown(step: Step) -> str:
    changes = ", ".join(f"({name!r}, {brief(change)})" for name, change in step.changes)
    late = f", late={step.late!r}" if step.late else ""
    return f"Step({step.how!r}, ({changes}{',' if step.changes else ''}){late})"


def brief(change: Any) -> str:
    parts = {
        n: getattr(change, n)
        for n in ("old", "new", "key", "sequence")
        if getattr(change, n, ABSENT) is not ABSENT
    }
    named = ", ".join(f"{n}={v!r}" for n, v in parts.items())
    return f"{type(change).__name__}({named})"


Check = Callable[[Program], str | None]
__all__ = ["NAMES", "Disagreement", "Program", "Run", "Step", "live_through", "om", "script"]
