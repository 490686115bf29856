"""Every error of ominus: a fact, and what to do next.

    OminusError
    ├── NotAValue            a value that ominus cannot tell from others
    ├── NotOrdered           a value outside the total order, where an order is needed
    ├── FieldUnknown         a field that the row does not have
    ├── FieldsDiffer         two records disagree on a field that both have
    ├── InvalidDelta         a removal of what is not there
    ├── NoInverse            a bare update removes, and the reducer cannot
    ├── NoneFound            a None where nobody said what None means
    ├── NumberRefused        a value that is no number, or numbers that have no sum
    ├── ContractBroken       a reducer that breaks a law, in debug mode
    ├── NothingToTest        a module without reducers, where their tests were asked for
    ├── FlowError            a definition that cannot be meant
    │   ├── KeysDiffer       two collections whose keys cannot meet
    │   ├── ShapeRefuses     an operator that this shape does not have
    │   ├── TypeRefuses      a type that cannot fit, known when built
    │   └── NameTaken        two different things under one name
    ├── ChangeRefused        a change that would be wrong; nothing was changed
    │   ├── KeyPresent       an insert of a key that is there
    │   ├── KeyAbsent        a change of a key that is not there
    │   ├── RowAbsent        a removal of a row that is not the one there
    │   ├── KeysCollide      keys that are equal and yet two values
    │   ├── TypeMismatch     a row that is not of the source's type
    │   └── NeedsRow         a change by key of a source that keeps no rows
    ├── FunctionFailed       a function of the user raised; the transaction was taken back
    ├── NotDeterministic     a function gave another answer for the same row
    ├── Diverged             a watched value that is not its recompute
    ├── RowChanged           a function that changed its row, seen by the watch
    ├── DefinitionChanged    a function that reads something else than before, seen by the watch
    ├── Circle               a lazy value that needs itself
    ├── TransactionRefused   a transaction where none can be
    ├── Closed               the engine has been closed
    └── EngineRefuses        an operator that this engine does not run

Each message says what was asked, what was found, and what to do.
"""

from __future__ import annotations


class OminusError(Exception):
    """A fact about what was asked, what was found, and what to do next."""

    def __init__(self, asked: str, found: str = "", todo: str = "") -> None:
        super().__init__(asked, found, todo)
        self.asked = asked
        self.found = found
        self.todo = todo

    def __str__(self) -> str:
        head = f"{self.asked}: {self.found}" if self.found else self.asked
        return f"{head}. {self.todo}" if self.todo else head


class NotAValue(OminusError, TypeError):
    """A value that is neither hashable nor of a structure that ominus knows."""


class NotOrdered(OminusError, TypeError):
    """A value outside the total order, where an order is needed."""


class FieldUnknown(OminusError, AttributeError):
    """A field that the row does not have."""


class FieldsDiffer(OminusError, ValueError):
    """Two records disagree on a field that both have."""


class InvalidDelta(OminusError, ValueError):
    """A delta that removes what is not there."""


class NoInverse(OminusError, TypeError):
    """A bare `update` that removes, on a reducer without `remove`."""


class NoneFound(OminusError, TypeError):
    """A `None` where nobody said what `None` means."""


class NumberRefused(OminusError, TypeError):
    """A value that is no number, or numbers that have no sum, such as a float and a Decimal."""


class ContractBroken(OminusError, ValueError):
    """A reducer that breaks a law, found at its definition in debug mode.

    `verdicts` has each law's verdict, the broken one's witness included.
    """

    verdicts: object = None


class NothingToTest(OminusError, LookupError):
    """A module without reducers, where their tests were asked for."""


class FlowError(OminusError, TypeError):
    """A definition that cannot be meant."""


class KeysDiffer(FlowError):
    """Two collections whose keys cannot meet."""


class ShapeRefuses(FlowError):
    """An operator that a collection of this shape does not have."""


class TypeRefuses(FlowError):
    """A type that cannot fit, known when the flow is built."""


class NameTaken(FlowError):
    """Two different things under one name."""


class ChangeRefused(OminusError, ValueError):
    """A change that would be wrong; nothing was changed."""


class KeyPresent(ChangeRefused):
    """An insert of a key that is there."""


class KeyAbsent(ChangeRefused):
    """A change of a key that is not there."""


class RowAbsent(ChangeRefused):
    """A removal of a row that is not the one there."""


class KeysCollide(ChangeRefused):
    """Keys that are equal and yet two values, such as `1` and `True`."""


class TypeMismatch(ChangeRefused):
    """A row that is not of the source's type."""


class NeedsRow(ChangeRefused):
    """A change by key of a source that keeps no rows."""


class FunctionFailed(OminusError):
    """A function of the user raised; the whole transaction was taken back.

    `operator`, `row` and `line` say where; the user's own exception is `__cause__`.
    """

    operator: str = ""
    row: object = None
    line: str = ""


class NotDeterministic(OminusError):
    """A function gave another answer for a row than it gave before."""


class Diverged(OminusError):
    """A watched value that is not its recompute: the transaction was taken back.

    `function`, `key`, `change`, `expected` and `found_value` say what broke it.
    """

    function: str = ""
    key: object = None
    change: object = None
    expected: object = None
    found_value: object = None


class RowChanged(OminusError):
    """A function that changed its row, seen by the watch: the transaction was taken back."""


class DefinitionChanged(OminusError):
    """A function that reads something else than when the flow was run, seen by the watch."""


class Circle(OminusError, RecursionError):
    """A lazy value that needs itself."""


class TransactionRefused(OminusError, RuntimeError):
    """A transaction, or a write, where none can be."""


class Closed(OminusError, RuntimeError):
    """A change of a view whose engine has been closed."""


class EngineRefuses(OminusError, NotImplementedError):
    """An operator that this engine does not run, with the reason and a way out."""
