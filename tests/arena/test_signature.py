"""The signature of a game moves with its rules and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall.arena import signature
from flagfall.edition import game_ids, load_game


def test_it_is_the_same_every_time_and_every_line_is_reported() -> None:
    told: list[tuple[str, str]] = []
    found = signature.signatures(["mini/3x4"], report=lambda name, value: told.append((name, value)))
    assert dict(told) == found == signature.signatures(["mini/3x4"])


def test_every_option_set_of_a_game_has_a_signature_of_its_own() -> None:
    found = signature.signatures(["barrage/classic"])
    assert len(found) == 4
    assert len({value.split(" ")[1] for value in found.values()}) == 4


def test_every_game_has_several_option_sets_and_every_set_has_a_game() -> None:
    used = {id(chosen) for game in game_ids() for chosen in signature.option_sets(load_game(game))}
    assert used == {id(chosen) for chosen in signature.OPTION_SETS}
    assert all(len(signature.option_sets(load_game(game))) >= 3 for game in game_ids())


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    found = signature.signatures(["mini/3x3"])
    signature.write(tmp_path / "signature.txt", found)
    assert signature.read(tmp_path / "signature.txt") == found


def test_a_spoilt_file_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "signature.txt").write_text("# head\nmini/3x3 -\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        signature.read(tmp_path / "signature.txt")
