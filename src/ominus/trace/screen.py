"""What may be traced: a function's code as instructions of the white list, or why it may not.

`try` and `with` show only in the exception table, so each instruction carries whether a handler
covers it; then it must not raise. The clean-up of a comprehension is no such handler.
"""

from __future__ import annotations

import dis
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from types import CodeType

from ominus.trace.opcodes import VERSIONS, Version

VERSION: Version | None = (
    VERSIONS.get(sys.version_info[:2]) if platform.python_implementation() == "CPython" else None
)
_CLEAN_UP = frozenset({"SWAP", "POP_TOP", "STORE_FAST", "COPY", "RERAISE", "END_FOR", "NOP"})


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; a jump's `arg` is the index of its target."""

    name: str
    arg: int
    next: int
    covered: bool


@dataclass(frozen=True, slots=True)
class Program:
    """The instructions of one code object, by index; None for caches and prefixes."""

    code: CodeType
    steps: tuple[Instruction | None, ...]

    def line(self, index: int) -> int:
        """The source line of an instruction."""
        for start, end, line in self.code.co_lines():
            if start <= index * 2 < end and line is not None:
                return line
        return self.code.co_firstlineno


def refusal(code: CodeType) -> str | None:
    """Why no function with this code can be traced, whatever its types; or None."""
    if VERSION is None:
        python = f"{platform.python_implementation()} {platform.python_version()}"
        return f"runs on {python}, whose bytecode is not known"
    if code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR):
        return "is asynchronous"
    return None


@lru_cache(maxsize=2048)
def read(code: CodeType) -> Program:
    """Decode the code; an instruction that is not known keeps its name and stops who reaches it."""
    raw = code.co_code
    covered = _covered(code)
    steps: list[Instruction | None] = [None] * (len(raw) // 2)
    extended = 0
    for i in range(len(steps)):
        op, arg = raw[2 * i], raw[2 * i + 1] | extended
        name = dis.opname[op]
        extended = arg << 8 if name == "EXTENDED_ARG" else 0
        if name in ("CACHE", "EXTENDED_ARG"):
            continue
        after = i + 1
        while after < len(steps) and raw[2 * after] == 0:
            after += 1
        if op in dis.hasjrel:
            arg = after - arg if "BACKWARD" in name else after + arg
        steps[i] = Instruction(name, arg, after, i in covered)
    return Program(code, tuple(steps))


def _covered(code: CodeType) -> frozenset[int]:
    """The instructions that a handler covers, unless it only cleans up after a comprehension."""
    if not code.co_exceptiontable:
        return frozenset()
    found: set[int] = set()
    for start, end, target in _handlers(code.co_exceptiontable):
        if not _cleans_up(code, target):
            found.update(range(start, end))
    return frozenset(found)


def _cleans_up(code: CodeType, target: int) -> bool:
    """Whether a handler only restores locals and raises again: it never pushes the exception."""
    raw = code.co_code
    for i in range(target, len(raw) // 2):
        name = dis.opname[raw[2 * i]]
        if name == "RERAISE":
            return True
        if name not in _CLEAN_UP:
            # A generator turns StopIteration into RuntimeError; a function that may raise it is
            # refused on the way, so this handler is as harmless.
            return name == "CALL_INTRINSIC_1" and raw[2 * i + 1] == 3
    return False


def _handlers(table: bytes) -> Iterator[tuple[int, int, int]]:
    """(start, end, target) of each entry, in instructions: big-endian groups of six bits."""
    position = 0

    def number() -> int:
        nonlocal position
        byte = table[position]
        value = byte & 63
        while byte & 64:
            position += 1
            byte = table[position]
            value = value << 6 | byte & 63
        position += 1
        return value

    while position < len(table):
        start, length, target, _ = number(), number(), number(), number()
        yield start, start + length, target
