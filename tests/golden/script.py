"""A game as a readable text: every action, what each viewer saw of it, and now and then each viewer's View.

Squares of a drawn board::

    X    own piece, or one whose kind the viewer sees     X!  it has been shown
    ?    a hidden piece                                   ?'  it has moved
    +X   South's piece          -X   North's piece        ~~  no square
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from flagfall.board import cell_at, cell_name
from flagfall.edition import Game, load_game, resolve
from flagfall.engine.action import VERB_NAMES, Action
from flagfall.view.view import VIEWERS, SeenEvent, SeenPiece, View
from tests.laws.seen_game import Case, Seen, SeenGame, choose, start_game


@dataclass(frozen=True)
class Script:
    """Which game, which options, which turns of it."""

    name: str
    game: str
    options: tuple[str, ...] = ()
    seed: int = 0
    skip: int = 0
    """turns that are played but not written down"""
    turns: int = 25
    every: int = 8
    """turns between two drawings"""


SCRIPTS = (
    Script("onyx-silent-rescue", "onyx/classic", ("silent_defense=on", "rescue=on"), seed=38, skip=23),
    Script("duel-masters-prisoner", "duel-masters/classic", ("captured_pieces=prisoner",), seed=22),
    Script("lotr-open", "lotr/classic", seed=25),
    Script(
        "fire-and-ice-secret-strict",
        "fire-and-ice/classic",
        ("captured_pieces=secret", "memory=strict"),
        seed=1,
    ),
    Script("spin-master-standard", "spin-master/standard", seed=4),
    Script(
        "spin-master-duel-spots", "spin-master/duel", ("spot_silent_miss=on", "spot_any_side=on"), seed=19
    ),
    Script("barrage-notes", "barrage/classic", ("memory=notes", "defender_advances=on"), seed=2),
    Script("mini-rescue", "mini/3x4", ("rescue=on",), seed=10, every=3),
    Script("duel-masters-powers", "duel-masters/elemental-powers", ("advance_subset=on",), seed=3),
    Script("lotr-powers", "lotr/special-powers", seed=2),
    Script("lotr-ring-secret", "lotr/destroy-the-ring", ("captured_pieces=secret",), seed=5),
    Script("fire-and-ice-powers", "fire-and-ice/special-powers", ("enchant_probe=off",), seed=6),
)


def written(script: Script) -> str:
    """The whole text."""
    return "\n".join(line.rstrip() for line in _lines(script)) + "\n"


def _lines(script: Script) -> Iterator[str]:
    game = load_game(script.game)
    chosen = dict(option.split("=") for option in script.options)
    seen_game, rng = start_game(Case(game, resolve(game, chosen), script.seed))
    yield f"{game.id} {' '.join(script.options)}"
    turn = 0
    if script.skip:
        yield f"after {script.skip} turns"
    is_drawn = False
    while not seen_game.state.is_over and turn < script.skip + script.turns:
        is_heard = turn >= script.skip
        if is_heard and not is_drawn and (turn - script.skip) % script.every == 0:
            yield from _drawings(seen_game)
            is_drawn = True
        side, act = seen_game.state.side, choose(seen_game.legal(), seen_game.state.side, rng)
        seen = seen_game.play(act)
        if is_heard:
            yield ""
            yield f"{turn + 1}. {VIEWERS[side]}: {_action(game, act)}"
            yield from _heard(seen)
        if not seen_game.state.is_turn_open:
            turn += 1
            is_drawn = False
    yield from _drawings(seen_game)
    yield f"digest {seen_game.state.digest()}"


def _action(game: Game, packed: int) -> str:
    act = Action.unpack(packed)
    cells = " ".join(cell_name(cell) for cell in (act.origin, act.target) if cell)
    choice = game.kinds[act.choice].id if VERB_NAMES[act.verb] == "choose kind" else str(act.choice or "")
    return " ".join(part for part in (VERB_NAMES[act.verb], cells, choice) if part)


def _heard(seen: Seen) -> Iterator[str]:
    """What was seen, written once where several saw the same."""
    for events, viewers in groupby(VIEWERS, key=lambda viewer: seen[viewer]):
        names = tuple(viewers)
        who = "all" if names == VIEWERS else ", ".join(names)
        for event in events:
            yield f"   {who}: {_event(event)}"
        if not events:
            yield f"   {who}: nothing"


def _event(event: SeenEvent) -> str:
    way = "-".join(cell for cell in (event.origin, event.target) if cell)
    parts = (event.what, event.side, event.piece, way, event.kind, event.detail)
    return " ".join(part for part in parts if part)


def _drawings(seen_game: SeenGame) -> Iterator[str]:
    for viewer in VIEWERS:
        view = seen_game.observers.view(seen_game.state, viewer)
        yield ""
        yield f"   --- {viewer}, {view.turn} turns played, {view.to_move} to move"
        yield from (f"   {line}" for line in _drawing(seen_game.game, view))


def _drawing(game: Game, view: View) -> Iterator[str]:
    board = game.board
    codes = {kind.id: kind.code for kind in game.kinds}
    for row in range(board.rows, 0, -1):
        squares = []
        for column in range(1, board.columns + 1):
            cell = cell_at(column, row)
            piece = view.at(cell_name(cell))
            squares.append(_square(codes, piece) if piece else "~~" if cell in board.zones else " .")
        yield f"{row:2} " + " ".join(f"{square:4}" for square in squares)
    tray = " ".join(f"{piece.side[0]}:{piece.kind or '?'}" for piece in view.tray)
    yield f"tray {tray or '-'}"
    yield from _thoughts(codes, view)
    notes = [f"no progress {view.no_progress}", f"rescues {view.rescues[0]}+{view.rescues[1]}"]
    notes.append(f"legal {len(view.legal)}")
    notes += [f"asked {view.prompt.ask} {view.prompt.cell}"] if view.prompt else []
    notes += [f"barred {one.origin}-{one.target} {one.rule}" for one in view.barred]
    notes += [f"result {view.result.winner or 'draw'}, {view.result.reason}"] if view.result else []
    yield ", ".join(notes)


def _square(codes: dict[str, str], piece: SeenPiece) -> str:
    sign = "+" if piece.side == "south" else "-"
    marks = ("!" if piece.is_told else "") + ("'" if piece.moved else "")
    return f"{sign}{codes.get(piece.kind, '?')}{marks}"


def _thoughts(codes: dict[str, str], view: View) -> Iterator[str]:
    """Possible kinds and what own pieces look like, alike ones together."""
    for word, sets in (
        ("possible", {piece.name: piece.possible for piece in view.pieces}),
        ("looks like", {piece.name: piece.looks_like for piece in view.pieces}),
    ):
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, kinds in sets.items():
            if kinds:
                alike.setdefault(kinds, []).append(name)
        for kinds, names in sorted(alike.items()):
            yield f"{word} {''.join(codes[kind] for kind in kinds)}: {' '.join(sorted(names))}"
