"""Everyday functions, as data: what people write in a filter, a map, a key or a reducer.

Each is written three ways, as `def`, as a named lambda and as an inline lambda, and each with the
types of its arguments, on scalars and on rows. Nothing here knows what the tracer can do.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple, Optional, TypedDict


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    category: str
    amount: float
    quantity: int
    status: str = "open"
    coupon: str | None = None
    placed: datetime = datetime(2024, 1, 1)

    @property
    def total(self) -> float:
        return self.amount * self.quantity

    def is_large(self, limit: float = 100.0) -> bool:
        return self.total > limit


class Reading(NamedTuple):
    sensor: str
    at: datetime
    celsius: float | None
    valid: bool


class Person(TypedDict):
    name: str
    born: date
    email: str | None
    salary: int


@dataclass(frozen=True)
class Line:
    name: str
    price: float


VAT = 0.2
OPEN_STATES = ("open", "pending", "held")
RATES = {"books": 0.05, "food": 0.1}
EPOCH = date(1970, 1, 1)
WORDS = re.compile(r"\w+")


def clamp(x: int, low: int, high: int) -> int:
    return max(low, min(x, high))


def with_tax(price: float) -> float:
    return price * (1 + VAT)


@dataclass(frozen=True)
class Everyday:
    """One function in three forms; `types` are its arguments'."""

    name: str
    types: tuple[Any, ...]
    forms: tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]


# ---- scalars


def double(x: int) -> int:
    return x * 2


def average(total: float, count: int) -> float:
    return total / count


def halves(n: int) -> int:
    return n // 2 + n % 2


def squared(x: int) -> int:
    return x**2


def distance(x: float, y: float) -> float:
    return abs(x - y)


def bounded(x: int) -> int:
    return clamp(x, 0, 100)


def rounded(x: float) -> float:
    return round(x, 2)


def in_range(x: int) -> bool:
    return 0 <= x < 100


def is_vowel(s: str) -> bool:
    return s in ("a", "e", "i", "o", "u")


def shouted(s: str) -> str:
    return s.strip().upper()


def domain(email: str) -> str:
    return email[email.find("@") + 1 :].lower()


def label(name: str, n: int) -> str:
    return f"{name}: {n}"


def sign(x: int) -> int:
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


def grade(score: int) -> str:
    match score:
        case 1 | 2:
            return "good"
        case 3:
            return "fair"
        case _:
            return "poor"


def either(a: int | None, b: int) -> int:
    return b if a is None else a


def hypotenuse(x: float, y: float) -> float:
    s = x * x + y * y
    return math.sqrt(s)


def parity(n: int) -> str:
    return "even" if n % 2 == 0 else "odd"


def initials(first: str, last: str) -> str:
    return first[:1] + last[:1]


def swap(pair: tuple[int, str]) -> tuple[str, int]:
    n, s = pair
    return s, n


def next_week(d: date) -> date:
    return d + timedelta(days=7)


def quarter(d: date) -> int:
    return (d.month - 1) // 3 + 1


def celsius(f: float) -> float:
    return (f - 32) * 5 / 9


def as_cents(x: float) -> int:
    return int(round(x * 100))


def lowest(a: int, b: int, c: int) -> int:
    return min(a, b, c)


def both(a: bool, b: bool) -> bool:
    return a and not b


def price_up(p: Decimal) -> Decimal:
    return p * 2 + Decimal("0.01")


# ---- rows


def revenue(o: Order) -> float:
    return o.amount * o.quantity


def is_open(o: Order) -> bool:
    return o.status != "cancelled" and o.amount > 0


def discounted(o: Order) -> float:
    return o.amount * 0.9 if o.coupon else o.amount


def by_property(o: Order) -> float:
    return o.total * 2


def large(o: Order) -> bool:
    return o.is_large() or o.is_large(50.0) and o.status in OPEN_STATES


def gross(o: Order) -> float:
    return with_tax(o.amount)


def rate(o: Order) -> float:
    return o.amount * RATES.get(o.category, 0.2)


def line(o: Order) -> Line:
    return Line(o.category.title(), o.amount)


def hour_of(o: Order) -> tuple[str, int]:
    return (o.category, o.placed.hour)


def bucket(o: Order) -> str:
    if o.amount < 10:
        return "small"
    elif o.amount < 100:
        return "medium"
    return "large"


def usable(r: Reading) -> bool:
    return r.valid and r.celsius is not None and -50 < r.celsius < 60


def fahrenheit(r: Reading) -> float | None:
    if r.celsius is None:
        return None
    return r.celsius * 9 / 5 + 32


def day_of(r: Reading) -> date:
    return r.at.date()


def contact(p: Person) -> str:
    return p["email"] or f"{p['name'].lower()}@example.org"


def age(p: Person) -> int:
    return (date(2024, 6, 1) - p["born"]).days // 365


def raised(p: Person) -> dict[str, Any]:
    return {"name": p["name"], "salary": p["salary"] + p["salary"] // 10}


def per_item(o: Order) -> float:
    return o.amount / o.quantity if o.quantity else 0.0


def masked(p: Person) -> str:
    return p["name"][0] + "***" + p["name"][-1] if len(p["name"]) > 2 else "***"


def is_green(s: str) -> bool:
    return "green" in s.lower() or s.startswith(("verde", "vert"))


def mean_step(a: tuple[int, int], v: int) -> tuple[int, int]:
    s, n = a
    return s + v, n + 1


def latest(a: int | None, v: int) -> int:
    return v if a is None or v > a else a


def described(x: int | str) -> str:
    if isinstance(x, str):
        return x
    return str(x)


def named_line(name: str, price: float) -> Line:
    return Line(name, price)


# ---- what is not expected to trace


def digits(s: str) -> int:
    n = 0
    for c in s:
        n += c.isdigit()
    return n


def words(s: str) -> int:
    return len(WORDS.findall(s))


def parsed(s: str) -> int | None:
    try:
        return int(s)
    except ValueError:
        return None


n_double = lambda x: x * 2
n_average = lambda total, count: total / count
n_halves = lambda n: n // 2 + n % 2
n_squared = lambda x: x**2
n_distance = lambda x, y: abs(x - y)
n_bounded = lambda x: clamp(x, 0, 100)
n_rounded = lambda x: round(x, 2)
n_in_range = lambda x: 0 <= x < 100
n_is_vowel = lambda s: s in {"a", "e", "i", "o", "u"}
n_shouted = lambda s: s.strip().upper()
n_domain = lambda email: email[email.find("@") + 1 :].lower()
n_label = lambda name, n: f"{name}: {n}"
n_sign = lambda x: 1 if x > 0 else -1 if x < 0 else 0
n_grade = lambda score: "good" if score in (1, 2) else "fair" if score == 3 else "poor"
n_either = lambda a, b: b if a is None else a
n_hypotenuse = lambda x, y: math.sqrt(x * x + y * y)
n_parity = lambda n: "odd" if n % 2 else "even"
n_initials = lambda first, last: first[:1] + last[:1]
n_swap = lambda pair: (pair[1], pair[0])
n_next_week = lambda d: d + timedelta(days=7)
n_quarter = lambda d: (d.month - 1) // 3 + 1
n_celsius = lambda f: (f - 32) * 5 / 9
n_as_cents = lambda x: int(round(x * 100))
n_lowest = lambda a, b, c: min(a, b, c)
n_both = lambda a, b: a and not b
n_price_up = lambda p: p * 2 + Decimal("0.01")
n_revenue = lambda o: o.amount * o.quantity
n_is_open = lambda o: o.status != "cancelled" and o.amount > 0
n_discounted = lambda o: o.amount * 0.9 if o.coupon else o.amount
n_by_property = lambda o: o.total * 2
n_large = lambda o: o.is_large() or o.is_large(limit=50.0) and o.status in OPEN_STATES
n_gross = lambda o: with_tax(o.amount)
n_rate = lambda o: o.amount * (RATES[o.category] if o.category in RATES else 0.2)
n_line = lambda o: Line(name=o.category.title(), price=o.amount)
n_hour_of = lambda o: (o.category, o.placed.hour)
n_bucket = lambda o: "small" if o.amount < 10 else "medium" if o.amount < 100 else "large"
n_usable = lambda r: r.valid and r.celsius is not None and -50 < r.celsius < 60
n_fahrenheit = lambda r: None if r.celsius is None else r.celsius * 9 / 5 + 32
n_day_of = lambda r: r[1].date()
n_contact = lambda p: p["email"] or f"{p['name'].lower()}@example.org"
n_age = lambda p: (date(2024, 6, 1) - p["born"]).days // 365
n_raised = lambda p: {**p, "salary": p["salary"] + p["salary"] // 10}
n_per_item = lambda o: o.amount / o.quantity if o.quantity != 0 else 0.0
n_masked = lambda p: p["name"][0] + "***" + p["name"][-1] if len(p["name"]) > 2 else "***"
n_is_green = lambda s: "green" in s.lower() or s.startswith(("verde", "vert"))
n_mean_step = lambda a, v: (a[0] + v, a[1] + 1)
n_latest = lambda a, v: v if a is None else max(a, v)
n_described = lambda x: x if isinstance(x, str) else str(x)
n_digits = lambda s: sum(c.isdigit() for c in s)
n_words = lambda s: len(WORDS.findall(s))
n_parsed = lambda s: hash(s)


def _case(
    f: Callable[..., Any], named: Callable[..., Any], inline: Callable[..., Any], *types: Any
) -> Everyday:
    return Everyday(f.__name__, types, (f, named, inline))


Maybe = Optional[int]

SCALARS = [
    _case(double, n_double, lambda x: x + x, int),
    _case(average, n_average, lambda t, n: t / n, float, int),
    _case(halves, n_halves, lambda n: n // 2 + n % 2, int),
    _case(squared, n_squared, lambda x: x**2, int),
    _case(distance, n_distance, lambda x, y: abs(x - y), float, float),
    _case(bounded, n_bounded, lambda x: max(0, min(x, 100)), int),
    _case(rounded, n_rounded, lambda x: round(x, 2), float),
    _case(in_range, n_in_range, lambda x: 0 <= x and x < 100, int),
    _case(is_vowel, n_is_vowel, lambda s: s in ["a", "e", "i", "o", "u"], str),
    _case(shouted, n_shouted, lambda s: s.strip().upper(), str),
    _case(domain, n_domain, lambda e: e[e.find("@") + 1 :].lower(), str),
    _case(label, n_label, lambda name, n: name + ": " + str(n), str, int),
    _case(sign, n_sign, lambda x: (x > 0) - (x < 0), int),
    _case(grade, n_grade, lambda s: "good" if s == 1 or s == 2 else "fair", int),
    _case(either, n_either, lambda a, b: a if a is not None else b, Maybe, int),
    _case(hypotenuse, n_hypotenuse, lambda x, y: (x**2 + y**2) ** 0.5, float, float),
    _case(parity, n_parity, lambda n: "even" if not n % 2 else "odd", int),
    _case(initials, n_initials, lambda a, b: f"{a[:1]}{b[:1]}", str, str),
    _case(swap, n_swap, lambda p: p[::-1], tuple[int, str]),
    _case(next_week, n_next_week, lambda d: timedelta(weeks=1) + d, date),
    _case(quarter, n_quarter, lambda d: (d.month + 2) // 3, date),
    _case(celsius, n_celsius, lambda f: (f - 32) * 5 / 9, float),
    _case(as_cents, n_as_cents, lambda x: round(x * 100), float),
    _case(lowest, n_lowest, lambda a, b, c: min((a, b, c)), int, int, int),
    _case(both, n_both, lambda a, b: not (not a or b), bool, bool),
    _case(price_up, n_price_up, lambda p: p + p + Decimal("0.01"), Decimal),
    _case(is_green, n_is_green, lambda s: s.lower().find("green") >= 0, str),
    _case(mean_step, n_mean_step, lambda a, v: (a[0] + v, a[1] + 1), tuple[int, int], int),
    _case(latest, n_latest, lambda a, v: v if a is None else max(a, v), Maybe, int),
    _case(described, n_described, lambda x: f"{x}", int | str),
    _case(digits, n_digits, lambda s: sum([c.isdigit() for c in s]), str),
    _case(words, n_words, lambda s: len(WORDS.findall(s)), str),
    _case(parsed, n_parsed, lambda s: hash(s), str),
]

ROWS = [
    _case(revenue, n_revenue, lambda o: o.quantity * o.amount, Order),
    _case(is_open, n_is_open, lambda o: o.status == "open" and o.amount > 0, Order),
    _case(discounted, n_discounted, lambda o: o.amount * (0.9 if o.coupon else 1.0), Order),
    _case(by_property, n_by_property, lambda o: o.total + o.total, Order),
    _case(large, n_large, lambda o: o.is_large(10.0), Order),
    _case(gross, n_gross, lambda o: o.amount * (1 + VAT), Order),
    _case(rate, n_rate, lambda o: RATES[o.category], Order),
    _case(line, n_line, lambda o: Line(o.category.capitalize(), o.amount), Order),
    _case(hour_of, n_hour_of, lambda o: (o.category, o.placed.hour), Order),
    _case(bucket, n_bucket, lambda o: "small" if o.amount < 10 else "large", Order),
    _case(usable, n_usable, lambda r: r.celsius is not None and r.celsius > 0, Reading),
    _case(fahrenheit, n_fahrenheit, lambda r: r.celsius and r.celsius * 9 / 5 + 32, Reading),
    _case(day_of, n_day_of, lambda r: (r.at.year, r.at.month, r.at.day), Reading),
    _case(contact, n_contact, lambda p: p["email"] or p["name"], Person),
    _case(age, n_age, lambda p: 2024 - p["born"].year, Person),
    _case(raised, n_raised, lambda p: {"name": p["name"], "salary": p["salary"] + 1}, Person),
    _case(per_item, n_per_item, lambda o: o.quantity and o.amount / o.quantity, Order),
    _case(masked, n_masked, lambda p: p["name"][0] + "***", Person),
    Everyday("as_class", (str, float), (named_line, Line, lambda n, p: Line(n, p))),
]

EVERYDAY = SCALARS + ROWS
FORMS = ("def", "named lambda", "inline lambda")
EXPECTED_OPAQUE = {"digits", "words", "parsed"}
