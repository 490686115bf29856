"""The everyday functions are traced, and answer as Python does, on each version of Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from against_python import check
from compared import compared, counts
from everyday import EVERYDAY, EXPECTED_OPAQUE, FORMS, Everyday

HERE = Path(__file__).parent


def forms() -> Iterator[object]:
    for case in EVERYDAY:
        for form, name in zip(case.forms, FORMS, strict=True):
            yield pytest.param(case, form, id=f"{case.name}-{name}")


@pytest.mark.parametrize(("case", "form"), list(forms()))
def test_an_everyday_function_is_traced_and_answers_as_python_does(case: Everyday, form) -> None:
    said = check(form, case.types)
    if case.name in EXPECTED_OPAQUE:
        assert said is not None and said.startswith("opaque: ") and "(line " in said
    else:
        assert said is None


def test_the_corpus_is_large_and_nine_in_ten_are_expected_to_trace() -> None:
    assert len(EVERYDAY) >= 39
    assert len(EXPECTED_OPAQUE) * 10 <= len(EVERYDAY)


def test_nine_in_ten_are_traced_where_sparks_own_transpiler_lowers_fewer(spark) -> None:
    """Spark is asked form by form, about the same functions: `transpiled.py` says how.

    A function on a row is asked with its fields as scalar arguments, for it takes no rows.
    Functions are counted in Spark's favour: ours in every form, Spark's in one of the three.
    """
    found = counts(compared(spark))
    print(found)
    assert found.functions >= 39 and found.forms == 3 * found.functions
    assert found.traced * 10 >= found.forms * 9
    assert found.traced_in_every_form * 10 >= found.functions * 9
    assert 0 < found.lowered < found.traced  # it was on, and lowered something
    assert 0 < found.lowered_in_some_form < found.traced_in_every_form


def other_pythons() -> Iterator[tuple[str, Path]]:
    """Other versions of Python, where pyenv or the path has them."""
    places = [Path.home() / ".pyenv" / "versions", *map(Path, os.get_exec_path())]
    for version in ("3.11", "3.12", "3.13"):
        if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
            continue
        found = [
            python
            for place in places
            for python in (*place.glob(f"{version}*/bin/python"), place / f"python{version}")
            if python.is_file()
        ]
        yield version, found[0] if found else Path()


@pytest.mark.parametrize(("version", "python"), list(other_pythons()))
def test_another_version_of_python_traces_as_much(version: str, python: Path) -> None:
    if python == Path():
        pytest.skip(f"Python {version} is not installed here")
    command = [python, HERE / "against_python.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert {name.split("-")[0] for name in found["opaque"]} == EXPECTED_OPAQUE
    assert found["traced"] * 10 >= found["forms"] * 9
