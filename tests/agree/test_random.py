"""Random flows and random histories: the engine agrees with the oracle after every step.

`AGREE_SEED` and `AGREE_STEPS` say where to begin and how long to go on: a soak is
`AGREE_STEPS=1000000 pytest tests/agree/test_random.py`.
A failure prints the smallest program found, as a script that runs beside these files.
"""

import os
from random import Random

import pytest

import lines  # noqa: F401  (its operators are what an author writes)
from agreeing import Disagreement, TooBig, live_through, script
from authors import Author
from shrinking import shrunk

SEED = int(os.environ.get("AGREE_SEED", "0"))
STEPS = int(os.environ.get("AGREE_STEPS", "6000"))
PARTS = 8


def explore(seed: int, steps: int) -> int:
    """Programs from this seed on, until so many steps were taken."""
    taken = 0
    while taken < steps:
        rng = Random(seed)
        program = Author(rng).write(rng.choice([2, 4, 7, 10]))
        try:
            taken += live_through(program, rng.choice([10, 25, 40]), rng)
        except TooBig:
            taken += len(program.steps)
        except Disagreement:
            small, found = shrunk(program)
            pytest.fail(f"seed {seed}: {found}\n\n{script(small)}\n", pytrace=False)
        seed += 1
    return taken


@pytest.mark.parametrize("part", range(PARTS))
def test_random_flows_agree_with_the_oracle_after_every_step(part):
    assert explore(SEED + part * 1_000_000, STEPS // PARTS) >= STEPS // PARTS
