"""What each operator keeps, and why: the text of `live.explain()`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ominus.engine.embedded import folds
from ominus.engine.embedded.arrange import Index, Keep
from ominus.engine.embedded.store import Bags, Cells

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan
    from ominus.flow.spec import Flow


def explain(plan: Plan, flow: Flow) -> str:
    """One line for each node: what it is, what it keeps, who reads it, and why it keeps it."""
    names: dict[int, list[str]] = {}
    for name, op in flow.views.items():
        names.setdefault(id(op), []).append(name)
    lines = [f"version {plan.clock.version}, {len(plan.nodes)} operators"]
    for node in plan.nodes:
        shown = names.get(id(node.op), [])
        named = f" = {', '.join(shown)}" if shown and node.verb == node.op.verb else ""
        lines.append(f"  {node.verb}{named}: {_kept(node)}{_why(plan, node)}")
    return "\n".join(lines)


def _kept(node: Any) -> str:
    store = node.kept
    if isinstance(store, Cells):
        return f"keeps {len(store.base)} keys"
    if isinstance(store, Bags):
        return f"keeps {sum(map(len, store.base.values()))} rows at {len(store.base)} keys"
    return "keeps nothing"


def _why(plan: Plan, node: Any) -> str:
    readers = sum(node in other.inputs for other in plan.nodes)
    shared = f", read by {readers}" if readers > 1 else ""
    if isinstance(node, folds.Reduce):
        reducer = node.op.reducer
        why = {
            "invertible": "removes undo adds: no rows are needed",
            "partial": "some removes fold a key again from its rows",
            "add-only": "each remove folds a key again from its rows",
        }[reducer.inverse]
        return f"; {reducer!r} is {reducer.inverse}, {reducer.kind}: {why}{shared}"
    if isinstance(node, Index):
        return f"; one index for all joins on {node.on!r}{shared}"
    if isinstance(node, Keep):
        return f"; for views and operators that look up by key{shared}"
    return shared
