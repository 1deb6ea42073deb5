"""Actions as text: ``d4-d5``, ``d4xd5``, ``d4-d5 spot d6``, ``c4^c7``. The reader is in `reading`.

============ ======================== ===============================================
verb         text                     meaning
============ ======================== ===============================================
MOVE         ``d4-d5``                from d4 to d5
ATTACK       ``d4xd5``                the piece on d4 attacks d5
DONE         ``done``                 nothing more this turn
CHOOSE_KIND  ``marshal``              the kind guessed, or to be rescued
CHOOSE_CELL  ``b2``                   the square chosen
SPOT         ``d4-d5 spot d6``        step to d5 and spot d6; ``d5 spot d6`` without a step
RESCUE       ``d9-d10 rescue``        step to d10 and rescue; ``d9xd10 rescue`` by an attack
TWO_STEP     ``d4-d5-e5``             two steps; ``d4-d5xe5`` where the second attacks
LEAP         ``c4^c7``                fly to c7
TELEPORT     ``d4~e6``                appear on e6
SHOOT        ``d4 shoot d6``          ``d4 shoot d6 power 2`` with the second such power of the piece
DETECT       ``d4 detect d6``         look at d6
CONVERT      ``d4 enchant d6``        win over the piece on d6
SWING        ``d4-d5 swing``          then the squares struck, then ``done``
SWEEP      ``d4-d5 rampage``        strike all around d5
ADVANCE      ``advance north``        then the squares of the pieces in their order
============ ======================== ===============================================
"""

from __future__ import annotations

from collections.abc import Sequence

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition.schema import Game
from flagfall.engine.action import (
    ADVANCE,
    ATTACK,
    CHOOSE_CELL,
    CHOOSE_KIND,
    CONVERT,
    DETECT,
    DONE,
    LEAP,
    MOVE,
    RESCUE,
    SHOOT,
    SPOT,
    SWEEP,
    SWING,
    TELEPORT,
    TWO_STEP,
    Action,
)
from flagfall.notation.tokens import (
    ADVANCE_WORD,
    CELL_MARK,
    CONVERT_WORD,
    DETECT_WORD,
    DONE_WORD,
    KIND_MARK,
    LEAP_MARK,
    POWER_WORD,
    RAMPAGE_WORD,
    RESCUE_WORD,
    SHOOT_WORD,
    SPOT_WORD,
    STEP,
    STRIKE,
    SWING_WORD,
    TELEPORT_MARK,
    is_plain_name,
    split_words,
)
from flagfall.view.view import View

_ACROSS = {MOVE: STEP, ATTACK: STRIKE, LEAP: LEAP_MARK, TELEPORT: TELEPORT_MARK}
_AT_RANGE = {SHOOT: SHOOT_WORD, DETECT: DETECT_WORD, CONVERT: CONVERT_WORD}
_AFTER_STEP = {RESCUE: RESCUE_WORD, SWING: SWING_WORD, SWEEP: RAMPAGE_WORD}

CHOOSING = frozenset({SWING, ADVANCE, CHOOSE_KIND, CHOOSE_CELL})
"""after these a bare square is a choice, not the start of a move"""


def write_action(game: Game, action: Action, *, is_attack: bool = False) -> str:
    """One action as text; ``is_attack`` says that a RESCUE or TWO_STEP ends on an enemy's square.

    `ValueError` if it is no action of this board.

    >>> from flagfall.board import parse_cell
    >>> from flagfall.edition import load_game
    >>> write_action(load_game("onyx/classic"), Action(MOVE, parse_cell("d4"), parse_cell("d5")))
    'd4-d5'
    """
    verb, origin, target, choice = action
    last = STRIKE if is_attack else STEP
    if verb in _ACROSS:
        return f"{_square(game, origin)}{_ACROSS[verb]}{_square(game, target)}"
    if verb in _AT_RANGE:
        power = f" {POWER_WORD} {choice + 1}" if choice else ""
        return f"{_square(game, origin)} {_AT_RANGE[verb]} {_square(game, target)}{power}"
    if verb in _AFTER_STEP:
        return f"{_step(game, origin, target, last)} {_AFTER_STEP[verb]}"
    if verb == SPOT:
        spotted = _square(game, target + _direction(choice))
        return f"{_step(game, origin, target, STEP)} {SPOT_WORD} {spotted}"
    if verb == TWO_STEP:
        middle = _square(game, origin + _direction(choice))
        return f"{_square(game, origin)}{STEP}{middle}{last}{_square(game, target)}"
    if verb == ADVANCE:
        _direction(choice)
        return f"{ADVANCE_WORD} {DIRECTION_NAMES[choice]}"
    if verb == CHOOSE_KIND:
        return _kind(game, choice)
    if verb == CHOOSE_CELL:
        return _square(game, target)
    if verb == DONE:
        return DONE_WORD
    raise ValueError(f"{verb} is not a verb; verbs are numbered {MOVE} to {ADVANCE}")


def action_text(game: Game, view: View, action: Action) -> str:
    """One of a View's actions as text."""
    there = view.at(cell_name(action.target)) if action.target else None
    is_attack = action.verb != ATTACK and there is not None and there.side != view.to_move
    return write_action(game, action, is_attack=is_attack)


def write_turn(game: Game, actions: Sequence[Action], *, is_attack: bool = False) -> str:
    """The actions of one turn as one text; ``is_attack`` is said of the first."""
    texts = [write_action(game, action, is_attack=is_attack and not at) for at, action in enumerate(actions)]
    for at, action in enumerate(actions[:-1]):
        is_choosing = at > 0 and actions[at - 1].verb in CHOOSING
        if action.verb == CHOOSE_CELL and not is_choosing and split_words(texts[at + 1])[0].is_square:
            texts[at] = CELL_MARK + texts[at]  # else the two squares would look like a move
    return " ".join(texts)


def _square(game: Game, cell: int) -> str:
    if not 0 <= cell < CELLS or cell not in game.board:
        raise ValueError(f"Cell {cell} is not on the board of {game.id}")
    return cell_name(cell)


def _step(game: Game, origin: int, target: int, mark: str) -> str:
    """``d4-d5``, or ``d4`` for a piece that stays."""
    start = _square(game, origin)
    return start if origin == target else f"{start}{mark}{_square(game, target)}"


def _direction(choice: int) -> int:
    if not 0 <= choice < len(DIRECTIONS):
        raise ValueError(f"{choice} is not a direction; directions are numbered 0 to {len(DIRECTIONS) - 1}")
    return DIRECTIONS[choice]


def _kind(game: Game, kind: int) -> str:
    if not 0 <= kind < len(game.kinds):
        raise ValueError(f"{kind} is not a kind of {game.id}; kinds are numbered 0 to {len(game.kinds) - 1}")
    name = game.kinds[kind].id
    return name if is_plain_name(name) else KIND_MARK + name
