"""Scalars at the door: declared type, what is given, what is kept or why not."""

from __future__ import annotations

import enum
import math
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, NewType, Optional, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from ominus.algebra.value import NAN, canon, ident
from ominus.errors import TypeMismatch
from ominus.flow.door import door

np = pytest.importorskip("numpy", reason="numpy is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")

T = TypeVar("T")
UserId = NewType("UserId", int)
NAME = UUID(int=5)
NOON = datetime(2026, 1, 1, 12)
IN_UTC = datetime(2026, 1, 1, 12, tzinfo=UTC)
PLUS_TWO = timezone(timedelta(hours=2))
BERLIN = ZoneInfo("Europe/Berlin")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    A = "a"


class Text(str): ...


class Silent(tzinfo):
    def utcoffset(self, dt: datetime | None) -> None:
        return None


class Day(date): ...


KEPT: list[tuple[Any, Any, Any]] = [
    (int, 5, 5),
    (int, 2**100, 2**100),
    (int, np.int64(5), 5),
    (int, np.uint8(5), 5),
    (UserId, 5, 5),
    (Annotated[int, "positive"], 5, 5),
    (float, 2.5, 2.5),
    (float, -0.0, 0.0),
    (float, 0.0, 0.0),
    (float, 2, 2.0),
    (float, 0, 0.0),
    (float, 2**53, 2.0**53),
    (float, math.inf, math.inf),
    (float, -math.inf, -math.inf),
    (float, math.nan, NAN),
    (float, np.float64(2.5), 2.5),
    (float, np.float64("nan"), NAN),
    (float, np.float64(-0.0), 0.0),
    (float, np.float32(0.5), 0.5),
    (float, np.float32("nan"), NAN),
    (float, np.longdouble("0.5"), 0.5),
    (float, np.int32(7), 7.0),
    (bool, True, True),
    (bool, np.bool_(False), False),
    (str, "a", "a"),
    (str, np.str_("a"), "a"),
    (bytes, b"a", b"a"),
    (bytes, np.bytes_(b"a"), b"a"),
    (bytearray, bytearray(b"a"), bytearray(b"a")),
    (Decimal, Decimal("1.00"), Decimal("1.00")),
    (Fraction, Fraction(1, 2), Fraction(1, 2)),
    (complex, 1j, 1j),
    (complex, complex(-0.0, -0.0), 0j),
    (complex, np.complex128(1j), 1j),
    (date, date(2026, 1, 1), date(2026, 1, 1)),
    (date, np.datetime64("2026-01-01"), date(2026, 1, 1)),
    (datetime, NOON, NOON),
    (datetime, NOON.replace(fold=1), NOON.replace(fold=1)),
    (datetime, IN_UTC, IN_UTC),
    (datetime, datetime(2026, 1, 1, 14, tzinfo=PLUS_TWO), IN_UTC),
    (datetime, datetime(2026, 1, 1, 13, tzinfo=BERLIN), IN_UTC),
    (datetime, datetime(2026, 1, 1, 12, tzinfo=ZoneInfo("UTC")), IN_UTC),
    (datetime, IN_UTC.replace(fold=1), IN_UTC),
    (datetime, pd.Timestamp("2026-01-01 12:00"), NOON),
    (datetime, pd.Timestamp("2026-01-01 13:00", tz="Europe/Berlin"), IN_UTC),
    (datetime, np.datetime64("2026-01-01T12:00:00"), NOON),
    (datetime, np.datetime64("2026-01-01T12:00:00", "ns"), NOON),
    (time, time(12, tzinfo=UTC), time(12, tzinfo=UTC)),
    (timedelta, timedelta(1), timedelta(1)),
    (timedelta, pd.Timedelta("1D"), timedelta(1)),
    (timedelta, np.timedelta64(1, "D"), timedelta(1)),
    (timedelta, np.timedelta64(1000, "ns"), timedelta(microseconds=1)),
    (UUID, NAME, NAME),
    (None, None, None),
    (None, pd.NaT, None),
    (Color, Color.RED, Color.RED),
    (Level, Level.LOW, Level.LOW),
    (Literal["a", "b"], "b", "b"),
    (Literal["a", 1, None], 1, 1),
    (Literal["a", 1, None], None, None),
    (Literal["a", None], pd.NA, None),
    (Literal["a", 1], np.int64(1), 1),
    (Literal[Color.RED], Color.RED, Color.RED),
    (Any, True, True),
    (object, -0.0, 0.0),
    (T, "x", "x"),
    (Optional[int], None, None),
    (np.float64, np.float64(1.5), np.float64(1.5)),
    (pd.Timestamp, pd.Timestamp("2026-01-01"), pd.Timestamp("2026-01-01")),
]


@pytest.mark.parametrize(("kind", "given", "kept"), KEPT)
def test_what_is_kept(kind: Any, given: Any, kept: Any) -> None:
    found = door(kind)(given)
    assert type(found) is type(kept)
    assert ident(found) == ident(kept)
    assert repr(found) == repr(kept)
    assert canon(found) is found
    assert door(kind)(found) is found or isinstance(found, bytearray)


def test_there_is_one_nan_and_one_zero() -> None:
    enter = door(float)
    assert enter(float("nan")) is NAN
    assert enter(NAN) is NAN
    assert math.copysign(1.0, enter(-0.0)) == 1.0
    decimals = door(Decimal)
    assert decimals(Decimal("NaN")) is decimals(Decimal("NaN"))
    assert decimals(Decimal("sNaN")).is_snan()


REFUSED: list[tuple[Any, Any, str, str]] = [
    (int, True, "True, a bool, where int is declared", "Write int(True) if that is meant"),
    (int, 3.0, "3.0, a float, where int is declared", "Write int(3.0) if that is meant"),
    (int, np.float64(3.0), "a float64, where int is declared", "Give an int"),
    (int, np.bool_(True), "a bool, where int is declared", "Give an int, or declare bool"),
    (int, "3", "'3', a str, where int is declared", "Convert the text to int first"),
    (int, Level.LOW, "a Level, where int is declared", "Write int(...), or declare Level."),
    (int, None, "None, where int is declared", "Declare int | None, or give a value."),
    (int, pd.NA, "a NAType, where int is declared", "Declare int | None, or give a value."),
    (float, True, "True, a bool, where float is declared", "Write float(True) if"),
    (float, 2**53 + 1, "no float is exactly that", "Write float(...) if rounding is meant"),
    (float, 10**400, "no float is exactly that", "Write float(...) if rounding is meant"),
    (float, np.int64(2**53 + 1), "no float is exactly that", "Write float(...) if rounding"),
    (float, Decimal("0.5"), "a Decimal, where float", "Write float(...) if rounding is meant"),
    (float, Fraction(1, 2), "a Fraction, where float is declared", "Give a float"),
    (float, "0.5", "a str, where float is declared", "Convert the text to float first"),
    (float, None, "None, where float is declared", "Declare float | None"),
    (float, np.longdouble("0.1"), "it has more digits", "Convert it to Python's float"),
    (bool, 1, "1, an int, where bool is declared", "Write bool(1) if that is meant"),
    (str, 1, "1, an int, where str is declared", "Write str(1) if that is meant"),
    (str, b"a", "a bytes, where str is declared", "Give a str"),
    (str, Text("a"), "'a', a Text, where str is declared", "Write str(...), or declare Text."),
    (str, Word.A, "a Word, where str is declared", "Write str(...), or declare Word."),
    (bytes, "a", "'a', a str, where bytes is declared", "Give a bytes, or declare str."),
    (Decimal, 1, "1, an int, where Decimal is declared", "Write Decimal(1) if that is meant"),
    (Decimal, 1.5, "1.5, a float, where Decimal", "Write Decimal(1.5) if that is meant"),
    (complex, 1.0, "1.0, a float, where complex is declared", "Give a complex"),
    (date, NOON, "a datetime, where date is declared", "Write .date(), or declare datetime."),
    (date, Day(2026, 1, 1), "a Day, where date is declared", "Give a date, or declare Day."),
    (date, pd.Timestamp("2026-01-01"), "a Timestamp, where date is declared", "Give a date"),
    (datetime, date(2026, 1, 1), "a date, where datetime is declared", "Give a datetime"),
    (datetime, "2026-01-01", "a str, where datetime", "Convert the text to datetime first"),
    (datetime, NOON.replace(tzinfo=Silent()), "its zone gives no offset", "Give it a zone"),
    (
        datetime,
        datetime.min.replace(tzinfo=PLUS_TWO),
        "it is out of range in UTC",
        "Give a time within years",
    ),
    (datetime, pd.Timestamp(1), "its 1 nanoseconds would be lost", "Convert it to Python's"),
    (datetime, np.datetime64(1, "ns"), "it is finer than a microsecond", "Convert it to"),
    (datetime, np.datetime64(10**7, "D"), "it is out of range", "Convert it to Python's date"),
    (datetime, pd.NaT, "a NaTType, where datetime is declared", "Declare datetime | None"),
    (timedelta, pd.Timedelta(1), "its 1 nanoseconds would be lost", "Convert it to Python's"),
    (timedelta, np.timedelta64(1, "M"), "a timedelta64, where timedelta", "Give a timedelta"),
    (
        timedelta,
        np.timedelta64("NaT", "s"),
        "where timedelta is declared",
        "Declare timedelta | None",
    ),
    (UUID, str(NAME), "a str, where UUID is declared", "Convert the text to UUID first"),
    (None, 0, "0, an int, where None is declared", "Give a None, or declare int."),
    (Color, 1, "1, an int, where Color is declared", "Write Color.RED, which has this value."),
    (Color, 3, "3, an int, where Color is declared", "Give one of its members: RED, BLUE."),
    (Literal["a", 1], True, "True, a bool, where Literal['a', 1]", "Give one of 'a', 1."),
    (Literal["a", 1], 1.0, "1.0, a float, where Literal['a', 1]", "Give one of 'a', 1."),
    (Literal["a"], "b", "'b', a str, where Literal['a'] is declared", "Give one of 'a'."),
]


@pytest.mark.parametrize(("kind", "given", "found", "todo"), REFUSED)
def test_what_is_refused(kind: Any, given: Any, found: str, todo: str) -> None:
    with pytest.raises(TypeMismatch) as refused:
        door(kind)(given)
    assert refused.value.asked.startswith("the row ")
    assert refused.value.found.startswith("it is ")
    assert found in refused.value.found
    assert refused.value.todo.startswith(todo)
