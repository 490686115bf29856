"""What users need to test their own reducers and flows: the oracle, and strategies.

The strategies need hypothesis, and are imported by themselves: `ominus.testing.strategies`.
"""

from ominus.testing.oracle import Recomputed, recompute
from ominus.testing.reading import Groups, OnDemand, Rows, Table
from ominus.testing.reducers import reducers_of

__all__ = ["Groups", "OnDemand", "Recomputed", "Rows", "Table", "recompute", "reducers_of"]
