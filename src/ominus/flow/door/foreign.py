"""NumPy's and pandas' scalars as Python's, exactly or not at all; neither is imported.

A value can be theirs only if they are loaded, so the name of its module tells.
"""

from __future__ import annotations

from typing import Any

from ominus.flow.door.refuse import Refused

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()
"""What pandas' NA and NaT, and NumPy's NaT, become: `None` where that may be."""


def python(value: Any) -> Any:
    """The value as Python's own, or `MISSING`; what is not of NumPy or pandas as it is.

    Fails  Refused, if Python's own type cannot hold it.
    """
    room = type(value).__module__.partition(".")[0]
    if room == "numpy":
        return _numpy(value)
    if room == "pandas":
        return _pandas(value)
    return value


def _pandas(value: Any) -> Any:
    name = type(value).__name__
    if name in ("NAType", "NaTType"):
        return MISSING
    if name == "Timestamp":
        return _exactly(value, value.nanosecond, "datetime", "to_pydatetime")
    if name == "Timedelta":
        return _exactly(value, value.nanoseconds, "timedelta", "to_pytimedelta")
    return value


def _exactly(value: Any, lost: int, declared: str, convert: str) -> Any:
    if lost:
        raise _loses(value, declared, f"its {lost} nanoseconds would be lost")
    try:
        return getattr(value, convert)()
    except (OverflowError, ValueError) as cause:
        raise _loses(value, declared, str(cause)) from None


def _numpy(value: Any) -> Any:
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if getattr(value, "shape", None) != () or type(value).__name__ == "ndarray":
        return value
    if kind in "biuSU":
        return value.item()
    if kind == "f":
        return _number(value, float)
    if kind == "c":
        return _number(value, complex)
    if kind in "mM":
        return _time(value, kind)
    return value


def _number(value: Any, kind: type) -> Any:
    found = kind(value)
    # A long double may have digits that Python's float has not.
    if found == found and type(value)(found) != value:
        raise _loses(value, kind.__name__, "it has more digits")
    return found


def _time(value: Any, kind: str) -> Any:
    if value != value:
        return MISSING
    unit = value.dtype.str[4:-1]
    if kind == "M" and unit == "D":
        return _item(value, "date")
    if unit in ("", "Y", "M") or (kind == "M" and unit == "W"):
        return value
    declared = "datetime" if kind == "M" else "timedelta"
    micro = value.astype(f"{kind}8[us]")
    if micro != value:
        raise _loses(value, declared, "it is finer than a microsecond, or out of range")
    return _item(micro, declared)


def _item(value: Any, declared: str) -> Any:
    found = value.item()
    if isinstance(found, int):  # NumPy's way to say that Python's type cannot hold it
        raise _loses(value, declared, "it is out of range")
    return found


def _loses(value: Any, declared: str, why: str) -> Refused:
    return Refused(
        value, declared, why=why, todo=f"Convert it to Python's {declared} first, as you mean it."
    )
