"""Functions that give RECOMPUTE by ways that are hard to see; imported by tests under a name."""

from ominus.algebra import reducer
from ominus.algebra.reducer import RECOMPUTE as AGAIN


def directly(a: int, v: int) -> object:
    return a if v < a else AGAIN


def through_module(a: int, v: int) -> object:
    return a if v < a else reducer.RECOMPUTE


def helper(a: int, v: int) -> object:
    return directly(a, v)


class Tools:
    kept = AGAIN

    @staticmethod
    def static(a: int, v: int) -> object:
        return directly(a, v)

    @classmethod
    def of_class(cls, a: int, v: int) -> object:
        return cls.static(a, v)

    def method(self, a: int, v: int) -> object:
        return a if v < a else self.kept

    def by_method(self, a: int, v: int) -> object:
        return self.method(a, v)


class Callable:
    def __init__(self, inner: object) -> None:
        self.inner = inner

    def __call__(self, a: int, v: int) -> object:
        return self.inner(a, v)  # type: ignore[operator]
