"""Does a traced function answer as Python does? Run by the suite, and by other Pythons on their own.

`python agree.py` checks the everyday functions and prints what it found as JSON.
"""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import sys
import types
from collections.abc import Callable
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


def same(a: Any, b: Any) -> bool:
    """Equal in type and value, part by part; NaN is NaN, and the two zeros are two."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
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


def disagreement(f: Callable[..., Any], traced: Traced, args: tuple[Any, ...]) -> str | None:
    """How the traced function differs from the function on these arguments, if it does."""
    expected, called, ran = outcome(f, args), outcome(traced, args), outcome(traced.run, args)
    if not _agree(expected, called):
        return f"called: {args!r} gives {called}, not {expected}"
    if not traced.fits(*args):
        return f"does not fit: {args!r}"
    if not _agree(expected, ran) and ran != ("raises", RowPath):
        return f"ran: {args!r} gives {ran}, not {expected}"
    if leaves_columns(traced.raises, args):
        return None
    merged = outcome(lambda *a: evaluate(traced.expr, a), args)
    return None if _agree(expected, merged) else f"merged: {args!r} gives {merged}, not {expected}"


def _agree(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    if one[0] != other[0]:
        return False
    return one[1] is other[1] if one[0] == "raises" else same(one[1], other[1])


def check(f: Callable[..., Any], types_: tuple[Any, ...], count: int = 150) -> str | None:
    """None where a function is traced and agrees, `opaque: ...`, or how it disagrees."""
    from samples import rows

    traced = trace(f, *types_)
    if isinstance(traced, Opaque):
        return str(traced)
    for args in rows(traced.types, count, seed=len(str(traced))):
        found = disagreement(f, traced, args)
        if found:
            return f"{traced}\n{found}"
    again = pickle.loads(pickle.dumps(traced))
    return None if str(again) == str(traced) and again.expr == traced.expr else "pickled: differs"


def main() -> None:
    import everyday

    found: dict[str, Any] = {"forms": 0, "traced": 0, "wrong": [], "opaque": {}}
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
