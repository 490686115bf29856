"""mypy and pyright pass on what users write, and refuse what users get wrong."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import checkers

FILES = ("user.py", "refused.py")
MORE = ("user_with_plugin.py", "refused_with_plugin.py")


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return checkers.mypy(*FILES, *MORE, cache=tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="session")
def plugged(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return checkers.mypy(*FILES, *MORE, cache=tmp_path_factory.mktemp("plugged"), plugin=True)


@pytest.fixture(scope="session")
def by_pyright() -> list[str]:
    return checkers.pyright(*FILES)


def of(name: str, lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(rf"(.*/)?{name}:", line)]


def differing(name: str, lines: list[str], place: int) -> list[str]:
    """Where a checker's rules are not those that the sample names."""
    found, wanted = checkers.rules(of(name, lines)), checkers.refused(name)
    return [
        f"{name}:{line} breaks {sorted(found.get(line, ()))}, not {wanted.get(line, ())}"
        for line in sorted({*found, *wanted})
        if wanted.get(line, ("",) * 3)[place] not in found.get(line, ())
    ]


def test_mypy_passes_on_a_users_file(plain: list[str]) -> None:
    assert of("user.py", plain) == []


def test_mypy_passes_on_a_users_file_with_the_plugin(plugged: list[str]) -> None:
    assert of("user.py", plugged) == []


def test_pyright_passes_on_a_users_file(by_pyright: list[str]) -> None:
    assert of("user.py", by_pyright) == []


def test_mypy_refuses_each_planted_mistake_and_no_other_line(plain: list[str]) -> None:
    assert differing("refused.py", plain, 0) == []


def test_mypy_with_the_plugin_refuses_the_same(plugged: list[str]) -> None:
    assert differing("refused.py", plugged, 0) == []


def test_pyright_refuses_each_planted_mistake_and_no_other_line(by_pyright: list[str]) -> None:
    assert differing("refused.py", by_pyright, 1) == []


def test_the_plugin_knows_records_and_what_strings_name(plugged: list[str]) -> None:
    assert of("user_with_plugin.py", plugged) == []


def test_the_plugin_refuses_what_the_language_cannot_say(plugged: list[str]) -> None:
    assert differing("refused_with_plugin.py", plugged, 0) == []


def test_without_the_plugin_these_mistakes_pass(plain: list[str]) -> None:
    found = checkers.rules(of("refused_with_plugin.py", plain))
    assert set(found) & set(checkers.refused("refused_with_plugin.py")) == set()


def test_at_least_ten_mistakes_of_each_kind_are_planted() -> None:
    assert all(len(checkers.refused(name)) >= 10 for name in (FILES[1], MORE[1]))


def test_what_the_plugin_knows_outlives_mypys_cache(tmp_path: Path) -> None:
    first = checkers.mypy(*MORE, cache=tmp_path, plugin=True)
    again = checkers.mypy(*MORE, cache=tmp_path, plugin=True)
    assert of(MORE[1], again) == of(MORE[1], first)
    assert first


def test_the_stubs_say_what_there_is_at_run_time(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    allowed.write_text(
        # What a definition refuses when asked stands in no stub, so that checkers refuse it too.
        "ominus\\.flow\\.shapes\\.Shape\\.__(bool|iter)__\n"
        # Every shape says these for itself.
        "ominus\\.flow\\.shapes\\.Fluent\\..*\n"
        # Their overloads ask for what must be given; `on=None` is nobody's wish.
        "ominus\\.flow\\.shapes\\.(Rows|Table|Groups)\\.(join|reduce)\n"
        "ominus\\.reducers\\.extremes\\.Keep\n"
    )
    modules = ["ominus.flow.shapes", "ominus.reducers", "ominus.algebra.typevars"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--concise", "--allowlist", allowed, *modules],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_users_file_runs() -> None:
    run = subprocess.run(
        [sys.executable, checkers.SAMPLES / "user.py"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
