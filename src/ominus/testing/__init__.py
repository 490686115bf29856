"""What users need to test their own reducers and flows: the oracle, and strategies.

The strategies need hypothesis, and are imported by themselves: `ominus.testing.strategies`.
"""

from ominus.testing.oracle import Recomputed, recompute
from ominus.testing.reading import Groups, OnDemand, Rows, Table

__all__ = ["Groups", "OnDemand", "Recomputed", "Rows", "Table", "recompute"]
