"""The names that pieces go by where the screen remembers only the last turn (``memory = strict``).

Knowledge names a piece by its starting square, for good. Sent to a player who must remember, such a
name would tell that the piece has moved, and from where. So the names that are sent say no more than the View
says anyway: a piece is called by the square on which it stood when the last turn began, and one that has come
back since then by its side (``"south+1"``). They stay the same while a turn is open, so that the events of a
message and the pieces of its View can be put together; when the next turn is over they are others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from flagfall.view.knowledge import Knowledge
from flagfall.view.view import SeenEvent


def recent_names(knowledge: Knowledge) -> dict[str, str]:
    """Knowledge's name → the name to send, for all on the board and all who left it in the last turn."""
    names: dict[str, str] = {}
    returns = {"south": 0, "north": 0}
    for event in (*knowledge.last_turn, *knowledge.open_turn):
        if event.piece in names or event.side is None:
            continue
        if event.what == "rescued":
            returns[event.side] += 1
            names[event.piece] = f"{event.side}+{returns[event.side]}"
        elif event.what in ("move", "removed"):
            names[event.piece] = event.origin
    stays = {name: cell for name, (cell, _) in knowledge.cells.items() if name not in names}
    return names | stays


def renamed(events: Iterable[SeenEvent], names: Mapping[str, str]) -> tuple[SeenEvent, ...]:
    """The same events under other names of the pieces."""
    return tuple(replace(event, piece=names[event.piece]) if event.piece else event for event in events)
