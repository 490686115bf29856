"""The command line: what it prints, and a status that means something."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ominus import demo
from ominus.cli import main

ROOT = Path(__file__).parents[1]


def run(*args: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, args)
    return done.exit_code, done.output


def test_the_demo_ends_well() -> None:
    status, text = run("demo")
    assert status == 0
    assert text.rstrip().splitlines()[-1].startswith("ok:")


def test_the_demo_fails_where_a_view_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "report", lambda say, *, as_json: False)
    assert run("demo")[0] == 1


def test_the_demo_as_json() -> None:
    status, text = run("demo", "--json")
    assert status == 0 and json.loads(text)["ok"] is True


def test_explain_shows_the_flow_and_what_operators_keep() -> None:
    status, text = run("explain", "ominus.demo:SHOP")
    assert status == 0
    assert "revenue: table by region" in text
    assert "reduce = revenue: keeps 0 keys; sum('amount') is invertible" in text


def test_explain_as_json_lists_operators() -> None:
    status, text = run("explain", "ominus.demo:SHOP", "--json")
    names = {each["name"] for each in json.loads(text)["operators"]}
    assert status == 0 and {"orders", "revenue", "unknown"} <= names


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("no_such_module:flow", "there is no module 'no_such_module'"),
        ("ominus.demo", "names no flow"),
        ("ominus.demo:SEED", "is no flow but 20"),
        ("ominus.demo:NONE", "is no flow but None"),
    ],
)
def test_what_is_no_flow_is_a_mistake_of_usage(asked: str, found: str) -> None:
    status, text = run("explain", asked)
    assert status == 2 and found in text


def test_a_module_of_the_working_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import ominus as om\nrows = om.source('rows', int)\nflow = om.flow(n=rows.count())\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "ominus", "explain", "mine:flow"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "rows: source, rows of int" in done.stdout


@pytest.mark.parametrize("command", main.commands)
def test_every_command_shows_an_example_and_gives_json(command: str) -> None:
    status, text = run(command, "--help")
    assert status == 0
    assert "Example:" in text and "--json" in text


def test_verify_says_which_laws_hold_and_its_status_means_it(tmp_path, monkeypatch):
    (tmp_path / "mine_to_verify.py").write_text(
        "import ominus as om\n"
        "total = om.Reducer(0, lambda a, v: a + v, lambda a, v: a - v, values=int)\n"
        "wrong = om.Reducer(0, lambda a, v: max(a, v), lambda a, v: a, values=int)\n"
    )
    monkeypatch.chdir(tmp_path)
    right = CliRunner().invoke(main, ["verify", "mine_to_verify:total"])
    assert right.exit_code == 0 and "proved" in right.output
    all_ = CliRunner().invoke(main, ["verify", "mine_to_verify"])
    assert all_.exit_code == 1 and "refuted" in all_.output and "reducer.fold" in all_.output
    told = CliRunner().invoke(main, ["verify", "mine_to_verify:wrong", "--json"])
    assert told.exit_code == 1 and json.loads(told.output)["wrong"]["ok"] is False
    assert CliRunner().invoke(main, ["verify", "mine_to_verify:absent"]).exit_code == 2
    assert CliRunner().invoke(main, ["verify", "no_such_module"]).exit_code == 2
