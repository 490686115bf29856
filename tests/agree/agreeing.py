"""A program run on an engine beside the oracle: after every step they must agree in everything.

What is held: every view and source; what subscribers are told, exact and minimal; that a refused
step changes nothing; that snapshots stay; and that functions are called only on what is in the
old or the new state.
"""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any

import ominus as om
from authors import NAMES, Program
from comparing import ASKED, applied, best_first, outcome, show, told
from contents import KEYS, SOURCES, Contents
from heard import heard
from histories import Step, draw_step, runs, send_many, send_one
from ominus.algebra.change import ABSENT
from ominus.algebra.value import ident
from ominus.errors import ChangeRefused, KeysCollide, NeedsRow, OminusError
from ominus.testing import recompute

TOO_MANY = 400
"""A program whose views have more values than this is given up: it would only be slow."""


class Disagreement(AssertionError):
    """The engine and the oracle differ; `kind` says in what, for a shrinker to keep."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class TooBig(Exception):
    """The program makes more values than a test has time for, or asks what a source cannot give."""


class Aborted(Exception):
    """Raised inside a transaction, to take it back."""


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


__all__ = ["NAMES", "Disagreement", "Program", "Run", "Step", "live_through", "om", "script"]
