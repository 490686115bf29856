"""`RECOMPUTE`: what a remove gives when it cannot tell, so that the key is folded again."""

from __future__ import annotations

from functools import partial
from inspect import getattr_static
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, final


@final
class Recompute:
    """The type of `RECOMPUTE`: a remove that cannot tell, so the key is folded again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "RECOMPUTE"

    def __reduce__(self) -> str:
        return "RECOMPUTE"


RECOMPUTE: Final = Recompute()


def mentions_recompute(f: Any, *, at_most: int = 500) -> bool:
    """Whether a function's code, or a function that it names, can reach `RECOMPUTE`.

    Cost   it looks at the nearest 500 things that the function names, and then takes it for no.

    >>> def undo(state, value):
    ...     return state - value if state > value else RECOMPUTE
    >>> mentions_recompute(undo), mentions_recompute(lambda a, v: undo(a, v))
    (True, True)
    >>> mentions_recompute(max)
    False
    """
    seen, queue = {id(f)}, [f]
    for near in queue:
        if near is RECOMPUTE:
            return True
        more = [x for x in _named_by(near) if id(x) not in seen]
        seen.update(map(id, more))
        queue += more[: at_most - len(queue)]
    return False


def _named_by(f: Any) -> list[Any]:
    if isinstance(f, partial):
        return [f.func, *f.args, *f.keywords.values()]
    if isinstance(f, staticmethod | classmethod):
        return [f.__func__]
    owner, code = (getattr(f, "__self__", None), f) if _has_code(f) else (f, _call(f))
    if not _has_code(code):
        return []
    names = _names(code.__code__)
    if "RECOMPUTE" in names:
        return [RECOMPUTE]
    return [*_used(code, names), *_held(owner, names)]


def _has_code(f: Any) -> bool:
    # The class of functions has a `__code__` as well: a descriptor.
    return isinstance(getattr(f, "__code__", None), CodeType)


def _call(f: Any) -> Any:
    return getattr_static(type(f), "__call__", None)


def _names(code: Any) -> set[str]:
    """All names that a function's code and the code nested in it use, strings included."""
    codes, names = [code], set()
    for outer in codes:
        names |= {*outer.co_names, *(c for c in outer.co_consts if isinstance(c, str))}
        codes += [c for c in outer.co_consts if hasattr(c, "co_names")]
    return names


def _used(f: Any, names: set[str]) -> list[Any]:
    """What a function refers to: globals, what it names of modules and classes, cells, defaults."""
    outer = getattr(f, "__globals__", {})
    found = [outer[n] for n in names if n in outer]
    found += [c.cell_contents for c in (f.__closure__ or ()) if _filled(c)]
    found += [*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()]
    return found + [x for holder in found for x in _held(holder, names)]


def _held(holder: Any, names: set[str]) -> list[Any]:
    """What a module, a class or an object with methods holds under these names."""
    if not isinstance(holder, ModuleType | type) and not hasattr(holder, "__dict__"):
        return []
    # Never through properties: looking at a function must not run code.
    found = [x for n in names if (x := getattr_static(holder, n, None)) is not None]
    if isinstance(holder, ModuleType | type):
        return found
    return [MethodType(x, holder) if isinstance(x, FunctionType) else x for x in found]


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
