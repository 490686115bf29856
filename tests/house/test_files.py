"""How files are called, how long they get, and what never stands in them."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_FILE = 400
LONGEST_EXAMPLE = 60
LONGEST_DECISION = 40
EMPTY_NAMES = {"utils", "util", "common", "core", "base", "misc", "manager", "helpers"}

# A letter in brackets matches itself, and keeps this file from matching.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/(?:work|root|home|Users|opt)/\w",
    "a package index's host": r"[p]ypi\.org|[p]ythonhosted|[p]iwheels|[d]evpi|[a]naconda\.org",
    "a registry's host": r"[n]pmjs\.|[m]aven\.|[d]ocker\.io|[g]hcr\.io|[a]rtifactory|[j]frog",
    "an index on the command line": r"--([e]xtra-)?[i]ndex-url[ =]|--[f]ind-links|--[t]rusted-host",
}
FOREIGN_TEXT = {"LICENSE"}


def tracked() -> list[Path]:
    """What git knows, or will once it is added; in an unpacked archive, everything."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        return [path for path in ROOT.rglob("*") if ".venv" not in path.parts and path.is_file()]
    files = (ROOT / name for name in run.stdout.split("\0") if name)
    return [file for file in files if file.is_file()]


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # a picture, a table: not written by hand


def leaks(file: Path) -> Iterator[str]:
    for number, line in enumerate(text_of(file).splitlines(), start=1):
        for what, pattern in FORBIDDEN.items():
            if re.search(pattern, line):
                yield f"{file.name}:{number}: {what}: {line.strip()[:80]}"


def too_long(files: list[Path], most: int) -> list[str]:
    lengths = {file: len(text_of(file).splitlines()) for file in files}
    return [f"{file}: {lines} lines of {most}" for file, lines in lengths.items() if lines > most]


def misnamed(files: list[Path]) -> list[Path]:
    """Files and folders whose name says nothing of what is in them."""
    return [file for file in files if EMPTY_NAMES & {file.stem, *file.relative_to(ROOT).parts}]


def is_silent(code: str) -> bool:
    """Whether code does not open with a docstring; an empty file has nothing to say."""
    return bool(code.strip()) and not re.match(r'(#.*\n)*r?"""', code)


def code_files() -> list[Path]:
    return [file for file in tracked() if file.suffix == ".py"]


def test_no_file_of_the_source_is_longer_than_four_hundred_lines() -> None:
    assert too_long(sorted((ROOT / "src").rglob("*.py")), LONGEST_FILE) == []


def test_no_example_is_longer_than_sixty_lines() -> None:
    assert too_long(sorted((ROOT / "examples").glob("*.py")), LONGEST_EXAMPLE) == []


def test_no_decision_is_longer_than_forty_lines() -> None:
    assert too_long(sorted((ROOT / "docs" / "decisions").glob("*.md")), LONGEST_DECISION) == []


def test_decisions_are_numbered_each_with_its_own_number() -> None:
    names = [file.name for file in sorted((ROOT / "docs" / "decisions").glob("*.md"))]
    assert [name for name in names if not re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name)] == []
    numbers = [name[:4] for name in names]
    assert sorted(set(numbers)) == numbers


def test_every_name_of_a_file_says_what_is_in_it() -> None:
    assert misnamed(code_files()) == []


def test_every_module_of_the_source_opens_with_its_idea() -> None:
    files = sorted((ROOT / "src").rglob("*.py"))
    assert [file for file in files if is_silent(text_of(file))] == []


def test_nothing_names_an_index_a_registry_or_a_machine() -> None:
    files = [file for file in tracked() if file.name not in FOREIGN_TEXT]
    assert [leak for file in files for leak in leaks(file)] == []


def test_the_pins_name_no_address_and_hash_every_package() -> None:
    pins = sorted((ROOT / "requirements").glob("*.txt"))
    assert pins
    for file in pins:
        text = text_of(file)
        assert "://" not in text
        packages = re.findall(r"^[\w.-]+==[^\\\n]+\\\n(?=    --hash=sha256:)", text, re.MULTILINE)
        assert len(packages) == len(re.findall(r"^\w", text, re.MULTILINE)) > 0


def test_the_changelog_has_a_place_for_what_is_not_released() -> None:
    text = text_of(ROOT / "CHANGELOG.md")
    assert re.search(r"^## \[Unreleased\]$", text, re.MULTILINE)


@pytest.mark.parametrize(
    "line",
    [
        "cd /" + "root/ominus",
        "see /" + "work/main",
        "path = '/" + "home/ada/x'",
        "https://pypi" + ".org/simple",
        "pip install --index-" + "url x y",
        "registry.npm" + "js.org",
    ],
)
def test_a_planted_leak_is_found(tmp_path: Path, line: str) -> None:
    file = tmp_path / "notes.md"
    file.write_text(f"fine\n{line}\n", encoding="utf-8")
    assert len(list(leaks(file))) == 1


@pytest.mark.parametrize(
    "line", ["docs/" + "work/day.md", "./" + "root/x", "/usr/bin/env sh", "a/b"]
)
def test_what_is_no_leak_passes(tmp_path: Path, line: str) -> None:
    file = tmp_path / "notes.md"
    file.write_text(line, encoding="utf-8")
    assert list(leaks(file)) == []


def test_a_planted_name_is_found() -> None:
    assert misnamed([ROOT / "src" / "ominus" / "flow" / "utils.py"])
    assert misnamed([ROOT / "src" / "ominus" / "core" / "plan.py"])
    assert not misnamed([ROOT / "src" / "ominus" / "flow" / "plan.py"])


def test_a_planted_silent_file_is_found() -> None:
    assert is_silent("import os\n")
    assert not is_silent('# a licence\n"""One idea."""\n')


def test_a_planted_long_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text("x = 1\n" * 41, encoding="utf-8")
    assert too_long([file], 40) == [f"{file}: 41 lines of 40"]
    assert too_long([file], 41) == []
