"""Does a traced function answer as Python does? Run by the suite, and by other Pythons alone.

`python against_python.py` checks the everyday functions and prints what it found as JSON.
"""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import random
import sys
import types
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":  # another Python, without the packages that all of ominus wants
    package = types.ModuleType("ominus")
    package.__path__ = [str(HERE.parents[1] / "src" / "ominus")]
    sys.modules["ominus"] = package
    sys.path.insert(0, str(HERE))

from ominus.trace import Opaque, RowPath, Traced, trace  # noqa: E402
from ominus.trace.evaluate import evaluate, leaves_columns  # noqa: E402
from ominus.trace.fits import checker  # noqa: E402


def same(a: Any, b: Any) -> bool:
    """Equal in type and value, part by part; NaN is NaN, and the two zeros are two."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return (math.isnan(a) and math.isnan(b)) or (
            a == b and math.copysign(1, a) == math.copysign(1, b)
        )
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if dataclasses.is_dataclass(a) and not isinstance(a, type):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))
    if type(a).__name__ in ("Decimal", "datetime"):
        return repr(a) == repr(b)
    return bool(a == b)


def outcome(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, Any]:
    """What a call gives, or the type of what it raises."""
    try:
        return "value", f(*args)
    except Exception as error:
        return "raises", type(error)


@lru_cache(maxsize=8)
def inlined(traced: Traced) -> Callable[..., Any] | None:
    """The function as it stands in generated code."""
    scope: dict[str, Any] = {}
    names = [f"v{i}" for i in range(len(traced.parameters))]
    written = traced.inline(names, scope)
    return None if written is None else eval(f"lambda {', '.join(names)}: {written}", scope)


def disagreement(f: Callable[..., Any], traced: Traced, args: tuple[Any, ...]) -> str | None:
    """How the traced function differs from the function on these arguments, if it does."""
    expected, called, ran = outcome(f, args), outcome(traced, args), outcome(traced.run, args)
    if not _agree(expected, called):
        return f"called: {args!r} gives {called}, not {expected}"
    if not traced.fits(*args):
        return f"does not fit: {args!r}"
    if not _agree(expected, ran) and ran != ("raises", RowPath):
        return f"ran: {args!r} gives {ran}, not {expected}"
    inside = inlined(traced)
    if inside is not None:
        found = outcome(inside, args)
        both_raise = expected[0] == found[0] == "raises"  # of two errors, perhaps the other one
        if not both_raise and not _agree(expected, found) and found != ("raises", RowPath):
            return f"inlined: {args!r} gives {found}, not {expected}"
    if leaves_columns(traced.raises, args):
        return None
    if expected[0] == "raises":
        return f"unsaid: {args!r} raises {expected[1]}"
    merged = outcome(lambda *a: evaluate(traced.expr, a), args)
    if not _agree(expected, merged):
        return f"merged: {args!r} gives {merged}, not {expected}"
    return (
        None if checker([traced.type])(merged[1]) else f"typed: {merged[1]!r} is no {traced.type}"
    )


def _agree(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    if one[0] != other[0]:
        return False
    return one[1] is other[1] if one[0] == "raises" else same(one[1], other[1])


def check(
    f: Callable[..., Any], types_: tuple[Any, ...], *, count: int = 150, pickled: bool = True
) -> str | None:
    """None where a function is traced and agrees, `opaque: ...`, or how it disagrees."""
    from edges import rows

    traced = trace(f, *types_)
    if isinstance(traced, Opaque):
        return str(traced)
    for args in rows(traced.types, count, seed=len(str(traced))):
        found = disagreement(f, traced, args)
        if found:
            return f"{traced}\n{found}"
    if not pickled:
        return None
    again = pickle.loads(pickle.dumps(traced))
    return None if str(again) == str(traced) and again.expr == traced.expr else "pickled: differs"


def check_programs(seed: int, count: int) -> tuple[list[str], int]:
    """How random programs disagree, and how many were traced."""
    from edges import rows
    from programs import KINDS, program, scope

    rng, wrong, traced_ones = random.Random(seed), [], 0
    for number in range(count):
        source, kinds, names = program(rng), rng.choices(KINDS, k=3), scope()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(source, names)
            traced = trace(names["f"], *kinds)
            if isinstance(traced, Opaque):
                if "does not cope" in traced.why:
                    wrong.append(f"{source}\n{kinds}\n{traced}")
                continue
            traced_ones += 1
            for args in list(rows(traced.types, 10, number))[-25:]:
                said = disagreement(names["f"], traced, args)
                if said:
                    wrong.append(f"{source}\n{kinds}\n{traced}\n{said}")
    return wrong, traced_ones


def main() -> None:
    import everyday
    from corners import CORNERS
    from edges import EDGES
    from not_traced import INLINE, OPAQUE
    from programs import without_slow_ints

    found: dict[str, Any] = {"forms": 0, "traced": 0, "wrong": [], "opaque": {}}
    for f, kinds in CORNERS:
        said = check(f, kinds, pickled=False)
        if said:
            found["wrong"].append(f"{f}: {said}")
    for f, (kinds, why, _) in OPAQUE.items():
        fact = trace(f, *kinds)
        if not isinstance(fact, Opaque) or why not in fact.why:
            found["wrong"].append(f"{f}: {fact}")
    for f, kind, why in INLINE.values():
        fact = trace(f, kind)
        if not isinstance(fact, Opaque) or why not in fact.why:
            found["wrong"].append(f"{f}: {fact}")
    EDGES[int] = without_slow_ints()
    wrong, found["programs"] = check_programs(7, 500)
    found["wrong"] += wrong
    for case in everyday.EVERYDAY:
        for i, form in enumerate(case.forms):
            found["forms"] += 1
            said = check(form, case.types)
            if said is None:
                found["traced"] += 1
            elif said.startswith("opaque"):
                found["opaque"][f"{case.name}-{i}"] = said
            else:
                found["wrong"].append(f"{case.name}-{i}: {said}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
