"""One game between two seats: sealed setups, turns, clocks, draws, results, the log, saving, replay.

>>> from flagfall.edition import load_game, resolve
>>> game = load_game("mini/3x3")
>>> match = Match.created(game, resolve(game, {}), Seating("Anna", "Ben"), at_ms=0)
>>> match.seal("south", "XsF", at_ms=1)
<SetupSealed 1 by south>
>>> match.act("south", None, "a1-a2", at_ms=2)
Traceback (most recent call last):
    ...
flagfall.match.errors.RefusedError: The game has not started: North's setup is still to come.
"""

from flagfall.match.clock import Clocks
from flagfall.match.errors import MatchError, RefusedError
from flagfall.match.explanations import explain_illegal
from flagfall.match.log import (
    Acted,
    Continued,
    Created,
    DrawAnswered,
    DrawOffered,
    Entry,
    FlagFell,
    Resigned,
    Seating,
    SetupSealed,
    TakenBack,
    seat_at_random,
    seat_players,
)
from flagfall.match.match import Match, Snapshot
from flagfall.match.notes import Annotations, allows_notes, require_notes, write_note
from flagfall.match.records import Walk, from_record, to_record, walk
from flagfall.match.saving import decode_log, encode_log, load, save

__all__ = [
    "Acted",
    "Annotations",
    "Clocks",
    "Continued",
    "Created",
    "DrawAnswered",
    "DrawOffered",
    "Entry",
    "FlagFell",
    "Match",
    "MatchError",
    "RefusedError",
    "Resigned",
    "Seating",
    "SetupSealed",
    "Snapshot",
    "TakenBack",
    "Walk",
    "allows_notes",
    "decode_log",
    "encode_log",
    "explain_illegal",
    "from_record",
    "load",
    "require_notes",
    "save",
    "seat_at_random",
    "seat_players",
    "to_record",
    "walk",
    "write_note",
]
