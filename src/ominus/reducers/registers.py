"""Registers that remember how rare a hash was seen: a HyperLogLog of our own.

A state is sparse, a sorted tuple of `register << 6 | rank`, up to a sixteenth of the registers,
then dense, a byte for each: so which it is follows from the values alone.
It is read by Ertl's improved estimator, which looks at nothing but the registers; an estimator that
remembers the order in which values came would give each history its own answer.
"""

from __future__ import annotations

from bisect import bisect_left
from math import inf, log, sqrt
from typing import Any

from ominus.algebra.reducer import RECOMPUTE
from ominus.reducers.counted import absent
from ominus.reducers.digest import digest

State = tuple[int, ...] | bytes


class Registers:
    """The steps on 2**precision registers."""

    __slots__ = ("precision", "rest", "sparse")

    def __init__(self, precision: int) -> None:
        self.precision = precision
        self.rest = 64 - precision
        self.sparse = (1 << precision) >> 4

    def find(self, value: Any) -> tuple[int, int]:
        """The register of a value, and its rank: the zeros that its hash goes on with, and one."""
        hashed = digest(value)
        tail = hashed & ((1 << self.rest) - 1)
        return hashed >> self.rest, self.rest - tail.bit_length() + 1

    def add(self, state: State, value: Any) -> State:
        """The registers after one more value."""
        return self.raised(state, *self.find(value))

    def raised(self, state: State, register: int, rank: int) -> State:
        """The registers with one that is at least `rank`."""
        if isinstance(state, bytes):
            if state[register] >= rank:
                return state
            return b"%b%c%b" % (state[:register], rank, state[register + 1 :])
        i = bisect_left(state, register << 6)
        there = i < len(state) and state[i] >> 6 == register
        if there and state[i] & 63 >= rank:
            return state
        made = (*state[:i], register << 6 | rank, *state[i + there :])
        return made if len(made) <= self.sparse else self.dense(made)

    def remove(self, state: State, value: Any) -> Any:
        """The same registers, where another value has raised this one's higher; else `RECOMPUTE`.

        Fails  InvalidDelta, if the register is lower: the value was never there.
        """
        register, rank = self.find(value)
        held = self.rank(state, register)
        if held < rank:
            raise absent(value)
        return state if held > rank else RECOMPUTE

    def rank(self, state: State, register: int) -> int:
        """The rank of a register, 0 if no value has raised it."""
        if isinstance(state, bytes):
            return state[register]
        i = bisect_left(state, register << 6)
        return state[i] & 63 if i < len(state) and state[i] >> 6 == register else 0

    def merge(self, a: State, b: State) -> State:
        """The registers after the values of both: the higher rank of each."""
        if isinstance(a, bytes) and isinstance(b, bytes):
            return bytes(map(max, a, b))
        few, many = (b, a) if isinstance(a, bytes) else (a, b)
        for packed in few:
            many = self.raised(many, packed >> 6, packed & 63)
        return many

    def dense(self, state: tuple[int, ...]) -> bytes:
        """A byte for each register."""
        made = bytearray(1 << self.precision)
        for packed in state:
            made[packed >> 6] = packed & 63
        return bytes(made)

    def histogram(self, state: State) -> list[int]:
        """How many registers are at each rank."""
        ranks = state if isinstance(state, bytes) else bytes(packed & 63 for packed in state)
        found = [0] * (self.rest + 2)
        left = len(ranks)
        for rank in range(self.rest + 2):
            found[rank] = ranks.count(rank)
            left -= found[rank]
            if not left:
                break
        found[0] += (1 << self.precision) - len(ranks)
        return found

    def estimate(self, state: State) -> int:
        """About how many distinct values there were.

        Law    within 1.04 / sqrt(registers), as a standard deviation.
        """
        if not state:
            return 0
        m = 1 << self.precision
        at = self.histogram(state)
        z = m * _tau(1 - at[-1] / m)
        for k in range(self.rest, 0, -1):
            z = 0.5 * (z + at[k])
        return round(m * m / (2 * log(2) * (z + m * _sigma(at[0] / m))))


def _sigma(x: float) -> float:
    """The sum of 2**k / 2 * x**(2**k) for k from 1 on, and x: what the empty registers say."""
    if x == 1:
        return inf
    y, z, last = 1.0, x, -1.0
    while z != last:
        x *= x
        last, z = z, z + x * y
        y += y
    return z


def _tau(x: float) -> float:
    """What the full registers say, by Ertl's series over the square roots of x."""
    if x in (0, 1):
        return 0.0
    y, z, last = 1.0, 1 - x, -1.0
    while z != last:
        x = sqrt(x)
        y *= 0.5
        last, z = z, z - (1 - x) ** 2 * y
    return z / 3
