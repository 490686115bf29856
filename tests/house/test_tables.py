"""The tables inside the pages, and the pictures, are what the code says."""

from pathlib import Path

import tables
from ominus import reducers as r
from ominus.flow import ops


def test_tables_and_pictures_are_what_the_code_says() -> None:
    assert list(tables.stale()) == [], "run `make docs`"


def test_every_operator_is_in_a_table() -> None:
    assert {*tables.OF_ONE, *tables.OF_NONE} == set(ops.VERBS)
    text = "\n".join([*tables.operators(), *tables.beginnings()])
    assert [verb for verb in ops.VERBS.values() if f"{verb}(" not in text] == []


def test_every_reducer_of_the_catalogue_is_in_the_table() -> None:
    assert set(r.CATALOGUE) == set(r.__all__) - {"CATALOGUE"}
    text = "\n".join(tables.reducers())
    assert [name for name in r.CATALOGUE if f"| `r.{name}` |" not in text] == []


def test_a_stale_table_would_be_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- table: reducers -->\nold\n<!-- end -->\nrest\n", encoding="utf-8")
    right = tables.stale(tmp_path)[page]
    assert "r.count" in right and "old" not in right and right.endswith("rest\n")
    page.write_text(right, encoding="utf-8")
    assert page not in tables.stale(tmp_path)
