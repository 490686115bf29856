"""What a user sees first: a light import, few names, every one of them explained."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import reference
import traced

ROOT = Path(__file__).parents[2]
HEAVY = ["pyspark", "z3", "hypothesis", "numba", "pandas", "polars", "numpy", "pyarrow", "click"]
MOST_NAMES = 50
PUBLIC_MODULES = ["ominus", "ominus.reducers"]


def loaded_by(code: str) -> list[str]:
    """Which of the heavy packages a fresh interpreter has loaded after `code`."""
    ask = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", ask],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_importing_it_loads_the_standard_library_only(module: str) -> None:
    if reference.module(module) is None:
        pytest.skip(f"there is no {module} yet")
    assert loaded_by(f"import {module}") == []


def test_a_heavy_import_would_be_seen() -> None:
    assert loaded_by("import numpy") == ["numpy"]


def test_the_top_has_at_most_fifty_names() -> None:
    names = [name for name, _ in reference.public("ominus")]
    assert len(names) == len(set(names))
    assert len(names) <= MOST_NAMES, f"{len(names)} public names: {names}"


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_every_public_name_has_a_docstring(module: str) -> None:
    names = reference.public(module) if reference.module(module) else []
    assert [name for name, value in names if not reference.described(name, value)] == []


def test_the_tree_in_the_docstring_of_errors_names_every_error() -> None:
    errors = reference.error_classes()
    drawn = (reference.module("ominus.errors").__doc__ or "").split() if errors else []
    assert [error.__name__ for error in errors if error.__name__ not in drawn] == []


def test_the_reference_is_what_the_code_says() -> None:
    assert list(reference.stale()) == [], "run `make docs`"


def test_the_page_of_traced_functions_is_judged_too() -> None:
    if why := traced.not_judged():
        pytest.skip(f"docs/reference/traced.md was not compared: {why}")
    text = (reference.REFERENCE / "traced.md").read_text(encoding="utf-8")
    assert text == "\n".join(reference.traced_lines()) + "\n", "run `make docs`"


def test_a_stale_page_would_be_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(reference.PAGES, "names.md", lambda: iter(["# Public names"]))
    page = tmp_path / "names.md"
    page.write_text("# Public names\n", encoding="utf-8")
    assert page not in reference.stale(tmp_path)
    page.write_text("# Public names, once\n", encoding="utf-8")
    assert reference.stale(tmp_path)[page] == "# Public names\n"


@dataclass
class Silent:
    field: int


class Told:
    """One sentence. And another."""


def test_a_dataclass_without_a_docstring_counts_as_having_none() -> None:
    assert Silent.__doc__
    assert reference.described("Silent", Silent) is None
    assert reference.sentence(reference.described("Told", Told)) == "One sentence."


def test_a_value_of_another_library_has_no_docstring_of_ours() -> None:
    assert reference.described("fifty", 50) is None
    assert reference.described("alias", int | str) is None


def test_an_alias_is_explained_below_its_assignment(tmp_path: Path) -> None:
    code = 'Verdict = int | str\n"""What is known of a law."""\nOther = 1\n'
    (tmp_path / "verdict.py").write_text(code, encoding="utf-8")
    assert reference.below_assignment("Verdict", tmp_path) == "What is known of a law."
    assert reference.below_assignment("Other", tmp_path) is None
