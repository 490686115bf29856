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
from ominus.contract.debug import debug, from_environment
from ominus.contract.verdict import Checked, Proved, Refuted, Unknown, Verdicts
from ominus.contract.verify import verify
from ominus.flow import port
from ominus.flow.define import compute, lazy, literal, maintain, source
from ominus.flow.shapes import Groups, Rows, Table
from ominus.flow.spec import Flow, flow
from ominus.flow.tracing import trace
from ominus.flow.window import Window, window
from ominus.testing.oracle import recompute
from ominus.trace.like import like
from ominus.trace.trace import Opaque, Traced

port.provide("embedded", "ominus.engine.embedded.live", "run")
port.provide("watch", "ominus.contract.watch", "Watch")
port.provide("debug rate", "ominus.contract.debug", "rate")
from_environment()

__version__ = "0.1.0"

__all__ = [
    "ABSENT",
    "LAWS",
    "RECOMPUTE",
    "UNCHANGED",
    "Change",
    "Checked",
    "Collection",
    "Delete",
    "Delta",
    "Flow",
    "GroupChange",
    "Groups",
    "Insert",
    "Multiset",
    "Opaque",
    "Proved",
    "Record",
    "Reducer",
    "Refuted",
    "Rows",
    "Table",
    "Traced",
    "Unknown",
    "Update",
    "Upsert",
    "Verdicts",
    "Window",
    "compute",
    "debug",
    "desc",
    "diff",
    "flow",
    "lazy",
    "like",
    "literal",
    "maintain",
    "recompute",
    "record",
    "source",
    "trace",
    "verify",
    "window",
]
