"""Mistakes that mypy finds with the plugin alone.

Each line below `Refused` is refused by the rule that it names; no other is.
"""

from user_with_plugin import Note, both, customers, longer, notes, orders, outer, sales, stats

import ominus as om
from ominus import reducers as r

# A field that a record does not have
# Refused: attr-defined
longer.c
sales.map(lambda sale: sale.regoin)
sales.filter(lambda sale: sale.customer == "ada")
stats.map(lambda row: row.order)
stats.map(lambda row: row.p95)
both.map(lambda row: row.nothing)
orders.map(lambda o: om.record(o, more=1)).map(lambda row: row.most)
orders.reduce(r.record(n=r.count()).finish(lambda row: row.m))

# A string that names no field
# Refused: attr-defined
om.source("notes", Note, key="abuot")
orders.group_by("regoin")
orders.group_by("customer", "regoin")
sales.group_by("regoin")
orders.filter("payd")
orders.map("payd")
notes.map("about").map("more")
notes.map("txet")
orders.top(3, by="amout")
orders.top(3, by=om.desc("amout"))
orders.join(customers, left_on="custom", right_on="name")
orders.join(customers, left_on="customer", right_on="nam")
orders.reduce(r.sum("amout"))
orders.reduce(total=r.sum("amout"))
orders.reduce(r.sum("amount", where="payd"))
orders.reduce(r.group("custmer", r.sum("amount")))
orders.reduce(r.group("customer", r.sum("amout")))
orders.reduce(r.record(total=r.sum("amout")))
sales.reduce(r.regression("amount", "amuont"))

# A position that is not there
# Refused: attr-defined
orders.map(("id", "customer")).map(2)

# A field of another type
# Refused: arg-type
orders.reduce(r.sum("customer"))
orders.reduce(r.mean("customer"))

# Refused: assignment
wrong: om.Table[str, str] = sales.reduce(r.sum("amount"))

# Refused: union-attr
outer.map(lambda row: row.region.upper())
