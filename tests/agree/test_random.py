"""Random flows and random histories: the engine agrees with the oracle after every step.

`AGREE_SEED` and `AGREE_STEPS` say where to begin and how long to go on: a soak is
`AGREE_STEPS=1000000 pytest tests/agree/test_random.py`.
A failure prints the smallest program found, as a script that runs beside these files.
"""

import os
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import lines  # noqa: F401  (its operators are what an author writes)
from agreeing import Disagreement, TooBig, live_through, script
from authors import Author
from shrinking import shrunk

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
SEED = int(os.environ.get("AGREE_SEED", "0"))
STEPS = int(os.environ.get("AGREE_STEPS", "200000" if LONG else "8000"))
PARTS = 8


def live_through_one(rng: Random, where: str) -> int:
    """A random program with a random history; how many steps it took."""
    program = Author(rng).write(rng.choice([2, 4, 7, 10]))
    try:
        return live_through(program, rng.choice([10, 25, 40]), rng)
    except TooBig:
        return len(program.steps)
    except Disagreement:
        small, found = shrunk(program)
        pytest.fail(f"{where}: {found}\n\n{script(small)}\n", pytrace=False)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_flows_agree_with_the_oracle_after_every_step(part):
    seed = SEED + part * 1_000_000
    taken = 0
    while taken < STEPS // PARTS:
        taken += live_through_one(Random(seed), f"seed {seed}")
        seed += 1


# Our own shrinker knows what a program is; Hypothesis draws, remembers and repeats.
@settings(
    max_examples=200 if LONG else 30,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.randoms(use_true_random=False))
def test_flows_that_hypothesis_draws_agree_as_well(rng):
    live_through_one(rng, "drawn by Hypothesis")
