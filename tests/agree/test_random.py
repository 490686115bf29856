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
import ominus as om
from agreeing import Disagreement, TooBig, live_through, script
from authors import Author
from shrinking import shrunk

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
SEED = int(os.environ.get("AGREE_SEED", "0"))
STEPS = int(os.environ.get("AGREE_STEPS", "200000" if LONG else "12000"))
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


def test_a_program_is_printed_as_a_script_that_runs():
    rng = Random(1)
    program = Author(rng).write(4)
    live_through(program, 5, rng)
    names = {}
    exec(script(program), names)
    assert names["program"].steps == program.steps


def test_a_planted_disagreement_is_found_and_made_small(monkeypatch):
    from ominus.testing import oracle

    wrong = lambda op, at: oracle.filter_(op, at) if len(at.of(op.of)) < 3 else at.of(op.of)
    monkeypatch.setitem(oracle.RULES, type(om.source("s").filter("x").op), wrong)
    for seed in range(200):
        rng = Random(seed)
        program = Author(rng).write(7)
        try:
            live_through(program, 20, rng)
        except TooBig:
            continue
        except Disagreement:
            small, _ = shrunk(program)
            assert len(small.lines) <= 2 and len(small.steps) <= 4
            return
    pytest.fail("nobody saw it")
