"""Mistakes that a user would make, which mypy and pyright refuse, with the plugin and without.

Each line below `Refused` is refused by the rule of mypy, then by that of pyright; no other is.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import ominus as om
from ominus import reducers as r


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    amount: float


@dataclass(frozen=True)
class Customer:
    name: str
    region: str


orders = om.source("orders", Order, key="id")
customers = om.source("customers", Customer, key="name")
clicks = om.source("clicks", str)
by_length = clicks.group_by(lambda c: len(c))
by_letter = clicks.group_by(lambda c: c[:1])
whole = om.Reducer(init=0, add=lambda a, v: a + v, values=int)
live = om.flow(orders=orders, by_length=by_length, total=orders.count()).run()

# A field that is not there, in a function
# Refused: attr-defined, reportAttributeAccessIssue
orders.filter(lambda o: o.amuont > 3)
orders.map(lambda o: o.amuont)
orders.flat_map(lambda o: o.lines)
orders.group_by(lambda o: o.regoin)
orders.group_by("customer", lambda o: o.regoin)
orders.reduce(r.sum(lambda o: o.amuont))
orders.reduce(r.sum("amount", where=lambda o: o.paid))
orders.reduce(total=r.mean(lambda o: o.amuont))
orders.join(customers, left_on="customer", into=lambda o, c: c.amount)
orders.join(customers, left_on=lambda o: o.custom)
orders.join(customers, left_on="customer", right_on=lambda c: c.id)
orders.top(3, by=lambda o: o.amuont)
orders.map(lambda o: o.amount).filter(lambda a: a.amount)
orders.map_items(lambda key, o: o.key)
by_length.compute(lambda group: group.size)
om.source("customers", Customer, key=lambda c: c.id)
om.Reducer(init=0, add=lambda a, v: a + v.amount, values=int)

# The absent side of an outer join
# Refused: call-overload, reportOptionalMemberAccess
orders.join(customers, left_on="customer", how="left", into=lambda o, c: c.region)

# What only another shape has
# Refused: attr-defined, reportAttributeAccessIssue
clicks.slice(1, 2)
clicks.take(3)
clicks.size()
clicks.items()
orders.sort("amount")
live[clicks].upsert("page")
live[by_length].insert("page")

# Rows with groups, and reducers of other values
# Refused: arg-type, reportArgumentType
clicks.union(by_length)
by_length.union(clicks)
clicks.reduce(whole)
clicks.reduce(r.sum())
clicks.reduce(total=r.sum())
clicks.reduce(r.record(total=r.sum()))

# Refused: list-item, reportArgumentType
whole.fold(["three"])

# Functions of another number of values
# Refused: arg-type, reportArgumentType
om.Reducer(init=0, add=lambda a: a)
orders.map_items(lambda o: o.amount)

# Refused: arg-type, reportCallIssue
orders.join(customers, left_on="customer", into=lambda o: o)
orders.map(lambda o, c: c)

# Words that are none
# Refused: call-overload, reportCallIssue
orders.join(customers, how="outer")
orders.join(customers, rigth_on="name")

# Keys of different types
# Refused: arg-type, reportCallIssue
by_length.join(by_letter, into=lambda a, b: a)

# A definition holds no data
# Refused: call-overload, reportArgumentType
list(clicks)

# Rows and keys of another type
# Refused: arg-type, reportArgumentType
live[orders].insert(Customer("ada", "north"))
live[orders].upsert(Customer("ada", "north"))

# Refused: call-overload, reportArgumentType
live[orders].update(3)

# Refused: index, reportArgumentType
live[by_length]["page"]

# Refused: assignment, reportAssignmentType
word: str = live[orders.count()].value

# Refused: index, reportAssignmentType
rows: Mapping[int, Customer] = live[orders]
