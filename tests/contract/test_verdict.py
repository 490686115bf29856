"""Verdicts are values: compared, printed, and honest about what `ok` means."""

from __future__ import annotations

import pytest

from ominus.contract.verdict import Checked, Proved, Refuted, Unknown, Verdicts, Witness

WITNESS = Witness((1,), (2,), 3, 1, "reducer.fold([1, 2])", "reducer.fold([1])", "Do this")
REFUTED = Refuted("inverse", WITNESS)


def test_they_are_values() -> None:
    assert Proved("linear") == Proved("linear") != Proved("other")
    assert Checked(3) == Checked(3) != Checked(4)
    assert {Unknown("a"), Unknown("a")} == {Unknown("a")}


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        (Proved("linear", 0.01), "proved (linear)"),
        (Proved(), "proved"),
        (Checked(300), "checked (300 examples)"),
        (Unknown("no values"), "unknown: no values"),
        (
            REFUTED,
            "refuted: reducer.fold([1, 2]) is 3, and reducer.fold([1]) is 1. Do this",
        ),
    ],
)
def test_they_print_as_a_sentence(verdict: object, text: str) -> None:
    assert str(verdict) == text


@pytest.mark.parametrize("law", ["add_commutes", "inverse", "distributive", "same_respected"])
def test_ok_needs_each_law_that_makes_a_reducer_right(law: str) -> None:
    right = {"add_commutes": Proved(), "inverse": Checked(9), law: Checked(1)}
    assert Verdicts(right).ok
    assert not Verdicts({**right, law: Refuted(law, WITNESS)}).ok
    assert not Verdicts({**right, law: Unknown("too slow")}).ok


def test_ok_does_not_look_at_what_follows() -> None:
    assert Verdicts({"add_commutes": Proved(), "remove_commutes": Unknown("not asked")}).ok


def test_a_law_that_was_needed_and_not_asked_is_not_ok() -> None:
    some = Verdicts({"add_commutes": Proved()}, needed=("add_commutes", "inverse"))
    assert not some.ok


def test_they_are_a_mapping_that_prints_as_a_table() -> None:
    some = Verdicts({"inverse": REFUTED, "add_commutes": Proved()}, reducer="total")
    assert some["inverse"] is REFUTED and len(some) == 2 and some.refuted == (REFUTED,)
    lines = repr(some).splitlines()
    assert lines[0] == "total: not ok"
    assert lines[1].startswith("  inverse       refuted: ")
    assert lines[2] == "  add_commutes  proved"


def test_in_a_notebook_they_are_a_table_and_nothing_of_the_users_is_markup() -> None:
    html = Verdicts({"inverse": Unknown("<b>")}, reducer="a < b")._repr_html_()
    assert html.startswith("<table>") and "&lt;b&gt;" in html and "a &lt; b" in html
