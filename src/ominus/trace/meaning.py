"""What each operation means, once: the table that every interpreter is tested against.

The meaning of an operation is the Python it prints as, run by CPython on values of exactly the
types that the node declares; the sentence beside it says what an interpreter gets wrong most
easily. The general rules:

- `int` has no bounds, `float` is IEEE double, rounded to nearest even; `bool` is no `int`, but
  counts as 0 or 1 in arithmetic. An int and a float are compared by value, never by rounding.
- `None` is a value of its own type and takes part in no arithmetic; a value that may be `None`
  is used through `the`, on a path where its type has been asked.
- NaN differs from everything, itself too, is true, and passes through arithmetic; `-0.0 == 0.0`.
- `''`, `0`, `0.0`, `None`, `timedelta(0)` are false, every date and every row is true; the empty
  string is in every string, starts and ends each, and is found at 0.
- Strings are sequences of code points, compared by code point; nothing depends on a locale.
- What may raise is in `causes`; where it does, the node has no value, and the row goes to the
  function itself. Nothing else raises for values of the declared types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ominus.trace.expr import RowPath
from ominus.trace.like import like

OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, SUM, TERM, SIGN, POWER, ATOM = range(1, 14)


@dataclass(frozen=True, slots=True)
class Meaning:
    """`form` is how it prints, with `{0}`, `{1}` for its arguments; `says` is one sentence."""

    form: str
    level: int
    says: str


def power(base: Any, exponent: Any) -> Any:
    """`base ** exponent` where its type is the usual one, for a negative base may be complex."""
    result = base**exponent
    if isinstance(result, complex) or (
        type(base) is not float and type(result) is float and exponent < 0
    ):
        raise RowPath("the type of a power depends on its values")
    return result


# Each form as a template; a form with `*` prints the rest of the arguments, separated by commas.
INFIX: dict[str, tuple[int, str]] = {
    "+": (SUM, "the sum; of strings and bytes, one after the other"),
    "-": (SUM, "the difference; of dates a timedelta; of sets what is only in the left"),
    "*": (TERM, "the product; a string times n is repeated, empty where n <= 0"),
    "/": (TERM, "true division: ints give the float nearest to the exact quotient"),
    "//": (TERM, "floor division: rounded towards minus infinity, also for floats"),
    "%": (TERM, "the remainder has the sign of the right: -7 % 3 == 2, -7.5 % 2 == 0.5"),
    "**": (POWER, "the power; the exponent is a constant int >= 0, or the base is a float"),
    "<<": (SHIFT, "times a power of two, without bound"),
    ">>": (SHIFT, "floor division by a power of two: -1 >> 1 == -1"),
    "&": (BITAND, "bits of two's complement without end; of booleans and; of sets intersection"),
    "|": (BITOR, "bits; of booleans or, both sides evaluated; of sets union"),
    "^": (BITXOR, "bits; of booleans, whether they differ; of sets what is in one only"),
    "==": (COMPARE, "equal by value, across number types exactly"),
    "!=": (COMPARE, "not equal: true for NaN and itself"),
    "<": (COMPARE, "less, false where either is NaN; strings by code point; naive dates only"),
    "<=": (COMPARE, "less or equal, false where either is NaN"),
    ">": (COMPARE, "greater, false where either is NaN"),
    ">=": (COMPARE, "greater or equal, false where either is NaN"),
    "and": (AND, "the right is evaluated only where the left is true; both are bool"),
    "or": (OR, "the right is evaluated only where the left is false; both are bool"),
    "in": (COMPARE, "a string in a string; else equal to one item of a tuple or set"),
}
_METHODS = {
    "upper": "Unicode's full upper case: 'ß' gives 'SS'",
    "lower": "Unicode's full lower case",
    "casefold": "Unicode's case folding",
    "title": "each word's first letter in title case, by Python's idea of a word",
    "capitalize": "the first character in title case, the rest in lower case",
    "swapcase": "upper to lower and back",
    "strip": "without white space (Unicode's) at both ends, or without any of the characters given",
    "lstrip": "as strip, on the left",
    "rstrip": "as strip, on the right",
    "startswith": "whether it starts with it, or with one of a tuple; with '' always",
    "endswith": "whether it ends with it, or with one of a tuple; with '' always",
    "find": "the first index, in code points, or -1; of '' the start, if that is within",
    "rfind": "the last index, or -1",
    "index": "the first index; ValueError if there is none",
    "count": "how often it occurs without overlap; '' occurs len + 1 times",
    "replace": "each occurrence from the left, at most `count`; '' stands before each character",
    "split": "the parts between separators, or between runs of white space without empty ones",
    "partition": "before, the separator and after; or the string and two empty ones",
    "rpartition": "as partition, at the last separator",
    "removeprefix": "without the prefix, if it has it",
    "removesuffix": "without the suffix, if it has it",
    "zfill": "zeros on the left, after a sign",
    "ljust": "filled on the right",
    "rjust": "filled on the left",
    "join": "the strings of a tuple or list, the receiver between them",
    "isdigit": "all are Unicode digits, and there is one",
    "isdecimal": "all are Unicode decimals, and there is one",
    "isnumeric": "all are Unicode numerics, and there is one",
    "isalpha": "all are Unicode letters, and there is one",
    "isalnum": "all are letters or numerics, and there is one",
    "isspace": "all are Unicode white space, and there is one",
    "isupper": "all cased characters are upper, and there is one",
    "islower": "all cased characters are lower, and there is one",
    "weekday": "Monday is 0",
    "isoweekday": "Monday is 1",
    "isoformat": "ISO 8601: microseconds only where they are not 0",
    "toordinal": "1 is 0001-01-01",
    "date": "the date of a datetime, on its own wall clock",
    "total_seconds": "the float nearest to the microseconds / 10**6",
    "is_integer": "whether it is finite and has no fraction",
    "bit_length": "of the absolute value; 0 has 0",
    "conjugate": "the number itself",
}
_PARTS = {
    "year": "1 to 9999",
    "month": "1 to 12",
    "day": "1 to 31",
    "hour": "0 to 23, on the value's own wall clock",
    "minute": "0 to 59",
    "second": "0 to 59",
    "microsecond": "0 to 999999",
    "fold": "0 or 1",
    "days": "of a timedelta: rounded down, so it may be negative while the others are not",
    "seconds": "of a timedelta: 0 to 86399",
    "microseconds": "of a timedelta: 0 to 999999",
}
_CALLS = {
    "len": "characters of a string, bytes, or items",
    "abs": "the magnitude; abs(-0.0) is 0.0; of an int without bound",
    "min": "the right where it is less than the left, else the left: with NaN the order matters",
    "max": "the right where it is greater than the left, else the left: with NaN the order matters",
    "round": "half to even, of the exact binary value; one argument gives an int, two the type",
    "int": "towards zero; of a string by Python's grammar: sign, '_', white space, any digits",
    "float": "the nearest; of a string by Python's grammar",
    "str": "as Python prints it: repr of a float, ISO of a date, 'None', 'True'",
    "repr": "Python's repr",
    "ascii": "Python's ascii",
    "bool": "whether it is true (of a Decimal; other types are compared with their zero)",
    "chr": "the character of a code point",
    "ord": "the code point of one character",
    "divmod": "floor division and remainder, as a tuple",
    "date": "year, month and day",
    "datetime": "year, month, day, hour, minute, second, microsecond",
    "timedelta": "days, seconds, microseconds, milliseconds, minutes, hours, weeks: exact",
    "Decimal": "exact, whatever the context",
    "math.sqrt": "correctly rounded",
    "math.floor": "an int",
    "math.ceil": "an int",
    "math.trunc": "an int",
    "math.fabs": "a float",
    "math.isnan": "whether it is NaN",
    "math.isinf": "whether it is infinite",
    "math.isfinite": "whether it is neither",
    "math.log": "the platform's C library: an interpreter may differ in the last place",
    "math.log2": "the platform's C library",
    "math.log10": "the platform's C library",
    "math.exp": "the platform's C library",
    "math.pow": "the platform's C library; always floats",
    "math.copysign": "the magnitude of the left, the sign of the right, -0.0 and NaN included",
    "math.gcd": "never negative",
}
_FORMS = {
    "not": Meaning("not {0}", NOT, "the other boolean"),
    "neg": Meaning("-{0}", SIGN, "minus it; -0.0 for 0.0"),
    "pos": Meaning("+{0}", SIGN, "the number itself, a bool as an int; a Decimal is rounded"),
    "invert": Meaning("~{0}", SIGN, "-x - 1"),
    "is None": Meaning("{0} is None", COMPARE, "whether it is None; never raises"),
    "is a": Meaning("type({0}) is {1}", COMPARE, "whether it is exactly of this type"),
    "the": Meaning("{0}", ATOM, "the value, which on this path has the one type that is declared"),
    "item": Meaning("{0}[{1}]", ATOM, "counted from the end where negative"),
    "slice": Meaning(
        "{0}[{1}:{2}]", ATOM, "bounds clipped, negative ones from the end; None: none"
    ),
    "step": Meaning("{0}[{1}:{2}:{3}]", ATOM, "as slice, with a step that is not 0"),
    "concat": Meaning("f'{*}'", ATOM, "the strings one after the other"),
    "format": Meaning("format({0}, {1})", ATOM, "Python's format, with a constant specification"),
    "power": Meaning("{0} ** {1}", POWER, "as **, where the result's type depends on no value"),
    "set": Meaning("{{{*}}}", ATOM, "a set of the values"),
    "frozenset": Meaning("frozenset({0})", ATOM, "an immutable set of the same values"),
    "strftime": Meaning(
        "{0}.strftime({1})", ATOM, "by %Y %m %d %H %M %S %j %f only; years below 1000 by platform"
    ),
    "like": Meaning(
        "like({0}, {1})", ATOM, "the whole string fits: % any, _ one, backslash as it is"
    ),
    "replace date": Meaning(
        "{0}.replace({*})",
        ATOM,
        "with these parts, from the year to the microsecond; its zone and fold stay",
    ),
}

MEANING: dict[str, Meaning] = {
    **{n: Meaning(f"{{0}} {n} {{1}}", level, says) for n, (level, says) in INFIX.items()},
    **{f".{n}()": Meaning(f"{{0}}.{n}({{*}})", ATOM, says) for n, says in _METHODS.items()},
    **{f".{n}": Meaning(f"{{0}}.{n}", ATOM, says) for n, says in _PARTS.items()},
    **{n: Meaning(f"{n}({{*}})", ATOM, says) for n, says in _CALLS.items()},
    **_FORMS,
}

LIBM = frozenset({"math.log", "math.log2", "math.log10", "math.exp", "math.pow", "**", "power"})


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a node may have no value: the errors it may raise, and when."""

    errors: tuple[type[BaseException], ...]
    says: str


CAUSES: dict[str, Cause] = {
    "zero": Cause((ZeroDivisionError,), "the right is zero"),
    "huge": Cause((OverflowError,), "an int is too large for a float"),
    "size": Cause((OverflowError, MemoryError), "the result is too large to be kept"),
    "shift": Cause((ValueError, OverflowError, MemoryError), "the count is negative, or too large"),
    "not finite": Cause((ValueError, OverflowError), "the float is NaN or infinite"),
    "overflow": Cause((OverflowError,), "the result is too large for a float"),
    "domain": Cause((ValueError, OverflowError), "the function is not defined there"),
    "power": Cause(
        (ZeroDivisionError, OverflowError, RowPath),
        "0 to a negative power, too large, or of another type",
    ),
    "range": Cause((OverflowError, ValueError), "out of the range of dates or timedeltas"),
    "aware": Cause((TypeError,), "one of the two knows its time zone, and the other does not"),
    "decimal": Cause(
        (ArithmeticError, ValueError, OverflowError, TypeError), "the decimal context signals"
    ),
    "index": Cause((IndexError,), "there is no such index"),
    "absent": Cause((ValueError,), "the string is not in it"),
    "parse": Cause((ValueError, OverflowError), "the string is not one"),
    "digits": Cause((ValueError,), "the int has more digits than Python prints"),
    "empty": Cause((ValueError,), "the separator is empty"),
    "format": Cause((ValueError, OverflowError), "the specification does not fit the value"),
    "code point": Cause((ValueError, TypeError, OverflowError), "no one code point"),
}

RUN: dict[str, Callable[..., Any]] = {"power": power, "like": like}


def table() -> str:
    """The table of meaning in Markdown, one operation a line."""
    rows = (f"| `{name}` | `{m.form}` | {m.says} |" for name, m in MEANING.items())
    return "\n".join(["| operation | Python | meaning |", "|---|---|---|", *rows]).replace(
        "`|`", "`\\|`"
    )
