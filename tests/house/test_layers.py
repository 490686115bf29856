"""Who may import whom: the table of the house, as data, against the source.

Imports inside functions, under TYPE_CHECKING and through `import_module` count like any other.
A module that belongs to no room is refused: say first where it lives, and what it may see.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "ominus"
TOP = "__init__"  # the room of ominus/__init__.py
ANYWHERE = ""


@dataclass(frozen=True)
class Room:
    """What a room may import: rooms (or single modules) of ominus, and packages from outside.

    A package from outside is allowed in one module of the room only, where the table names it.
    """

    sees: frozenset[str] = frozenset()
    outside: Mapping[str, str] = field(default_factory=dict)


def room(*sees: str, **outside: str) -> Room:
    return Room(frozenset(sees), outside)


ROOMS: dict[str, Room] = {
    "errors": room(),
    "algebra": room(),
    "trace": room(),
    "reducers": room("algebra", "trace", datasketches="sketches"),
    "flow": room("algebra", "reducers", "trace"),
    "contract": room("algebra", "trace", hypothesis="check", z3="prove"),
    "fixpoint": room("algebra", "flow", numpy="kernels", numba="kernels"),
    "query": room("algebra", "flow", "fixpoint", greenlet="table"),
    "state": room("algebra", "flow", "contract", msgspec=ANYWHERE, psycopg="log"),
    "engine": room(),
    "engine.embedded": room(
        "algebra",
        "trace",
        "flow",
        "fixpoint",
        numpy=ANYWHERE,
        numba=ANYWHERE,
        pyarrow=ANYWHERE,
        polars="view",
    ),
    # Spark's tasks run the embedded engine's kernels, never its driver.
    "engine.spark": room(
        *("algebra", "trace", "flow", "fixpoint"),
        *("engine.embedded.rows", "engine.embedded.columns", "engine.embedded.arrange"),
        pyspark=ANYWHERE,
        pyarrow=ANYWHERE,
        numpy=ANYWHERE,
        deltalake="sink",
        psycopg="sink",
    ),
    # The public surface, and nothing behind it.
    "deadcode": room(TOP, "reducers", "rules", watchfiles="watch"),
    "serve": room(
        "state", "flow", "query", "contract", "fixpoint", starlette="http", uvicorn="http"
    ),
    "testing": room("algebra", "reducers", "contract", "flow", hypothesis=ANYWHERE),
    # What a user could have written.
    "demo": room(TOP, "reducers"),
    # Two faces that the surface names: the rules, and the plugin that mypy loads.
    "rules": room("fixpoint"),
    "mypy": room(mypy=ANYWHERE),
}
# Where a module is named by data: an engine, which the flow itself must not know.
DOORS = {"flow.port", "trace.freeze"}

ROOMS["__main__"] = room("cli")
ROOMS["cli"] = room(TOP, *ROOMS, click=ANYWHERE)
ROOMS[TOP] = room(*ROOMS, click=ANYWHERE)


def room_of(module: str) -> str | None:
    """The room that a module lives in (`flow.ops` -> `flow`), or None if the table has none."""
    parts = module.split(".")
    names = (".".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((name for name in names if name in ROOMS), None)


def module_of(file: Path, package: Path) -> str:
    parts = file.relative_to(package).with_suffix("").parts
    if parts[-1] == "__init__" and len(parts) > 1:
        parts = parts[:-1]
    return ".".join(parts)


def imported(tree: ast.AST, file: Path, package: Path) -> Iterator[tuple[int, str]]:
    """Each module that a file imports, by its full name, with the line."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module, names, level):
                origin = absolute(module, level, file, package)
                if origin.split(".")[0] != PACKAGE:
                    yield node.lineno, origin
                    continue
                for alias in names:
                    yield node.lineno, deepest(f"{origin}.{alias.name}", package)
            case ast.Call(ast.Name("import_module" | "__import__"), [name, *_]):
                yield node.lineno, spelled(name)
            case ast.Call(ast.Attribute(attr="import_module"), [name, *_]):
                yield node.lineno, spelled(name)


def spelled(name: ast.expr) -> str:
    return name.value if isinstance(name, ast.Constant) else f"computed: {ast.unparse(name)}"


def absolute(module: str | None, level: int, file: Path, package: Path) -> str:
    if not level:
        return module or ""
    folder = file.parents[level - 1]
    parts = (PACKAGE, *folder.relative_to(package).parts)
    return ".".join([*parts, module] if module else parts)


def deepest(name: str, package: Path) -> str:
    """`ominus.flow.ops.Join` -> `ominus.flow.ops`: what an imported name lives in."""
    parts = name.split(".")
    path = package.joinpath(*parts[1:])
    return name if path.is_dir() or path.with_suffix(".py").exists() else ".".join(parts[:-1])


def complaint(source: str, target: str) -> str | None:
    """Why the module `source` may not import `target`; None if it may."""
    here = room_of(source)
    if here is None:
        return "is in no room of the table; add it to HOUSE's table and to ROOMS"
    if target.startswith("computed: "):
        return (
            None
            if here in (TOP, "cli") or source in DOORS
            else f"imports what only running it tells ({target})"
        )
    top, _, inner = target.partition(".")
    if top == PACKAGE:
        return inside(here, inner or TOP)
    return outside(here, source, top)


def inside(here: str, inner: str) -> str | None:
    there = room_of(inner)
    seen = ROOMS[here].sees
    if there in (here, "errors") or there in seen:
        return None
    if any(inner == name or inner.startswith(f"{name}.") for name in seen if "." in name):
        return None
    return (
        f"({here}) imports {PACKAGE}.{inner} ({there}); it may import {sorted(seen) or 'nothing'}"
    )


def outside(here: str, source: str, top: str) -> str | None:
    if top in sys.stdlib_module_names:
        return None
    allowed = ROOMS[here].outside
    if top not in allowed:
        return f"({here}) imports {top}; from outside it may import {sorted(allowed) or 'nothing'}"
    only = f"{here}.{allowed[top]}"
    if allowed[top] != ANYWHERE and source != only and not source.startswith(f"{only}."):
        return f"imports {top}, which only {only} may"
    return None


def violations(package: Path) -> list[str]:
    found = []
    for file in sorted(package.rglob("*.py")):
        source = module_of(file, package)
        tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
        if room_of(source) is None:
            found.append(f"{source} {complaint(source, PACKAGE)}")
            continue
        for line, target in imported(tree, file, package):
            if why := complaint(source, target):
                found.append(f"{source}:{line} {why}")
    return found


def test_every_import_is_in_the_table() -> None:
    found = violations(ROOT / "src" / PACKAGE)
    assert not found, "\n".join(found)


def test_every_room_of_the_table_names_only_rooms() -> None:
    assert [name for r in ROOMS.values() for name in r.sees if room_of(name) is None] == []


REFUSED = {
    "a room the table does not allow": ("algebra/delta.py", "from ominus.flow import ops"),
    "the engine from the flow": ("flow/port.py", "import ominus.engine.embedded.plan"),
    "inside a function": ("algebra/delta.py", "def f():\n    from ominus.trace import expr"),
    "for type checkers only": (
        "algebra/delta.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..flow import ops",
    ),
    "by a relative name": ("algebra/delta.py", "from ..flow.ops import Join"),
    "by a relative name of a room": ("algebra/delta.py", "from .. import flow"),
    "the public names from within": ("flow/ops.py", "from ominus import Multiset"),
    "by import_module": ("flow/ops.py", "import importlib\nimportlib.import_module('ominus.cli')"),
    "by a computed name": (
        "flow/ops.py",
        "from importlib import import_module as i\n__import__(x)",
    ),
    "a package from outside": ("algebra/multiset.py", "import numpy as np"),
    "a package in the wrong module": ("contract/verdict.py", "from hypothesis import given"),
    "an engine's driver by the other": ("engine/spark/batch.py", "from ..embedded import plan"),
    "what lies behind the surface": ("deadcode/report.py", "from ominus.flow import Rows"),
    "a module in no room": ("helpers.py", "import sys"),
    "a folder in no room": ("engine/flink/batch.py", "import pyflink"),
}

ALLOWED = {
    "errors, from anywhere": ("algebra/delta.py", "from ominus.errors import InvalidDelta"),
    "errors, as a name of the package": ("engine/spark/sink.py", "from ominus import errors"),
    "the own room": ("flow/shapes.py", "from . import ops\nfrom .spec import Spec"),
    "a room below": ("flow/derive.py", "from ominus.algebra.multiset import Multiset"),
    "the standard library": ("algebra/multiset.py", "import dataclasses, collections.abc"),
    "a package where it belongs": ("contract/check.py", "from hypothesis import given"),
    "the kernels of the other engine": ("engine/spark/batch.py", "from ..embedded import columns"),
    "all rooms, for the command line": (
        "cli.py",
        "import click\nimport ominus\nimport ominus.flow",
    ),
    "an engine that is named by data": ("flow/port.py", "import_module(ENGINES[name])"),
    "a table of lazy names": ("__init__.py", "import importlib\nimportlib.import_module(NAMES[n])"),
}


@pytest.mark.parametrize(("file", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_a_planted_violation_is_found(tmp_path: Path, file: str, code: str) -> None:
    assert len(violations(planted(tmp_path, file, code))) == 1


@pytest.mark.parametrize(("file", "code"), ALLOWED.values(), ids=ALLOWED.keys())
def test_what_the_table_allows_passes(tmp_path: Path, file: str, code: str) -> None:
    assert violations(planted(tmp_path, file, code)) == []


def planted(tmp_path: Path, file: str, code: str) -> Path:
    package = tmp_path / PACKAGE
    rooms = (name.replace(".", "/") for name in ROOMS if name not in (TOP, "errors", "cli"))
    for folder in rooms:
        (package / folder).mkdir(parents=True)
    for module in ("flow/ops", "flow/spec", "engine/embedded/plan", "engine/embedded/columns"):
        (package / f"{module}.py").touch()
    (package / "errors.py").touch()
    (package / file).parent.mkdir(parents=True, exist_ok=True)
    (package / file).write_text(code, encoding="utf-8")
    return package
