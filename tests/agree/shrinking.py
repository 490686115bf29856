"""Makes a failing program small: fewer steps, changes, views and operators, the same failure."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from agreeing import Disagreement, TooBig, live_through
from authors import Program
from histories import Step
from ominus.errors import OminusError


def failure(program: Program) -> Disagreement | None:
    """How a program fails, if it does."""
    try:
        live_through(program, len(program.steps), None)
    except Disagreement as found:
        return found
    except (TooBig, OminusError, NameError):
        return None
    return None


def shrunk(program: Program, *, seconds: float = 20.0) -> tuple[Program, Disagreement]:
    """The smallest program found that fails as this one does."""
    found = failure(program)
    if found is None:
        raise RuntimeError("the program does not fail when it is run again")
    until = time.monotonic() + seconds
    smaller = True
    while smaller and time.monotonic() < until:
        smaller = False
        for candidate in candidates(program):
            if time.monotonic() > until:
                break
            if size(candidate) >= size(program):
                continue
            again = failure(candidate)
            if again is not None and again.kind == found.kind:
                program, found, smaller = candidate, again, True
                break
    return program, found


def size(program: Program) -> tuple[int, ...]:
    """How much there is to read of a program."""
    changes = sum(len(step.changes) for step in program.steps)
    plain = sum(step.how not in ("apply", "extend") for step in program.steps)
    code = sum(len(code) for _, code in program.lines)
    views = len(program.views) + len(program.late)
    return len(program.steps), changes, plain, code, views, len(program.sources)


def candidates(program: Program) -> Iterator[Program]:
    """Smaller programs, the much smaller first."""
    steps = program.steps
    for size in (len(steps) // 2, len(steps) // 4, 1):
        if size:
            for at in range(len(steps) - size, -1, -size):
                yield replace(program, steps=steps[:at] + steps[at + size :])
    if program.late:
        yield needed(replace(program, late=[]))
        yield needed(replace(program, views=[program.views[0]]))
    for view in program.views:
        yield needed(replace(program, views=[view]))
    for view in program.views:
        if len(program.views) > 1:
            yield needed(replace(program, views=[v for v in program.views if v != view]))
    yield from simpler_lines(program)
    yield from simpler_steps(program)


def needed(program: Program) -> Program:
    """Without the lines and sources that no view reads."""
    wanted = {*program.views, *program.late}
    for name, code in reversed(program.lines):
        if name in wanted:
            wanted |= {
                other for other in [*program.sources, *dict(program.lines)] if mentions(code, other)
            }
    return replace(
        program,
        lines=[line for line in program.lines if line[0] in wanted],
        sources=[s for s in program.sources if s in wanted],
    )


def mentions(code: str, name: str) -> bool:
    return any(f"{before}{name}{after}" in f" {code}" for before in " (" for after in ".,)")


def simpler_lines(program: Program) -> Iterator[Program]:
    """An operator is passed over, or a view is looked at where it begins."""
    for place, (name, code) in enumerate(program.lines):
        inputs = [n for n in [*program.sources, *dict(program.lines[:place])] if mentions(code, n)]
        for other in inputs:
            lines = list(program.lines)
            lines[place] = (name, other)
            if code != other:
                yield needed(replace(program, lines=lines))
        for view in program.views:
            if view == name:
                for other in inputs:
                    if other not in program.sources:
                        yield needed(replace(program, views=[other]))


def simpler_steps(program: Program) -> Iterator[Program]:
    """A step with a change less, or sent in the plainest way."""
    for at, step in enumerate(program.steps):
        for place in range(len(step.changes)):
            fewer = step.changes[:place] + step.changes[place + 1 :]
            yield with_step(program, at, replace(step, changes=fewer))
        if step.how not in ("apply", "extend"):
            yield with_step(program, at, replace(step, how="apply"))


def with_step(program: Program, at: int, step: Step) -> Program:
    return replace(program, steps=[*program.steps[:at], step, *program.steps[at + 1 :]])
