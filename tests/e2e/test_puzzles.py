"""Ten puzzles of all kinds in a real browser, on one page: solved, failed, ticked, and the way on."""

from __future__ import annotations

from playwright.sync_api import expect

from flagfall.puzzles.puzzle import Puzzle, all_puzzles
from tests.e2e.conftest import PHONE, NewPerson
from tests.e2e.person import Person
from tests.e2e.test_access import Examiner, examined

__all__ = ["examined"]

PUZZLES = list(all_puzzles().values())


def _some(kind: str, count: int) -> list[Puzzle]:
    return [puzzle for puzzle in PUZZLES if puzzle.kind == kind][:count]


def _is_over(person: Person, verdict: str) -> None:
    expect(person.page.locator("main")).to_have_attribute("data-verdict", verdict)
    expect(person.page.locator(".answer")).to_be_visible()


def _open(person: Person, puzzle: Puzzle) -> None:
    person.open(f"/puzzles/{puzzle.id}")
    expect(person.page.locator("main")).to_have_attribute("data-puzzle", puzzle.id)


def _wins(person: Person, puzzle: Puzzle) -> None:
    """Play the right moves one after the other."""
    branches, answers = puzzle.right, 1
    while branches:
        text, branch = next(iter(branches.items()))
        start, end = text.replace("x", "-").split("-")
        expect(person.page.locator("main")).to_have_attribute("data-answers", str(answers))
        person.cell(start).click()
        person.cell(end).click()
        branches, answers = branch.then, answers + 1


def test_many_captured_pieces_leave_room_for_the_words_on_a_phone(new_person: NewPerson) -> None:
    person = new_person(size=PHONE)
    open_ones = (puzzle for puzzle in PUZZLES if puzzle.kind == "win" and puzzle.game == "lotr/classic")
    _open(person, max(open_ones, key=lambda puzzle: len(puzzle.turns)))
    words = person.page.get_by_text("Choose a piece.").bounding_box()
    tray = person.page.get_by_role("group", name="Captured").bounding_box()
    assert words is not None
    assert tray is not None
    assert tray["y"] >= words["y"] + words["height"]
    assert words["width"] > 100


def test_ten_puzzles(new_person: NewPerson) -> None:
    person = new_person(size=PHONE)
    page = person.page
    for puzzle in (*_some("win", 2), *_some("sure", 1)):
        _open(person, puzzle)
        _wins(person, puzzle)
        _is_over(person, "solved")
    for number, puzzle in enumerate(_some("fight", 4)):
        _open(person, puzzle)
        is_right = number != 0
        person.button("Attack" if puzzle.attacks is is_right else "Leave it").click()
        _is_over(person, "solved" if is_right else "failed")
    for puzzle in _some("flag", 3):
        _open(person, puzzle)
        person.cell(puzzle.square).click()
        page.get_by_role("button", name=f"The Flag is on {puzzle.square}").click()
        _is_over(person, "solved")
    expect(page.get_by_role("link", name="Next")).to_be_focused()
    person.button("Again").click()
    expect(page.locator("main")).to_have_attribute("data-verdict", "")
    page.get_by_role("link", name="Puzzles", exact=True).last.click()
    expect(page.get_by_role("heading", name="Puzzles", exact=True)).to_be_visible()
    expect(page.locator("a.solved")).to_have_count(9)
    expect(page.locator("a.tried")).to_have_count(1)
    page.reload()
    expect(page.locator("a.solved")).to_have_count(9)


def test_puzzle_pages_are_accessible(examined: Examiner) -> None:
    person = examined.person
    person.open("/puzzles")
    expect(person.page.get_by_text("Choose a puzzle").first).to_be_visible()
    examined.look("/puzzles")
    _open(person, _some("fight", 1)[0])
    examined.look("/puzzles/…")
