"""What every test shares: how hard Hypothesis looks, and what is not collected.

`default` is for work at the desk.
`ci` (chosen where CI is set) draws the same examples on every run: a change is judged by itself.
`long` (`make faults`) draws many more.
HYPOTHESIS_PROFILE, or pytest's --hypothesis-profile, overrides the choice.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A time limit per example would make a test depend on how busy the machine is.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile(
    "long",
    deadline=None,
    max_examples=2_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "default")
)

HERE = Path(__file__).parent
FAULTS = HERE / "tests" / "faults"

# What tests share stands beside them, and is imported by its bare name (`from pages import links`).
SHARED = (p for p in (HERE / "tests").rglob("*.py") if not p.stem.startswith(("test_", "conftest")))
sys.path += sorted({str(HERE), *(str(path.parent) for path in SHARED)})

# Doctests import the module they stand in; these need a package that is not always there.
collect_ignore = [] if find_spec("pyspark") else ["src/ominus/engine/spark"]


@pytest.fixture(scope="session")
def spark() -> Any:
    """The one Spark session of the suite; where Spark cannot start, its tests are skipped."""
    import spark_session

    why = spark_session.missing()
    return pytest.skip(why) if why else spark_session.session()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in tests/faults, before `-m` chooses."""
    for item in items:
        if FAULTS in item.path.parents:
            item.add_marker("faults")
