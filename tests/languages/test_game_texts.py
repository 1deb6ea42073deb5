"""Rules, options and sentences about actions come in the language in use, and English stays English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flagfall.board import parse_cell
from flagfall.edition import OptionError, concerning, load_game, resolve, rules_page
from flagfall.engine.action import ATTACK, Action
from flagfall.languages import boxes, messages, use_language
from flagfall.notation import (
    NotationError,
    describe_action,
    describe_turn,
    kinds_called,
    names,
    read_record,
    read_turn,
)
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, SeenPiece, View

GAME = load_game("onyx/classic")
VIEW = View(
    GAME.id,
    "south",
    4,
    Side.SOUTH,
    (SeenPiece("d2", "d4", Side.SOUTH, kind="scout"), SeenPiece("e7", "e4", Side.NORTH, kind="spy")),
    (),
    (),
)
MESSAGES: dict[str, messages.Message] = {
    "lists.and": "{most} und {last}",
    "rules.heading.moving": "Ziehen",
    "rules.moving.still": {"one": "Deine {pieces} zieht nie.", "other": "Deine {pieces} ziehen nie."},
    "options.concerns.plain": "Spiele ohne Kräfte",
    "options.memory.title": "Gedächtnis",
    "options.no_progress_draw.number": "Nach {number} Zügen ohne Verlust ist Schluss.",
    "options.refusal.value": "„{option}“ kann nicht {text} sein; möglich: {possible}",
    "actions.offer.attack": "Greife {goal:accusative} mit {who:dative} an.",
    "actions.event-shown.attack": "{who} auf {origin} greift {target} an: {kind}.",
    "actions.event.lost": "{who} ist verloren.",
    "pieces.on": "{piece:{case}} auf {square}",
    "pieces.own": {
        "by": "case",
        "dative": {"by": "gender", "feminine": "deiner {noun}", "other": "deinem {noun}"},
        "other": "dein {noun}",
    },
    "pieces.enemy": {"by": "case", "accusative": "den feindlichen {noun}", "other": "der feindliche {noun}"},
    "typing.error.at": "Zeile {line}, Spalte {column}: {reason}; erwartet: {expected}.",
    "typing.reason.nothing": "hier steht nichts",
    "typing.expected.action": "ein Zug wie d4-d5",
}
BOX_TEXTS = {"Scout": "Späher", "Spy": "Spion", "Bombs": "Bomben", "Flag": "Fahne"}
GRAMMAR = {"Späher": {"gender": "masculine"}, "Spion": {"accusative": "Spion"}}


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """German with a few messages, apart from the files that translators fill."""
    english = messages.messages("en")
    monkeypatch.setattr(messages, "messages", lambda language: english if language == "en" else MESSAGES)
    monkeypatch.setattr(boxes, "box_texts", lambda language: BOX_TEXTS)
    monkeypatch.setattr(boxes, "_grammar", lambda language: {} if language == "en" else GRAMMAR)
    names._name_index.cache_clear()  # type: ignore[attr-defined]
    yield
    names._name_index.cache_clear()  # type: ignore[attr-defined]


def test_a_rules_page_is_written_in_the_language_in_use() -> None:
    options = resolve(GAME, {})
    before = rules_page(GAME, options)
    with use_language("de"):
        page = rules_page(GAME, options)
    assert "## Ziehen\n" in page
    assert "- Deine Bomben und Fahne ziehen nie." in page
    assert "Nach 200 Zügen ohne Verlust ist Schluss." in page
    assert rules_page(GAME, options) == before
    assert "- Your Bombs and Flag never move." in before


def test_an_option_reads_in_the_language_in_use_wherever_it_was_made() -> None:
    made_in_english = {option.name: option for option in concerning(GAME)}
    with use_language("de"):
        made_in_german = {option.name: option for option in concerning(GAME)}
        assert made_in_english["memory"].shown_title == "Gedächtnis"
        assert (
            made_in_english["no_progress_draw"].number_sentence == MESSAGES["options.no_progress_draw.number"]
        )
        with pytest.raises(OptionError, match="„memory“ kann nicht “good” sein; möglich: assisted, notes"):
            resolve(GAME, {"memory": "good"})
    assert made_in_german["memory"].shown_title == "Memory"
    assert made_in_german["clock"].range == made_in_english["clock"].range
    assert made_in_german["rescue"].concerns_words == "games without powers and without Spotters"


def test_pieces_are_declined_as_the_sentence_needs() -> None:
    action = Action(ATTACK, parse_cell("d4"), parse_cell("e4"))
    with use_language("de"):
        words = describe_action(GAME, action, VIEW)
    assert words == "Greife den feindlichen Spion auf e4 mit deinem Späher auf d4 an."
    assert describe_action(GAME, action, VIEW) == "Attack the enemy Spy on e4 with your Scout on d4."


def test_a_fight_is_told_in_the_language_in_use() -> None:
    events = (
        SeenEvent("attack", 7, Side.SOUTH, "d2", "d4", "e4"),
        SeenEvent("shown", 7, Side.NORTH, "e7", target="e4", kind="spy"),
        SeenEvent("removed", 7, Side.SOUTH, "d2", target="e4", kind="scout"),
    )
    with use_language("de"):
        words = describe_turn(GAME, events, "south")
    assert words == "Dein Späher auf d4 greift e4 an: Spion. Dein Späher ist verloren."
    assert describe_turn(GAME, events, "south") == "Your Scout on d4 attacks e4: Spy. Your Scout is lost."


def test_pieces_may_be_named_in_the_language_in_use_or_in_english() -> None:
    scout, spy = GAME.kind_index("scout"), GAME.kind_index("spy")
    assert kinds_called(GAME, "Späher") == []
    with use_language("de"):
        assert kinds_called(GAME, "Späher") == kinds_called(GAME, "scout") == [scout]
        assert kinds_called(GAME, "spi") == kinds_called(GAME, "spy") == [spy]
        assert read_turn(GAME, "d4 spot d5 Späher") == read_turn(GAME, "d4 spot d5 Scout")
    assert kinds_called(GAME, "Späher") == []


def test_an_action_that_cannot_be_read_is_refused_in_the_language_in_use() -> None:
    with use_language("de"), pytest.raises(NotationError) as refused:
        read_turn(GAME, "")
    assert str(refused.value) == "Zeile 1, Spalte 1: hier steht nichts; erwartet: ein Zug wie d4-d5."


def test_mistakes_in_records_are_told_in_english() -> None:
    with use_language("de"), pytest.raises(NotationError, match=r"^Line 1, column 1: .*; expected "):
        read_record("nothing")
