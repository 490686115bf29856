"""The lines that an author of random flows may write: one for each operator, and their variants."""

from __future__ import annotations

from typing import Any

from authors import BARE_KEYS, REDUCERS, SCALARS, STRUCTURED, Author, Line, Node, operator

NOTHING: Line = (None, {})
TYPED = {
    "sales": [
        "r.sum('y')",
        "r.sum('n', skip_none=True)",
        "r.max('y')",
        "r.count_distinct('g')",
        "total=r.sum('x'), mean=r.mean('y'), top=r.top(1, by=('x', 'id'))",
        "r.min('n', skip_none=True)",
        "r.group('g', r.sum('x'))",
    ],
    "people": ["r.mean('age')", "r.max(2)", "r.set('g')", "r.arg_max('age', keep='one')"],
}
"""Reducers of the fields of typed sources."""
INTO = ["None", "pair", "coded", "both", "left"]
BOUNDS = ["0", "1", "2", "'b'", "'c'", "0.7", "('b', 1)"]


def mapped(fn: str) -> dict[str, Any]:
    """What the values are good for that this function gives."""
    name = fn.split("'")[1] if fn.startswith("Fn") else ""
    return {
        "fields": {"rec": ["g", "x"], "mapping": ["g", "a"], "pair_key": [0, 1]}.get(name, []),
        "ordered": True,
        "bare": name in SCALARS,
    }


@operator(3)
def filter_(author: Author) -> Line:
    node = author.node()
    if node is None:
        return NOTHING
    f = author.fn("fussy") if author.raising() else author.value(node, "odd", "most", "most")
    return f"{node.name}.filter({f})", kept(node)


def kept(node: Node) -> dict[str, Any]:
    return {"fields": node.fields, "ordered": node.ordered, "bare": node.bare}


@operator(3)
def map_(author: Author) -> Line:
    node = author.node()
    if node is None:
        return NOTHING
    if author.raising():
        return f"{node.name}.map({author.fn('fussy')})", kept(node)
    if author.rng.random() < 0.15:
        return f"{node.name}.map({author.fn('same', 'half', 'wrap')})", {"ordered": node.ordered}
    f = author.fn(*SCALARS, *STRUCTURED)
    return f"{node.name}.map({f})", mapped(f)


@operator(1)
def map_field(author: Author) -> Line:
    node = author.node()
    if node is None or not node.fields:
        return NOTHING
    return f"{node.name}.map({author.rng.choice(node.fields)!r})", {}


@operator(2)
def flat_map(author: Author) -> Line:
    node = author.node()
    if node is None:
        return NOTHING
    return f"{node.name}.flat_map({author.fn('few', 'twice', 'parts')})", {"ordered": node.ordered}


@operator(1)
def map_items(author: Author) -> Line:
    node = author.node("table", "groups")
    if node is None:
        return NOTHING
    return f"{node.name}.map_items({author.fn('item', 'key_code')})", {"ordered": node.ordered}


@operator(1)
def items(author: Author) -> Line:
    node = author.node("table", "groups")
    if node is None or not (node.bare or node.name in ("sales", "people", "feed")):
        return NOTHING
    return f"{node.name}.items()", {"ordered": node.ordered}


@operator(5)
def group_by(author: Author) -> Line:
    node = author.node("rows", "table") if author.rng.random() < 0.9 else author.node()
    if node is None:
        return NOTHING
    name, rng = node.name, author.rng
    if name == "ticks":
        every = rng.choice(["", ", every='30m'", ", every='20m'"])
        page = rng.choice(["", "'p', "])
        return f"ticks.group_by({page}om.window('at', '1h'{every}))", kept(node)
    if rng.random() < 0.1:
        return f"{name}.group_by()", kept(node)
    if rng.random() < 0.03:
        return f"{name}.group_by({author.fn('clash')})", kept(node)
    if rng.random() < 0.2:
        two = f"{author.value(node, *BARE_KEYS)}, b={author.value(node, *BARE_KEYS)}"
        return f"{name}.group_by({two})", kept(node)
    return f"{name}.group_by({author.value(node, *BARE_KEYS)})", kept(node)


@operator(8)
def join(author: Author) -> Line:
    left, right = author.node(), author.node()
    if left is None or right is None or author.joins >= 3:
        return NOTHING
    if author.rng.random() < 0.12:
        right = left
    rng, how = (
        author.rng,
        author.rng.choice(["inner", "inner", "left", "right", "full", "semi", "anti"]),
    )
    parts = [right.name, *on_what(author, left, right), f"how={how!r}"]
    traits: dict[str, Any] = {"ordered": left.ordered and right.ordered}
    if how in ("semi", "anti"):
        traits = kept(left)
    else:
        into = rng.choice(INTO)
        if into != "None":
            into = "fussy_pair" if author.raising() else into
            parts.append(f"into={author.fn(into)}")
        traits["bare"] = into in ("pair", "coded")
        author.joins += 1
    if rng.random() < 0.85:
        parts.append(f"match_none={rng.random() < 0.5}")
    return f"{left.name}.join({', '.join(parts)})", traits


def on_what(author: Author, left: Node, right: Node) -> list[str]:
    """How a join says what is matched: keys, fields of both or of each, or nothing at all."""
    rng = author.rng
    chance = rng.random()
    if chance < 0.35:
        return []
    if chance < 0.5:
        return [f"on={author.fn(*BARE_KEYS)}"]
    if chance < 0.55:
        return [f"on=({author.fn(*BARE_KEYS)}, {author.fn(*BARE_KEYS)})"]
    if chance < 0.58:
        author.joins += 2
        return ["on=()"]
    if chance < 0.68:
        return [f"left_on={author.value(left, *BARE_KEYS)}"]
    if chance < 0.78:
        return [f"right_on={author.value(right, *BARE_KEYS)}"]
    key = rng.choice(BARE_KEYS)
    return [f"left_on={author.value(left, key)}", f"right_on={author.value(right, key)}"]


@operator(2)
def union(author: Author) -> Line:
    first = author.node()
    if first is None:
        return NOTHING
    like = ["groups"] if first.shape == "groups" else ["rows", "table"]
    others = [author.node(*like) for _ in range(author.rng.choice([1, 1, 2]))]
    found = [n for n in others if n is not None]
    if not found:
        return NOTHING
    names = ", ".join(n.name for n in found)
    return f"{first.name}.union({names})", {"ordered": all(n.ordered for n in (first, *found))}


@operator(2)
def distinct(author: Author) -> Line:
    node = author.node()
    return NOTHING if node is None else (f"{node.name}.distinct()", kept(node))


@operator(7)
def reduce(author: Author) -> Line:
    node = author.node("rows", "table", "groups", "groups")
    if node is None:
        return NOTHING
    reducer = author.rng.choice(REDUCERS)
    if "fussy" in reducer and not author.raising():
        return NOTHING
    if node.name in TYPED and author.rng.random() < 0.4:
        reducer = author.rng.choice(TYPED[node.name])
    if author.rng.random() < 0.02:
        reducer = "r.sum(Fn('maybe_small'))"
    single = node.shape != "groups"
    traits = {
        "ordered": "r.set" not in reducer and "multiset" not in reducer,
        "single": single,
        "bare": "=r." not in reducer,
    }
    return f"{node.name}.reduce({reducer})", traits


@operator(1)
def count(author: Author) -> Line:
    node = author.node()
    if node is None:
        return NOTHING
    return f"{node.name}.count()", {"bare": True, "single": node.shape != "groups"}


@operator(3)
def top(author: Author) -> Line:
    node = author.node()
    if node is None or not node.ordered:
        return NOTHING
    by = author.value(node, "small", "letter", "maybe_small", "real")
    by = author.rng.choice(
        [f", by={by}", f", by=om.desc({by})", f", by=({by}, 'x')" if "x" in node.fields else "", ""]
    )
    return f"{node.name}.top({author.rng.randrange(4)}{by})", kept(node)


@operator(2)
def slice_(author: Author) -> Line:
    node = author.node("table", "groups")
    if node is None:
        return NOTHING
    bounds = [author.rng.choice([*BOUNDS, moving(author), moving(author)]) for _ in range(4)]
    how = author.rng.choice(
        ["slice({0}, {1})", "slice(lo={0})", "slice(hi={1})", "slices(({0}, {1}), ({2}, {3}))"]
    )
    return f"{node.name}.{how.format(*bounds)}", kept(node)


def moving(author: Author) -> str:
    """A bound that is a view of one value."""
    node = author.node("rows", "table")
    if node is None:
        return "1"
    chance = author.rng.random()
    if chance < 0.15:
        return f"{node.name}.group_by().map(Fn('letter')).top(1)"
    if chance < 0.35:
        return f"{node.name}.count().filter({author.fn('most')})"
    reducer = author.rng.choice(["r.min(Fn('letter'))", "r.max(Fn('small'))", "r.count()"])
    return f"{node.name}.reduce({reducer})"


@operator(1)
def take(author: Author) -> Line:
    node = author.node("table", "groups")
    if node is None:
        return NOTHING
    return f"{node.name}.take({author.rng.randrange(4)})", kept(node)


@operator(1)
def size(author: Author) -> Line:
    node = author.node("table", "groups")
    return NOTHING if node is None else (f"{node.name}.size()", {"bare": True, "single": True})


@operator(2)
def compute(author: Author) -> Line:
    node = author.node()
    if node is None:
        return NOTHING
    f = author.fn(
        "fussy_count" if author.raising() else "spread",
        "weight",
        "codes",
        "listing",
        "size",
        "no_one",
    )
    return f"{node.name}.compute({f})", {"single": node.shape != "groups"}


@operator(1)
def compute_views(author: Author) -> Line:
    views = [author.node(), author.node()][: author.rng.choice([1, 2])]
    names = [n.name for n in views if n is not None]
    if not names:
        return NOTHING
    f = author.fn("weigh_all", "lengths", "in_order", "in_order")
    return f"om.compute({f}, {', '.join(names)})", {"single": True}


@operator(2)
def maintain(author: Author) -> Line:
    node = author.node()
    if node is None:
        return NOTHING
    full, delta = author.rng.choice(
        [("weight", "on_weight"), ("codes", "on_codes"), ("weight", "give_up")]
    )
    return (
        f"{node.name}.maintain({author.fn(full)}, {author.fn(delta)})",
        {"single": node.shape != "groups"},
    )


@operator(1)
def maintain_views(author: Author) -> Line:
    a, b = author.node(), author.node()
    if a is None or b is None:
        return NOTHING
    side = author.fn("on_side", "on_side_or_not")
    return (
        f"om.maintain({author.fn('product_of')}, {a.name}, {b.name}, delta=({side}, {side}))",
        {"single": True},
    )


@operator(1)
def literal(author: Author) -> Line:
    rows = author.rng.sample(["1", "'a'", "None", "nan", "(1, 'b')", "1.0", "[2]", "'a'"], 3)
    return f"om.literal([{', '.join(rows)}])", {}


@operator(1)
def lazy(author: Author) -> Line:
    node, below = author.node("table", "groups"), author.node(lazy=True)
    if node is None:
        return NOTHING
    if below is not None and author.rng.random() < 0.4:
        return (
            f"om.lazy({author.fn('through')}, reads=({node.name}, {below.name}))",
            {"lazy": True},
        )
    return f"om.lazy({author.fn('chain', 'halves')}, reads={node.name})", {"lazy": True}


@operator(1)
def read_lazy(author: Author) -> Line:
    node, other = author.node(), author.node(lazy=True)
    if node is None or other is None:
        return NOTHING
    if author.rng.random() < 0.3:
        return f"{node.name}.filter({author.fn('wanted')}, reads={other.name})", kept(node)
    return f"{node.name}.map({author.fn('on_demand')}, reads={other.name})", {"ordered": False}


@operator(4)
def read_view(author: Author) -> Line:
    node, other = author.node(), author.node("rows", "table", "groups", "table")
    if node is None or other is None:
        return NOTHING
    verb = author.rng.choice(["map", "filter", "flat_map"])
    of_keys = other.shape != "rows"
    names = {
        "map": ["length", "number_of"]
        + ["look", "look_small", "follow"] * 2 * of_keys
        + ["value"] * (other.single and other.bare),
        "filter": ["more"] + ["found"] * 2 * of_keys,
        "flat_map": ["repeat"],
    }[verb]
    traits = kept(node) if verb == "filter" else {"ordered": False}
    return f"{node.name}.{verb}({author.fn(*names)}, reads={other.name})", traits
