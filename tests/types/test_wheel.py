"""The built wheel, in an environment with nothing else: its types are those of this checkout."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import checkers

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def call(*command: str | Path, cwd: Path | None = None) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An empty environment with the wheel, and with mypy, for the plugin runs inside it."""
    folder = tmp_path_factory.mktemp("wheel")
    target = folder / "env"
    call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist", cwd=ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    call(sys.executable, "-m", "uv", "venv", "--quiet", "--python", sys.executable, target)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", target]
    call(*install, "--no-deps", "--offline", wheel)
    checker = f"mypy=={version('mypy')}"
    try:
        call(*install, "--offline", checker)  # what uv has at hand needs no index
    except AssertionError:
        call(*install, checker)
    return str(target / ("Scripts" if os.name == "nt" else "bin") / "python")


@pytest.fixture(autouse=True)
def no_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.delenv("MYPYPATH", raising=False)


def test_the_users_file_runs_on_the_wheel_alone(python: str) -> None:
    call(python, checkers.SAMPLES / "user.py")


@pytest.mark.parametrize("plugin", [False, True])
def test_mypy_passes_on_a_users_file(python: str, tmp_path: Path, plugin: bool) -> None:
    lines = checkers.mypy("user.py", "refused.py", cache=tmp_path, python=python, plugin=plugin)
    assert {line.split(":")[0] for line in lines} == {"refused.py"}
    assert set(checkers.rules(lines)) == set(checkers.refused("refused.py"))


def test_the_plugin_of_the_wheel_knows_records(python: str, tmp_path: Path) -> None:
    names = ("user_with_plugin.py", "refused_with_plugin.py")
    lines = checkers.mypy(*names, cache=tmp_path, python=python, plugin=True)
    assert {line.split(":")[0] for line in lines} == {names[1]}
    assert set(checkers.rules(lines)) == set(checkers.refused(names[1]))


def test_pyright_passes_on_a_users_file(python: str) -> None:
    lines = checkers.pyright("user.py", "refused.py", python=python)
    assert {line.split(":")[0] for line in lines} == {"refused.py"}
    assert set(checkers.rules(lines)) == set(checkers.refused("refused.py"))
