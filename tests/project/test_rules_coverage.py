"""Every rule of the catalogue is shown by a test, and a page says by which."""

from __future__ import annotations

from tests.project.coverage import IDS, PAGE, Rule, marks_in, page, rules, shown_by, todays_page

AWAITED: frozenset[str] = frozenset()
"""ids of the view and of the match whose tests are still to come; this list only ever gets shorter"""


def listed() -> list[Rule]:
    return rules(IDS.read_text(encoding="utf-8"))


def test_every_rule_of_todays_games_is_shown_by_a_test_or_awaited() -> None:
    shown = shown_by()
    without = {rule.id for rule in listed() if rule.needs_test and rule.id not in shown}
    assert without == AWAITED, "show the rule in a test, and take its id out of AWAITED once it has one"


def test_only_rules_of_the_view_and_of_the_match_are_awaited() -> None:
    parts = {rule.id: rule.part for rule in listed()}
    assert {parts[rule] for rule in AWAITED} <= {"view", "match"}


def test_every_test_names_rules_that_the_catalogue_has() -> None:
    assert set(shown_by()) <= {rule.id for rule in listed()}


def test_a_rule_that_needs_no_test_says_why() -> None:
    assert [rule.id for rule in listed() if rule.part == "none" and not rule.reason] == []
    assert {rule.part for rule in listed()} == {"engine", "view", "match", "none"}


def test_no_rule_is_listed_twice() -> None:
    ids = [rule.id for rule in listed()]
    assert len(ids) == len(set(ids))


def test_the_coverage_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == todays_page(), "run: python -m tests.project.coverage"


def test_marks_are_found_wherever_a_decorator_carries_them() -> None:
    source = """
@pytest.mark.rule("ON-A-01", "ON-A-02")
def test_one(): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("CM-01"))])
def test_two(): ...

def test_three():
    pytest.mark.rule("CM-02")
"""
    assert list(marks_in(source)) == [("ON-A-01", "test_one"), ("ON-A-02", "test_one"), ("CM-01", "test_two")]


def test_a_page_says_what_is_shown_what_is_not_and_why() -> None:
    text = page(
        [Rule("ON-X-14", "none", "cannot arise"), Rule("FI-P-01", "engine", ""), Rule("CM-04", "match", "")],
        {},
    )
    assert "| ON-X-14 | none | nothing to show: cannot arise |" in text
    assert "| CM-04 | match | no test yet |" in text
