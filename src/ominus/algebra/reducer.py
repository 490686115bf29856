"""A reducer: `(init, add, remove)` as a value, usable on any collection and any engine.

Incremental update equals recompute if and only if, on every reachable state, `remove` undoes `add`
and the order of adds does not matter; `ominus.algebra.laws` has the laws as data.
`remove` may be absent, or say `RECOMPUTE`: then an engine folds the key again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, overload

from ominus.algebra.recompute import RECOMPUTE as RECOMPUTE
from ominus.algebra.recompute import Recompute as Recompute
from ominus.algebra.recompute import mentions_recompute as mentions_recompute
from ominus.algebra.select import itself, selector
from ominus.algebra.typevars import Part, Result_co, Row_contra, State, Step, Value
from ominus.errors import NoInverse, NoneFound

S = TypeVar("S")

Inverse = Literal["invertible", "partial", "add-only"]
Kind = Literal["distributive", "algebraic", "holistic"]


_CONSTANT = (int, float, complex, bool, str, bytes, Decimal, Fraction, type(None))
_PARTS = (
    "init",
    "add",
    "remove",
    "finishing",
    "of",
    "where",
    "same",
    "merge",
    "values",
    "mutates",
    "skip_none",
    "nullable",
    "name",
    "inverse",
    "constant",
)


defined: list[Callable[[Any], None]] = []
"""What is told of each reducer that a user constructs: the contract verifies it in debug mode."""


class Reducer(Generic[Row_contra, State, Result_co]):
    """How a multiset of values is folded, and how a fold takes values back.

    `of` and `where` receive the row; `add` and `remove` receive what `of` gives.
    `finish` turns a state into the result; `same` is the equality up to which the laws hold;
    `merge` joins two states; a state that is changed in place says `mutates=True`, and then
    `init` is a factory.
    `values` is the type of the values, for type checkers and for `verify`.

    >>> total = Reducer(init=0, add=lambda a, v: a + v, remove=lambda a, v: a - v)
    >>> total.fold([3, 5, 7]), total.update(15, removed=[5], added=[2])
    (15, 12)
    """

    __slots__ = (*_PARTS, "_adder", "_remover", "_spec", "facts")
    init: Any
    add: Callable[[Any, Any], Any]
    remove: Callable[[Any, Any], Any] | None
    finishing: Callable[[Any], Any] | None
    of: Any
    where: Any
    same: Callable[[Any, Any], bool] | None
    merge: Callable[[Any, Any], Any] | None
    values: Any
    mutates: bool
    skip_none: bool | None
    nullable: bool
    name: str
    inverse: Inverse
    constant: bool
    facts: dict[str, Any]

    # The rows are the values; the values are what `of` gives; nothing is said of either.
    # fmt: off
    @overload
    def __init__(
        self, init: Any, add: Step[Row_contra], remove: Step[Row_contra] | None = None, *,
        finish: Callable[[Any], Result_co] | None = None, where: Part[Row_contra] | None = None,
        same: Callable[[Any, Any], bool] | None = None, merge: Step[Any] | None = None,
        values: type[Row_contra], mutates: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self, init: Any, add: Step[Value], remove: Step[Value] | None = None, *,
        finish: Callable[[Any], Result_co] | None = None,
        of: str | int | tuple[Any, ...] | Callable[[Row_contra], Value],
        where: Part[Row_contra] | None = None, same: Callable[[Any, Any], bool] | None = None,
        merge: Step[Any] | None = None, values: type[Value], mutates: bool = False,
    ) -> None: ...
    @overload
    def __init__(
        self, init: Any, add: Step[Any], remove: Step[Any] | None = None, *,
        finish: Callable[[Any], Result_co] | None = None, of: Part[Row_contra] | None = None,
        where: Part[Row_contra] | None = None, same: Callable[[Any, Any], bool] | None = None,
        merge: Step[Any] | None = None, values: UnionType | None = None, mutates: bool = False,
    ) -> None: ...
    def __init__(
        self, init: Any, add: Step[Any], remove: Step[Any] | None = None, *,
        finish: Callable[[Any], Any] | None = None, of: Any = None, where: Any = None,
        same: Callable[[Any, Any], bool] | None = None, merge: Step[Any] | None = None,
        values: Any = None, mutates: bool = False,
    ) -> None:
        # fmt: on
        if mutates and not callable(init):
            raise TypeError(
                f"Reducer(init={init!r}, mutates=True): a state that is changed in place needs a "
                "fresh start each time. Write init=list, or init=lambda: ..."
            )
        parts: dict[str, Any] = dict(
            init=init,
            add=add,
            remove=remove,
            finishing=finish,
            of=of,
            where=where,
            same=same,
            merge=merge,
            values=values,
            mutates=mutates,
            skip_none=None,
            nullable=True,
            name="",
            inverse=_inverse_of(remove),
            constant=_is_constant(init, mutates),
        )
        self._set(parts)
        for told in defined:
            told(self)

    def _set(self, parts: dict[str, Any], spec: Any = None) -> None:
        for name, value in parts.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "facts", {})
        for slot, step in (("_adder", self.add), ("_remover", self.remove)):
            object.__setattr__(self, slot, None if step is None else row_step(self, step))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Reducer is frozen: {name} cannot be set. Use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Reducer is frozen: {name} cannot be deleted")

    def parts(self) -> dict[str, Any]:
        """Everything that the reducer is made of, by name."""
        return {name: getattr(self, name) for name in _PARTS}

    def replace(self, **parts: Any) -> Reducer[Any, Any, Any]:
        """The same reducer with some parts replaced."""
        if "finish" in parts:
            parts["finishing"] = parts.pop("finish")
        if unknown := sorted(parts.keys() - set(_PARTS)):
            raise TypeError(f"a Reducer has no {unknown[0]}: its parts are {', '.join(_PARTS)}")
        if "remove" in parts:
            parts = {"inverse": _inverse_of(parts["remove"])} | parts
        if "init" in parts:
            mutates = parts.get("mutates", self.mutates)
            parts = {"constant": _is_constant(parts["init"], mutates)} | parts
        made: Reducer[Any, Any, Any] = Reducer.__new__(Reducer)
        made._set(self.parts() | parts)
        return made

    def finish(self, f: Callable[[Result_co], S]) -> Reducer[Row_contra, State, S]:
        """The reducer whose result is `f` of this one's result.

        >>> Reducer(0, lambda a, v: a + v).finish(str).fold_read([1, 2])
        '3'
        """
        made = self.replace(finishing=f if self.finishing is None else _Then(self.finishing, f))
        object.__setattr__(made, "_spec", ("finish", (self, f), {}, _finish_again))
        return made

    def inner(self) -> tuple[Reducer[Any, Any, Any], ...]:
        """The reducers that a combinator was made of."""
        if self._spec is None:  # type: ignore[attr-defined]
            return ()
        name, args, named, _ = self._spec  # type: ignore[attr-defined]
        if name == "finish":
            return args[0].inner()  # type: ignore[no-any-return]
        return tuple(x for x in (*args, *named.values()) if isinstance(x, Reducer))

    @property
    def call(self) -> tuple[str, tuple[Any, ...], dict[str, Any]] | None:
        """The call of the catalogue that made it: name, arguments, named ones; None if none did."""
        spec = self._spec  # type: ignore[attr-defined]
        return None if spec is None else spec[:3]

    @property
    def kind(self) -> Kind:
        """Distributive, algebraic or holistic.

        Holistic if the state grows with the data; else algebraic if it is shown through `finish`,
        distributive if it is shown as it is.
        """
        if not self.constant:
            return "holistic"
        return "distributive" if self.finishing is None else "algebraic"

    def start(self) -> State:
        """The state of the empty multiset."""
        return self.init() if self.mutates else self.init  # type: ignore[no-any-return]

    def fold(self, rows: Iterable[Row_contra]) -> State:
        """The state of a multiset of rows.

        Law    the order of the rows does not matter [add_commutes]
        """
        state = self.start()
        add = self._adder  # type: ignore[attr-defined]
        for row in rows:
            state = add(state, row)
        return state

    def fold_read(self, rows: Iterable[Row_contra]) -> Result_co:
        """The result for a multiset of rows: `read(fold(rows))`."""
        return self.read(self.fold(rows))

    def update(
        self, state: State, *, removed: Iterable[Row_contra] = (), added: Iterable[Row_contra] = ()
    ) -> State | Recompute:
        """Advance a state by a delta, removals first: the state, or `RECOMPUTE`.

        Law    update(fold(m), removed=d, added=e) == fold((m - d) + e)
        Cost   one call of `remove` or `add` for each row of the delta, whatever the collection.
        Fails  NoInverse, if it removes and `remove` is None (an engine recomputes the key).
        """
        if state is RECOMPUTE:
            return RECOMPUTE
        remove = self._remover  # type: ignore[attr-defined]
        for row in removed:
            if remove is None:
                raise NoInverse(
                    f"remove {row!r} from a state of {self!r}",
                    "this reducer has no remove",
                    "Give it one, or let an engine recompute the key.",
                )
            state = remove(state, row)
            if state is RECOMPUTE:
                return RECOMPUTE
        add = self._adder  # type: ignore[attr-defined]
        for row in added:
            state = add(state, row)
        return state

    def read(self, state: State) -> Result_co:
        """The result that a state shows."""
        return state if self.finishing is None else self.finishing(state)  # type: ignore[return-value]

    def equal(self, a: State, b: State) -> bool:
        """Whether two states are one, up to the reducer's `same`."""
        if self.same is not None:
            return bool(self.same(a, b))
        from ominus.algebra.value import one

        return one(a, b)

    @property
    def adder(self) -> Callable[[Any, Any], Any]:
        """`add` on whole rows: `of`, `where` and the guard against `None` included."""
        return self._adder  # type: ignore[attr-defined, no-any-return]

    @property
    def remover(self) -> Callable[[Any, Any], Any] | None:
        """`remove` on whole rows, or None."""
        return self._remover  # type: ignore[attr-defined, no-any-return]

    def __repr__(self) -> str:
        if self._spec is not None:  # type: ignore[attr-defined]
            return _call(*self._spec[:3])  # type: ignore[attr-defined]
        given = {
            n: getattr(self, n) for n in ("init", "of", "where") if getattr(self, n) is not None
        }
        return _call("Reducer", (), given)

    def __reduce__(self) -> tuple[Any, ...]:
        spec = self._spec  # type: ignore[attr-defined]
        if spec is not None:
            name, args, named, again = spec
            return (again, (name, args, named), self.facts)
        return (_from_parts, (self.parts(),), self.facts)

    def __setstate__(self, facts: dict[str, Any]) -> None:
        self.facts.update(facts)


class _Then:
    """Two functions, one after the other."""

    __slots__ = ("first", "second")

    def __init__(self, first: Callable[[Any], Any], second: Callable[[Any], Any]) -> None:
        self.first, self.second = first, second

    def __call__(self, state: Any) -> Any:
        return self.second(self.first(state))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Then) and (self.first, self.second) == (other.first, other.second)

    def __hash__(self) -> int:
        return hash((_Then, self.first, self.second))


def row_step(
    reducer: Reducer[Any, Any, Any], step: Callable[[Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    """State step on whole rows, from one on the values that `of` takes out of them."""
    of = None if reducer.of is None else selector(reducer.of)
    where = None if reducer.where is None else selector(reducer.where)
    if not reducer.nullable:
        step, of = guarded(reducer, step, of or itself), None
    if of is None and where is None:
        return step
    if where is None:
        return lambda state, row: step(state, of(row))  # type: ignore[misc]
    if of is None:
        return lambda state, row: step(state, row) if where(row) else state
    return lambda state, row: step(state, of(row)) if where(row) else state


def guarded(
    reducer: Reducer[Any, Any, Any], step: Callable[[Any, Any], Any], of: Callable[[Any], Any]
) -> Callable[[Any, Any], Any]:
    """State step that skips `None`, or refuses it where nobody said what it means."""
    if reducer.skip_none and of is itself:
        return lambda state, value: state if value is None else step(state, value)
    if reducer.skip_none:

        def skipping(state: Any, row: Any) -> Any:
            value = of(row)
            return state if value is None else step(state, value)

        return skipping

    plain = of is itself

    def refusing(state: Any, row: Any) -> Any:
        value = row if plain else of(row)
        if value is None:
            raise NoneFound(
                f"{reducer!r} of the row {row!r}",
                "the value is None",
                "Say skip_none=True (as SQL does), or skip_none=False to let it count.",
            )
        return step(state, value)

    return refusing


def _inverse_of(remove: Callable[[Any, Any], Any] | None) -> Inverse:
    if remove is None:
        return "add-only"
    return "partial" if mentions_recompute(remove) else "invertible"


def _is_constant(init: Any, mutates: bool) -> bool:
    if mutates:
        return False
    if isinstance(init, tuple):
        return all(_is_constant(part, False) for part in init) and (
            len(init) > 0 or hasattr(init, "_fields")
        )
    return isinstance(init, _CONSTANT)


def _call(name: str, args: tuple[Any, ...], named: Mapping[str, Any]) -> str:
    if name == "finish":
        return f"{args[0]!r}.finish({_short(args[1])})"
    shown = [_short(a) for a in args] + [f"{n}={_short(v)}" for n, v in named.items()]
    return f"{name}({', '.join(shown)})"


def _finish_again(_: str, args: tuple[Any, ...], named: dict[str, Any]) -> Reducer[Any, Any, Any]:
    reducer, f = args
    return reducer.finish(f)  # type: ignore[no-any-return]


def _short(value: Any) -> str:
    named = getattr(value, "__name__", None)
    return named if callable(value) and isinstance(named, str) else repr(value)


def _from_parts(parts: dict[str, Any]) -> Reducer[Any, Any, Any]:
    made: Reducer[Any, Any, Any] = Reducer.__new__(Reducer)
    made._set(parts)
    return made
