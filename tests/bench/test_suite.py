"""The suite of positions: answers are legal, few, and proved again for some; a player is asked fairly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from bench.suite import CLASSIC, OPTIONS, THEMES, Solved, rows, solve, suite
from bench.suite_make import MAKERS, MAX_GOOD, texts

from flagfall.errors import UserError
from flagfall.library.positions import game
from flagfall.players.evaluation.piece_values import standard_weights
from flagfall.players.evaluation.weights_file import written
from flagfall.sides import Side

CLASSIC_GAME = game(CLASSIC, **OPTIONS)


def test_there_are_300_positions_of_five_themes_for_both_sides() -> None:
    found = suite()
    assert len(found) == len({one.id for one in found}) == 300
    assert set(Counter(one.theme for one in found)) == set(THEMES)
    assert min(Counter((one.theme, one.turn) for one in found).values()) >= 20


def test_good_actions_are_legal_and_chance_does_not_find_them() -> None:
    for one in suite():
        position = one.position(CLASSIC_GAME)
        legal = {position.text(action) for action in position.legal_actions}
        assert set(one.good) <= legal, one.id
        if one.theme == "retake":  # all but the tempting capture, or the capture
            assert 0 < len(one.good) < len(legal), one.id
        else:
            assert 0 < len(one.good) <= MAX_GOOD * len(legal), one.id


@pytest.mark.parametrize("theme", ["finish", "digger", "retake"])
def test_answers_are_proved_again(theme: str) -> None:
    """The first of each theme with few positions to look at; kernels are interpreted here."""
    _, answer = MAKERS[theme]
    for one in suite([theme])[:2]:
        position = one.position(CLASSIC_GAME)
        assert texts(position, answer(position)) == sorted(one.good), one.id


def test_a_level_can_be_asked_with_weights_of_its_own_and_a_program_cannot(tmp_path: Path) -> None:
    file = tmp_path / "careless.json"
    careless = replace(standard_weights(), guard=0.1, chase=0.0, flag_threat=0.0, pull=3.0)
    file.write_text(written(careless), encoding="utf-8")
    chosen = suite(["digger"])[:6]
    usual = [answer.played for answer in solve("recruit", chosen, nodes=60)]
    assert [answer.played for answer in solve("recruit@nodes=60", chosen, nodes=9000)] == usual
    assert [answer.played for answer in solve(f"recruit@weights={file}", chosen, nodes=60)] != usual
    with pytest.raises(UserError, match="Name a player instead"):
        solve("cmd:python bot.py", chosen)


def test_a_player_is_asked_with_its_own_view() -> None:
    chosen = suite(["retake"])[:3]
    solved = solve("greedy", chosen, nodes=1)
    assert [one.id for one in solved] == [one.id for one in chosen]
    for one, answer in zip(chosen, solved, strict=True):
        assert answer.is_good == (answer.played in one.good)
        position = one.position(CLASSIC_GAME)
        hidden = set(one.north if one.turn == "south" else one.south) - set(one.known)
        view = position.view(position.turn)
        assert {piece.cell for piece in view.pieces if not piece.kind} == hidden
        assert {piece.kind for piece in view.pieces if piece.side == Side(one.turn)} > {"flag"}


def test_rows_add_up() -> None:
    solved = [Solved("raid-1", "raid", "a1-a2", True), Solved("finish-1", "finish", "a1-a2", False)]
    assert [row[:3] for row in rows(solved)] == [("finish", "1", "0"), ("raid", "1", "1"), ("all", "2", "1")]
