"""Mistakes that a user would make; mypy and pyright refuse each marked line, and no other.

A mark names the rule of mypy, then that of pyright.
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
whole = om.Reducer(init=0, add=lambda a, v: a + v, values=int)

# A field that is not there, in a function
orders.filter(lambda o: o.amuont > 3)  # refused: attr-defined, reportAttributeAccessIssue
orders.map(lambda o: o.amuont)  # refused: attr-defined, reportAttributeAccessIssue
orders.group_by(lambda o: o.regoin)  # refused: attr-defined, reportAttributeAccessIssue
orders.reduce(r.sum(lambda o: o.amuont))  # refused: attr-defined, reportAttributeAccessIssue
orders.reduce(r.sum("amount", where=lambda o: o.paid))  # refused: attr-defined, reportAttributeAccessIssue
orders.join(customers, left_on="customer", into=lambda o, c: c.amount)  # refused: attr-defined, reportAttributeAccessIssue
orders.join(customers, left_on=lambda o: o.custom)  # refused: attr-defined, reportAttributeAccessIssue
orders.top(3, by=lambda o: o.amuont)  # refused: attr-defined, reportAttributeAccessIssue
orders.map(lambda o: o.amount).filter(lambda a: a.amount)  # refused: attr-defined, reportAttributeAccessIssue
by_length.compute(lambda group: group.size)  # refused: attr-defined, reportAttributeAccessIssue
om.source("customers", Customer, key=lambda c: c.id)  # refused: attr-defined, reportAttributeAccessIssue

# The absent side of an outer join
orders.join(customers, left_on="customer", how="left", into=lambda o, c: c.region)  # refused: call-overload, reportOptionalMemberAccess

# Shapes that do not go together
clicks.union(by_length)  # refused: arg-type, reportArgumentType
by_length.union(clicks)  # refused: arg-type, reportArgumentType
clicks.slice(1, 2)  # refused: attr-defined, reportAttributeAccessIssue
clicks.take(3)  # refused: attr-defined, reportAttributeAccessIssue
clicks.size()  # refused: attr-defined, reportAttributeAccessIssue
clicks.items()  # refused: attr-defined, reportAttributeAccessIssue
list(clicks)  # refused: call-overload, reportArgumentType

# Reducers of other values
clicks.reduce(whole)  # refused: arg-type, reportArgumentType
clicks.reduce(r.sum())  # refused: arg-type, reportArgumentType
clicks.reduce(total=r.sum())  # refused: arg-type, reportArgumentType
whole.fold(["three"])  # refused: list-item, reportArgumentType
om.Reducer(init=0, add=lambda a, v: a + v.amount, values=int)  # refused: attr-defined, reportAttributeAccessIssue
om.Reducer(init=0, add=lambda a: a)  # refused: arg-type, reportArgumentType
orders.reduce(Order)  # refused: call-overload, reportArgumentType

# Functions of the wrong number of values
orders.join(customers, left_on="customer", into=lambda o: o)  # refused: arg-type, reportCallIssue
orders.map_items(lambda o: o.amount)  # refused: arg-type, reportArgumentType
orders.map(lambda o, c: c, reads=None)  # refused: call-overload, reportCallIssue

# Words that are none
orders.join(customers, how="outer")  # refused: call-overload, reportCallIssue
orders.join(customers, rigth_on="name")  # refused: call-overload, reportCallIssue
orders.sort("amount")  # refused: attr-defined, reportAttributeAccessIssue

# Writes and reads of other values
with om.flow(orders=orders, by_length=by_length, total=orders.count()).run() as live:
    live[orders].insert(Customer("ada", "north"))  # refused: arg-type, reportArgumentType
    live[orders].update(3)  # refused: arg-type, reportArgumentType
    live[clicks].upsert("page")  # refused: attr-defined, reportAttributeAccessIssue
    live[by_length].insert("page")  # refused: attr-defined, reportAttributeAccessIssue
    live[by_length]["page"]  # refused: index, reportArgumentType
    word: str = live[orders.count()].value  # refused: assignment, reportAssignmentType
    rows: Mapping[int, Customer] = live[orders]  # refused: assignment, reportAssignmentType
