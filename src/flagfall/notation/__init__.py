"""Text in and out: actions and turns, descriptions in plain words, the drawn board, game records.

>>> from flagfall.edition import load_game
>>> game = load_game("onyx/classic")
>>> write_turn(game, read_turn(game, "D4 d5"))
'd4-d5'
"""

from flagfall.notation.actions import action_text, write_action, write_turn
from flagfall.notation.board_text import draw
from flagfall.notation.describe import (
    describe_action,
    describe_event,
    describe_piece,
    describe_steps,
    describe_turn,
)
from flagfall.notation.errors import NotationError
from flagfall.notation.names import kinds_called
from flagfall.notation.reading import check_turn, read_turn
from flagfall.notation.record import Record, Turn, record_actions, result_text, turn_label, write_record
from flagfall.notation.record_json import from_json, to_json
from flagfall.notation.record_reading import read_damaged_record, read_record

__all__ = [
    "NotationError",
    "Record",
    "Turn",
    "action_text",
    "check_turn",
    "describe_action",
    "describe_event",
    "describe_piece",
    "describe_steps",
    "describe_turn",
    "draw",
    "from_json",
    "kinds_called",
    "read_damaged_record",
    "read_record",
    "read_turn",
    "record_actions",
    "result_text",
    "to_json",
    "turn_label",
    "write_action",
    "write_record",
    "write_turn",
]
