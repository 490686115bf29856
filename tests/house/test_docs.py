"""Every code block of the documentation runs, and prints what the page says that it prints.

The blocks marked `python` of one page run in order, in one namespace, from an empty folder.
A block marked `text` or `output` directly after one is what it prints; `...` is anything.
`python raises=KeysDiffer` must raise that; what it prints is then `KeysDiffer: ` and the message.
`python needs=pyspark` ends the page where that module (or name) is missing: a skipped test.
There is no mark for a block that is not run.
"""

import contextlib
import doctest
import io
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from types import ModuleType

import pytest

from pages import Block, anchors, blocks, broken_links
from reference import module

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*PAGES, ROOT / "CHANGELOG.md"]
OUTPUT = {"text", "output"}
LANGUAGES = {
    "python",
    *OUTPUT,
    "sh",
    "sql",
    "toml",
    "json",
    "yaml",
    "make",
    "mermaid",
    "dot",
    "html",
}
OPTIONS = {"raises", "needs"}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def problems(text: str) -> Iterator[str]:
    """Blocks that would not be run, or not be compared, without anyone noticing."""
    for block in blocks(text):
        where = f"line {block.line - 1}"
        if block.language not in LANGUAGES:
            yield f"{where}: ```{block.language} is not one of {sorted(LANGUAGES)}"
        if unknown := {name for name, _ in block.options} - OPTIONS:
            yield f"{where}: {sorted(unknown)} is not one of {sorted(OPTIONS)}"
        if block.language == "output" and (not block.follows or block.follows.language != "python"):
            yield f"{where}: this output directly follows no python block"


def execute(page: Path, text: str) -> None:
    """Run the python blocks of a page, and compare what each prints."""
    every = list(blocks(text))
    expected = {b.follows: b for b in every if b.language in OUTPUT and b.follows}
    namespace = ModuleType(f"page_{page.stem}")
    sys.modules[namespace.__name__] = namespace  # for dataclasses, pickles and type hints
    try:
        code = [block for block in every if block.language == "python"]
        for block in takewhile(is_runnable, code):
            printed = run(block, page, namespace)
            if block in expected:
                compare(page, expected[block], printed)
    finally:
        del sys.modules[namespace.__name__]
    if missing := next((block for block in code if not is_runnable(block)), None):
        pytest.skip(f"line {missing.line}: {missing.option('needs')} is not there")


def is_runnable(block: Block) -> bool:
    needed = block.option("needs")
    return needed is None or is_there(needed)


def is_there(name: str) -> bool:
    """Whether there is a module of that name, or a module that has it as an attribute."""
    parent, _, last = name.rpartition(".")
    return module(name) is not None or (bool(parent) and hasattr(module(parent), last))


def run(block: Block, page: Path, namespace: ModuleType) -> str:
    # The lines above are left empty, so that a traceback shows the page's own line.
    source = "\n" * (block.line - 1) + block.text
    code = compile(source, str(page), "exec", dont_inherit=True)
    printed, error = io.StringIO(), block.option("raises")
    with contextlib.redirect_stdout(printed):
        if not error:
            exec(code, vars(namespace))
            return printed.getvalue()
        with pytest.raises(Exception) as raised:
            exec(code, vars(namespace))
    name = type(raised.value).__name__
    assert name == error, f"{page.name}:{block.line}: raises {name}, not {error}: {raised.value}"
    return f"{printed.getvalue()}{name}: {raised.value}\n"


def compare(page: Path, expected: Block, printed: str) -> None:
    want, got = tidy(expected.text), tidy(printed)
    fits = doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS)
    assert fits, f"{page.name}:{expected.line}: the page says\n{want}\nand the code prints\n{got}"


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_runs_and_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page.read_text(encoding="utf-8")
    assert list(problems(text)) == []
    monkeypatch.chdir(tmp_path)
    execute(page, text)


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def run_text(*parts: str) -> None:
    execute(Path("page.md"), "\n".join(parts))


def test_blocks_of_a_page_share_one_namespace() -> None:
    run_text(
        "```python",
        "x = 1",
        "```",
        "and",
        "```python",
        "print(x)",
        "```",
        "",
        "```text",
        "1",
        "```",
    )


def test_a_class_of_a_page_can_be_a_dataclass_with_lazy_annotations() -> None:
    run_text(
        *("```python", "from __future__ import annotations", "import typing, dataclasses"),
        *("@dataclasses.dataclass", "class A: x: int"),
        *("print(typing.get_type_hints(A))", "```", "```output", "{'x': <class 'int'>}", "```"),
    )


def test_a_wrong_output_is_found() -> None:
    with pytest.raises(AssertionError, match=r"page\.md:5: the page says"):
        run_text("```python", "print(1)", "```", "```text", "2", "```")


def test_a_broken_block_is_found() -> None:
    with pytest.raises(ZeroDivisionError):
        run_text("```python", "1 / 0", "```")


def test_dots_stand_for_anything() -> None:
    run_text("```python", "print('took 3 s')", "```", "```text", "took ... s", "```")


def test_text_after_prose_is_no_output() -> None:
    run_text("```python", "print(1)", "```", "A picture:", "```text", "2", "```")


def test_an_error_that_a_page_promises_is_compared_with_its_message() -> None:
    run_text(
        "```python raises=ValueError", "int('x')", "```", "```text", "ValueError: ...'x'", "```"
    )


def test_an_error_that_does_not_come_is_found() -> None:
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        run_text("```python raises=ValueError", "int('1')", "```")


def test_another_error_than_the_promised_one_is_found() -> None:
    with pytest.raises(AssertionError, match="raises ZeroDivisionError, not ValueError"):
        run_text("```python raises=ValueError", "1 / 0", "```")


def test_a_page_whose_package_is_not_installed_says_that_it_was_skipped() -> None:
    with pytest.raises(pytest.skip.Exception, match="no_such_package is not there"):
        run_text("```python needs=no_such_package", "1 / 0", "```")


def test_a_page_can_need_a_name_of_a_module() -> None:
    run_text("```python needs=math.pi", "pass", "```")
    with pytest.raises(pytest.skip.Exception, match=r"math\.no_such_name"):
        run_text("```python needs=math.no_such_name", "1 / 0", "```")


def test_what_stands_before_a_skipped_block_still_runs() -> None:
    with pytest.raises(ZeroDivisionError):
        run_text("```python", "1 / 0", "```", "```python needs=no_such_package", "pass", "```")


@pytest.mark.parametrize(
    "page",
    [
        "```py\n1\n```",
        "```\n1\n```",
        "```python3\n1\n```",
        "```python norun\n1\n```",
        "```output\n1\n```",
        "```python\n1\n```\nprose\n```output\n1\n```",
    ],
)
def test_a_block_that_nobody_would_run_is_found(page: str) -> None:
    assert len(list(problems(page))) == 1


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# One thing, first\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](other.md) [b](gone.md) [c](other.md#one-thing-first) [d](other.md#gone)\n"
        "[e](#here) [f](#gone) [g](https://example.org/gone) `[h](gone.md)`\n\n"
        "```text\n[i](gone.md)\n```\n[j]: gone.md\n",
        encoding="utf-8",
    )
    assert broken_links(page) == ["gone.md", "other.md#gone", "#gone", "gone.md"]


def test_a_comment_in_a_block_is_no_heading() -> None:
    assert anchors("# A `b` c\n```python\n# d\n```\n") == {"a-b-c"}
