"""One function running on symbols: its variables, its stack, and where it stands."""

from __future__ import annotations

from typing import Any, NoReturn

from ominus.trace import screen
from ominus.trace.expr import Expr
from ominus.trace.symbols.path import BOUND_STEPS, Path
from ominus.trace.symbols.values import NULL, Closure


class Frame:
    """Runs the instructions of one function, as `steps` says what each does."""

    def __init__(self, path: Path, f: Closure, args: list[Any]) -> None:
        code = f.code
        self.path, self.f = path, f
        self.program = screen.read(code)
        self.names = _variables(code)
        self.local: list[Any] = [*args, *[NULL] * (len(self.names) - len(args))]
        self.stack: list[Any] = []
        self.at = 0
        self.next = 0
        self.covered = False
        self.result: Any = None
        self.done = False
        self.waiting = False
        self.keywords: tuple[str, ...] = ()

    def run(self) -> Any:
        """Run until the function returns, or a generator yields."""
        from ominus.trace.symbols.steps import STEPS

        path, steps = self.path, self.program.steps
        path.frames.append(self)
        while not self.done and not self.waiting:
            step = steps[self.next]
            if step is None:
                self.next += 1
                continue
            self.at, self.next, self.covered = self.next, step.next, step.covered
            path.steps += 1
            if path.steps > BOUND_STEPS:
                path.opaque("runs for too many steps")
            act = STEPS.get(step.name)
            if act is None:
                path.opaque(UNKNOWN.get(step.name) or f"the instruction {step.name} is not known")
            act(self, step.arg)
        if len(path.frames) == 1:
            path.last_line = path.line
        path.frames.pop()
        return self.result

    def resume(self) -> Any:
        """The next value of a generator, or NULL."""
        if self.done:
            return NULL
        if self.waiting:
            self.stack.append(self.path.const(None))
        self.waiting = False
        value = self.run()
        # `run` has set it since it was looked at.
        return NULL if self.done else value  # type: ignore[redundant-expr]

    # ---- what steps use

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop(self) -> Any:
        return self.stack.pop()

    def take(self, count: int) -> list[Any]:
        """The topmost values, in the order in which they were pushed."""
        if not count:
            return []
        found = self.stack[-count:]
        del self.stack[-count:]
        return found

    def expression(self, value: Any) -> Expr:
        """A value as an expression."""
        return value if isinstance(value, Expr) else self.strange(value)

    def strange(self, value: Any) -> NoReturn:
        self.path.opaque(f"uses a {type(value).__name__.lower()} as a value")


UNKNOWN = {
    "STORE_ATTR": "changes an attribute",
    "DELETE_ATTR": "changes an attribute",
    "STORE_SUBSCR": "changes an item",
    "DELETE_SUBSCR": "changes an item",
    "STORE_SLICE": "changes items",
    "STORE_GLOBAL": "changes a global variable",
    "DELETE_GLOBAL": "changes a global variable",
    "IMPORT_NAME": "imports a module",
    "BEFORE_WITH": "uses `with`",
    "PUSH_EXC_INFO": "handles an exception",
    "LOAD_BUILD_CLASS": "defines a class",
    "SETUP_ANNOTATIONS": "keeps annotations",
    "SEND": "delegates to a generator",
    "GET_AWAITABLE": "awaits",
}


def _variables(code: Any) -> tuple[str, ...]:
    cells = tuple(n for n in code.co_cellvars if n not in code.co_varnames)
    return (*code.co_varnames, *cells, *code.co_freevars)
