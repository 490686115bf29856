"""Write docs/reference/ from the code, so that no list in prose can fall behind it.

`--check` writes nothing, and fails where a page is stale.
A page exists only where there is something to list.
"""

import ast
import functools
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import traced

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "reference"
NOTE = "<!-- Written by `make docs` from the docstrings; edit those. -->"


def module(name: str) -> ModuleType | None:
    """The module if there is one; one that is there and broken still throws."""
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        found = None
    return importlib.import_module(name) if found else None


def public(name: str) -> list[tuple[str, object]]:
    """The names of a module's `__all__`, each with what it is, in order."""
    found = module(name)
    return [(each, getattr(found, each)) for each in getattr(found, "__all__", [])]


def described(name: str, value: object) -> str | None:
    """The docstring of a public name, or None; a value or an alias has it below its assignment."""
    if not has_its_own_docstring(value):
        return below_assignment(name) or instance_of_ours(value)
    text = value.__doc__
    # A dataclass writes `Name(field: type)` for one who wrote nothing.
    return inspect.cleandoc(text) if text and not text.startswith(f"{name}(") else None


def has_its_own_docstring(value: object) -> bool:
    return isinstance(value, type | ModuleType) or is_function(value)


def is_function(value: object) -> bool:
    return inspect.isroutine(value) or hasattr(value, "__wrapped__")


def is_ours(kind: type) -> bool:
    return kind.__module__.split(".")[0] == "ominus"


def instance_of_ours(value: object) -> str | None:
    kind = type(value)
    return inspect.getdoc(kind) if is_ours(kind) and kind.__dict__.get("__doc__") else None


def below_assignment(name: str, source: Path = ROOT / "src") -> str | None:
    """The string that stands on the line after `name = ...` at the top of a module."""
    for file in sorted(source.rglob("*.py")):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for statement, following in pairwise(body):
            if name in assigned(statement):
                match following:
                    case ast.Expr(ast.Constant(str(text))):
                        return inspect.cleandoc(text)
    return None


def assigned(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(name)):
            return {name}
    return set()


def sentence(text: str | None) -> str:
    """The first sentence of a docstring, on one line."""
    paragraph = " ".join((text or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`])", paragraph)[0].replace("|", "\\|")


def labelled(text: str | None, label: str) -> str:
    """What a docstring says after `Law`, `Cost` or `Fails`."""
    found = re.search(rf"^{label}\s+(.+)$", text or "", re.MULTILINE)
    return found[1].strip().replace("|", "\\|") if found else ""


def call(name: str, value: object) -> str:
    """The call as a user writes it: names and defaults, without types."""
    try:
        parameters = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    shown, keyword_only = [], False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not keyword_only:
            shown.append("*")
        keyword_only = keyword_only or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        shown.append(parameter(each))
    return f"{name}({', '.join(shown)})".replace("|", "\\|")


def parameter(each: inspect.Parameter) -> str:
    stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
    if each.default is each.empty:
        return f"{stars}{each.name}"
    default = each.default
    plain = default is None or isinstance(default, str | int | float | bool | tuple)
    return f"{each.name}={default!r}" if plain else f"{each.name}=..."


def kind(value: object) -> str:
    if isinstance(value, type):
        return "class"
    if isinstance(value, ModuleType):
        return "module"
    return "function" if is_function(value) else "value"


def names_page() -> Iterator[str]:
    names = public("ominus")
    if not names:
        return
    yield from ("# Public names", "", NOTE, "", "`import ominus as om`, then:", "")
    yield from ("| name | what it is | in a sentence |", "|---|---|---|")
    for name, value in names:
        yield f"| `om.{name}` | {kind(value)} | {sentence(described(name, value))} |"


def reducers_page() -> Iterator[str]:
    names = public("ominus.reducers")
    if not names:
        return
    yield from ("# The catalogue of reducers", "", NOTE, "")
    yield from ("`from ominus import reducers as r`, then:", "")
    yield from ("| reducer | in a sentence | cost |", "|---|---|---|")
    for name, value in names:
        text = described(name, value)
        yield f"| `r.{call(name, value)}` | {sentence(text)} | {labelled(text, 'Cost')} |"


def error_classes() -> list[type]:
    found = module("ominus.errors")
    own = (value for value in vars(found).values() if isinstance(value, type)) if found else ()
    return [each for each in own if issubclass(each, BaseException) and is_ours(each)]


def errors_page() -> Iterator[str]:
    errors = error_classes()
    if not errors:
        return
    yield from ("# The tree of errors", "", NOTE, "")
    yield from ("Every error says what was asked, what was found, and what to do next.", "")
    roots = [each for each in errors if not any(base in errors for base in each.__bases__)]
    for root in roots:
        yield from branch(root, errors, depth=0)


def branch(error: type, errors: list[type], depth: int) -> Iterator[str]:
    foreign = [base.__name__ for base in error.__bases__ if base not in [*errors, Exception]]
    also = f", also `{'`, `'.join(foreign)}`" if foreign else ""
    name = error.__name__
    yield f"{'  ' * depth}- `{name}`{also}: {sentence(described(name, error))}"
    for child in errors:
        # An error with two parents stands under the first.
        if next((base for base in child.__bases__ if base in errors), None) is error:
            yield from branch(child, errors, depth + 1)


def verdicts_page() -> Iterator[str]:
    verified = catalogue_verdicts()
    if not verified:
        return
    laws = list(dict.fromkeys(law for *_, v in verified for law in v if law not in FOLLOWING))
    cell = importlib.import_module("ominus.contract.report").cell
    yield from ("# The catalogue under its laws", "", NOTE, "")
    yield "What `om.verify` says of each reducer of the catalogue, for values of a type."
    yield "*Proved* is about all values of the type, *checked* about the examples that were run."
    yield "A dash: the reducer has nothing that the law is about."
    yield "`remove_commutes` and `remove_add_commute` follow from these."
    yield from ("", f"| reducer | values | {' | '.join(f'`{law}`' for law in laws)} |")
    yield "|---|---|" + "---|" * len(laws)
    for reducer, values, found in verified:
        words = " | ".join(cell(found.get(law)) for law in laws)
        yield f"| `r.{reducer!r}` | `{spelled(values)}` | {words} |"


FOLLOWING = ("remove_commutes", "remove_add_commute")


@functools.cache
def catalogue_verdicts() -> list[tuple[Any, Any, Any]]:
    """Each reducer of the catalogue, a type of values, and what `verify` says; ints beside floats.

    Nothing where a solver or Hypothesis is missing: what is then said is not what the page says.
    """
    if not all(map(module, ("z3", "hypothesis", "ominus.contract.prove", "ominus.reducers"))):
        return []
    verify = importlib.import_module("ominus.contract.verify").verify
    catalogue = importlib.import_module("ominus.reducers").CATALOGUE
    kinds = [(e.reducer, k) for e in catalogue.values() for k in (as_ints(e.values), e.values)]
    once = {(repr(reducer), repr(kind)): (reducer, kind) for reducer, kind in kinds}
    # Generous, for a word must not depend on how busy the machine is.
    return [(r, k, verify(r, k, seconds=20, examples=100)) for r, k in once.values()]


def as_ints(values: Any) -> Any:
    """The type with ints in place of its floats."""
    pair = tuple[float, float]
    return int if values is float else tuple[int, int] if values == pair else values


def spelled(values: Any) -> str:
    return values.__name__ if type(values) is type else str(values)


@functools.cache
def traced_lines() -> list[str]:
    """Nothing where Spark cannot start: its half of the page is then not known."""
    return [] if traced.not_judged() else list(traced.page())


def traced_page() -> Iterator[str]:
    yield from traced_lines()


PAGES = {
    "names.md": names_page,
    "reducers.md": reducers_page,
    "errors.md": errors_page,
    "verdicts.md": verdicts_page,
    "traced.md": traced_page,
}


def stale(folder: Path = REFERENCE) -> dict[Path, str]:
    """The pages whose file differs from what the code says, each with what it should be."""
    wanted = {folder / name: "\n".join(page()) for name, page in PAGES.items()}
    texts = {path: text + "\n" if text else "" for path, text in wanted.items()}
    known = {"verdicts.md": catalogue_verdicts(), "traced.md": traced_lines()}
    for name, lines in known.items():
        if not lines:
            texts.pop(folder / name, None)  # nothing to judge it by
    return {path: text for path, text in texts.items() if text != on_disk(path)}


def on_disk(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main(*, check: bool) -> int:
    pages = stale()
    for path, text in pages.items():
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
        if not check and text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not check:
            path.unlink()
    if check and pages:
        print("run `make docs`")
    return 1 if check and pages else 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
