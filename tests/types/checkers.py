"""Running mypy and pyright on the samples, and reading what they say."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
Found = dict[int, set[str]]
"""The rules that were broken, by line."""


def mypy(*names: str, cache: Path, python: str = sys.executable, plugin: bool = False) -> list[str]:
    """The lines of `mypy --strict` on samples, in an environment."""
    config = cache / "mypy.ini"
    config.write_text("[mypy]\nplugins = ominus.mypy\n" if plugin else "[mypy]\n")
    command = [python, "-m", "mypy", "--strict", "--config-file", config, "--no-error-summary"]
    command += ["--cache-dir", cache, "--no-pretty", *(SAMPLES / name for name in names)]
    run = subprocess.run(command, cwd=SAMPLES, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return [line for line in run.stdout.splitlines() if ": note: " not in line]


def pyright(*names: str, python: str = sys.executable) -> list[str]:
    """The errors of pyright with its standard settings, in the form of mypy's."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", python, "--outputjson", *names]
    env = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    run = subprocess.run(command, cwd=SAMPLES, env=env, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    found = json.loads(run.stdout)["generalDiagnostics"]
    return [
        f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: error: "
        f"{one['message'].splitlines()[0]}  [{one.get('rule', 'syntax')}]"
        for one in found
    ]


def rules(lines: list[str]) -> Found:
    """The rules that were broken, line by line."""
    found: Found = {}
    for line in lines:
        match = re.match(r".*?:(\d+): error: .*\[([\w-]+)\]$", line)
        assert match, line
        found.setdefault(int(match[1]), set()).add(match[2])
    return found


def refused(name: str) -> dict[int, tuple[str, ...]]:
    """The lines that a sample says are refused, with the rules that it names."""
    return dict(_marked((SAMPLES / name).read_text().splitlines()))


def _marked(lines: list[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    named: tuple[str, ...] = ()
    for number, line in enumerate(lines, start=1):
        if line.startswith("# Refused: "):
            named = tuple(line.removeprefix("# Refused: ").split(", "))
        elif not line:
            named = ()
        elif named:
            yield number, named
