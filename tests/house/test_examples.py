"""Every program of examples/ runs from start to end, as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(example: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(example)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs(example: Path, tmp_path: Path) -> None:
    done = run(example, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout, "an example shows something"


def test_an_example_that_fails_is_found(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import ominus\nominus.no_such_name\n", encoding="utf-8")
    assert "no_such_name" in run(broken, tmp_path).stderr
