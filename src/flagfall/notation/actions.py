"""Actions as text: ``d4-d5``, ``d4xd5``, ``d4-d5 spot d6``, ``c4^c7``. The reader is in `reading`.

Marks, keywords and an example of each verb are in the verb table (`edition.verbs`), what they mean in
``docs/notation.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flagfall.board import CELLS, DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition.schema import Game
from flagfall.edition.verbs import VERB_BY_CODE, VERBS, Form
from flagfall.engine.action import ADVANCE, ATTACK, CHOOSE_CELL, CHOOSE_KIND, SWING, Action
from flagfall.notation.tokens import (
    CELL_MARK,
    KIND_MARK,
    POWER_WORD,
    STEP,
    STRIKE,
    is_plain_name,
    split_words,
)
from flagfall.view.view import View

CHOOSING = frozenset({SWING, ADVANCE, CHOOSE_KIND, CHOOSE_CELL})
"""after these a bare square is a choice, not the start of a move"""


def write_action(game: Game, action: Action, *, is_attack: bool = False) -> str:
    """Return an action as text; `ValueError` if it cannot exist on this board.

    ``is_attack`` says that a RESCUE or TWO_STEP ends on an enemy's square.

    >>> from flagfall.board import parse_cell
    >>> from flagfall.edition import load_game
    >>> from flagfall.engine.action import MOVE
    >>> write_action(load_game("onyx/classic"), Action(MOVE, parse_cell("d4"), parse_cell("d5")))
    'd4-d5'
    """
    verb = VERB_BY_CODE.get(action.verb)
    if verb is None:
        codes = [verb.code for verb in VERBS]
        raise ValueError(f"{action.verb} is not a verb; verbs are numbered {min(codes)} to {max(codes)}")
    return WRITERS[verb.form](game, action, verb.token, STRIKE if is_attack else STEP)


def action_text(game: Game, view: View, action: Action) -> str:
    """Return a legal action of a View as text."""
    there = view.at(cell_name(action.target)) if action.target else None
    is_attack = action.verb != ATTACK and there is not None and there.side != view.to_move
    return write_action(game, action, is_attack=is_attack)


def write_turn(game: Game, actions: Sequence[Action], *, is_attack: bool = False) -> str:
    """Return the actions of one turn as text; ``is_attack`` is about the first."""
    texts = [write_action(game, action, is_attack=is_attack and not i) for i, action in enumerate(actions)]
    for i, action in enumerate(actions[:-1]):
        is_choosing = i > 0 and actions[i - 1].verb in CHOOSING
        if action.verb == CHOOSE_CELL and not is_choosing and split_words(texts[i + 1])[0].is_square:
            texts[i] = CELL_MARK + texts[i]  # otherwise the two squares would look like a move
    return " ".join(texts)


def _path(game: Game, action: Action, token: str, last: str) -> str:
    return f"{_square(game, action.origin)}{token}{_square(game, action.target)}"


def _aim(game: Game, action: Action, token: str, last: str) -> str:
    power = f" {POWER_WORD} {action.choice + 1}" if action.choice else ""
    return f"{_square(game, action.origin)} {token} {_square(game, action.target)}{power}"


def _after_step(game: Game, action: Action, token: str, last: str) -> str:
    return f"{_step(game, action, last)} {token}"


def _spot(game: Game, action: Action, token: str, last: str) -> str:
    spotted = _square(game, action.target + _direction(action.choice))
    return f"{_step(game, action, STEP)} {token} {spotted}"


def _two_step(game: Game, action: Action, token: str, last: str) -> str:
    middle = _square(game, action.origin + _direction(action.choice))
    return f"{_square(game, action.origin)}{STEP}{middle}{last}{_square(game, action.target)}"


def _advance(game: Game, action: Action, token: str, last: str) -> str:
    _direction(action.choice)
    return f"{token} {DIRECTION_NAMES[action.choice]}"


def _kind(game: Game, action: Action, token: str, last: str) -> str:
    if not 0 <= action.choice < len(game.kinds):
        raise ValueError(
            f"{action.choice} is not a kind of {game.id}; kinds are numbered 0 to {len(game.kinds) - 1}"
        )
    name = game.kinds[action.choice].id
    return name if is_plain_name(name) else KIND_MARK + name


WRITERS: Mapping[Form, Callable[[Game, Action, str, str], str]] = {
    "path": _path,
    "aim": _aim,
    "after step": _after_step,
    "spot": _spot,
    "two-step": _two_step,
    "advance": _advance,
    "kind": _kind,
    "square": lambda game, action, token, last: _square(game, action.target),
    "done": lambda game, action, token, last: token,
}
"""the writer of each form; takes the game, the action, the verb's token and the mark of the last step"""


def _square(game: Game, cell: int) -> str:
    if not 0 <= cell < CELLS or cell not in game.board:
        raise ValueError(f"Cell {cell} is not on the board of {game.id}")
    return cell_name(cell)


def _step(game: Game, action: Action, mark: str) -> str:
    """Return ``d4-d5``, or ``d4`` for a piece that stays."""
    start = _square(game, action.origin)
    return start if action.origin == action.target else f"{start}{mark}{_square(game, action.target)}"


def _direction(choice: int) -> int:
    if not 0 <= choice < len(DIRECTIONS):
        raise ValueError(f"{choice} is not a direction; directions are numbered 0 to {len(DIRECTIONS) - 1}")
    return DIRECTIONS[choice]
