"""How long does it take to verify one reducer, warm?

Each reducer of the corpora (false and right ones) and of the catalogue once, after a few that load
the solver and Hypothesis; the promise is a median under one second, and an end in any case.
"""

import statistics
import sys
import time
from math import isqrt
from pathlib import Path
from typing import Any

from _figures import record

ROOT = Path(__file__).parents[1]
sys.path += [str(ROOT / "tests" / "laws"), str(ROOT / "tests" / "lies")]


def seconds(reducer: Any, values: Any) -> float:
    from ominus.contract.verify import verify

    start = time.perf_counter()
    verify(reducer, values)
    return time.perf_counter() - start


def squared(state: int, value: int) -> int:
    """A state that doubles in length with each value: of thirty it would take minutes."""
    return state * state


def main() -> None:
    from false_reducers import LIES
    from ominus.algebra.reducer import Reducer
    from ominus.reducers import CATALOGUE
    from right_reducers import RIGHT

    corpora = {
        "right": [(each.reducer, each.values) for each in RIGHT.values()],
        "false": [(each.reducer, each.values) for each in LIES.values()],
        "catalogue": [(each.reducer, each.values) for each in CATALOGUE.values()],
    }
    for reducer, values in corpora["right"][:5]:
        seconds(reducer, values)
    times = {name: [seconds(r, v) for r, v in some] for name, some in corpora.items()}
    every = [t for some in times.values() for t in some]
    figures: dict[str, object] = {}
    for name, some in [*times.items(), ("all", every)]:
        figures[f"{name}_reducers"] = len(some)
        figures[f"{name}_median_ms"] = round(1e3 * statistics.median(some), 1)
        figures[f"{name}_slowest_ms"] = round(1e3 * max(some), 1)
    exploding = Reducer(2, squared, lambda a, v: isqrt(a))
    figures["exploding_state_ms"] = round(1e3 * seconds(exploding, int), 1)
    for name, value in figures.items():
        print(f"{name:24}{value:>10}")
    print(f"written: {record('verify', figures).name}")


if __name__ == "__main__":
    main()
