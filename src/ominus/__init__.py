"""ominus: derived views that stay right while their data changes.

algebra    values, multisets, deltas, reducers and their laws
reducers   the catalogue of reducers (from ominus import reducers as r)
flow       operators as data, and the shapes that build them
engine     what keeps the views of a flow
testing    the oracle and the strategies, for tests of your own
"""

from ominus.algebra.change import (
    ABSENT,
    UNCHANGED,
    Change,
    Delete,
    GroupChange,
    Insert,
    Update,
    Upsert,
)
from ominus.algebra.delta import Collection, Delta, diff
from ominus.algebra.laws import LAWS
from ominus.algebra.multiset import Multiset
from ominus.algebra.record import Record, record
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.select import desc
from ominus.flow import port
from ominus.flow.define import compute, lazy, literal, maintain, source
from ominus.flow.shapes import Groups, Rows, Table
from ominus.flow.spec import Flow, flow
from ominus.flow.window import Window, window
from ominus.testing.oracle import recompute

port.provide("embedded", "ominus.engine.embedded.live", "run")
port.provide("watch", "ominus.contract.watch", "Watch")

__version__ = "0.1.0"

__all__ = [
    "ABSENT",
    "LAWS",
    "RECOMPUTE",
    "UNCHANGED",
    "Change",
    "Collection",
    "Delete",
    "Delta",
    "Flow",
    "GroupChange",
    "Groups",
    "Insert",
    "Multiset",
    "Record",
    "Reducer",
    "Rows",
    "Table",
    "Update",
    "Upsert",
    "Window",
    "compute",
    "desc",
    "diff",
    "flow",
    "lazy",
    "literal",
    "maintain",
    "recompute",
    "record",
    "source",
    "window",
]
