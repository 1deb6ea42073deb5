"""Risks of hidden neighbours that the sampled Worlds do not show."""

from __future__ import annotations

import numpy as np
import pytest

from flagfall.board import parse_cell
from flagfall.engine.action import ATTACK, MOVE
from flagfall.players.search.root_weights import Exposure

GENERAL, MARSHAL, SOLDIER = range(3)
PIECE_VALUE = 100.0
LOSSES = np.array([[0.0, PIECE_VALUE, 0.0]] * 3)
"""only a marshal takes the general, and so on"""
TAKES = np.array([[0.0, 0.0, 1.0]] * 3)
E5, E6, F5 = parse_cell("e5"), parse_cell("e6"), parse_cell("f5")
EVEN = np.array([0.5, 0.5])


def _exposure(drawn: int, is_told: bool = True, origin: int = E5) -> Exposure:
    """Our general; on e7 a hidden piece that is a marshal once in ten, and ``drawn`` in both Worlds."""
    return Exposure(
        own={origin: GENERAL},
        told=frozenset({origin}) if is_told else frozenset(),
        column={parse_cell("e7"): 0},
        chances=np.array([[0.0, 0.1, 0.9]]),
        kinds=np.full((2, 1), drawn, dtype=np.int16),
        losses=LOSSES,
        takes=TAKES,
    )


def _act(verb: int, origin: int, target: int) -> int:
    return verb << 24 | origin << 8 | target


def test_a_risk_that_no_world_shows_has_a_cost() -> None:
    assert _exposure(SOLDIER).unseen(_act(MOVE, E5, E6), EVEN) == pytest.approx(0.1 * PIECE_VALUE)
    assert _exposure(SOLDIER).unseen(_act(MOVE, E5, F5), EVEN) == 0.0, "no piece stands next to f5"


def test_a_risk_that_every_world_shows_is_overestimated() -> None:
    assert _exposure(MARSHAL).unseen(_act(MOVE, E5, E6), EVEN) == pytest.approx(-0.9 * PIECE_VALUE)


def test_leaving_an_unseen_risk_is_rewarded() -> None:
    away = _exposure(SOLDIER, origin=E6).unseen(_act(MOVE, E6, E5), EVEN)
    assert away == pytest.approx(-0.1 * PIECE_VALUE)


def test_the_enemy_does_not_attack_what_it_does_not_know() -> None:
    assert _exposure(SOLDIER, is_told=False).unseen(_act(MOVE, E5, E6), EVEN) == 0.0


def test_a_piece_that_takes_a_piece_is_known_and_stands_in_its_place() -> None:
    """From e5 it takes a known piece on e6: now it stands next to e7, and both sides have seen it."""
    assert _exposure(SOLDIER, is_told=False).unseen(_act(ATTACK, E5, E6), EVEN) == pytest.approx(
        0.1 * PIECE_VALUE
    )


def test_an_attacker_that_falls_has_no_further_risk() -> None:
    """It attacks e7, a marshal in one World of two, next to which another piece is hidden on e8."""
    exposure = Exposure(
        own={E6: GENERAL},
        told=frozenset(),
        column={parse_cell("e7"): 0, parse_cell("e8"): 1},
        chances=np.array([[0.0, 0.5, 0.5], [0.0, 0.2, 0.8]]),
        kinds=np.array([[MARSHAL, SOLDIER], [SOLDIER, SOLDIER]], dtype=np.int16),
        losses=LOSSES,
        takes=TAKES,
    )
    risk = exposure.unseen(_act(ATTACK, E6, parse_cell("e7")), EVEN)
    assert risk == pytest.approx(0.5 * 0.2 * PIECE_VALUE)
