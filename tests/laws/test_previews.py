"""Previews: what a power is said to do, it does; in random games of every game that has powers."""

from __future__ import annotations

import pytest

from flagfall.board import DIAGONALS, DIRECTIONS, cell_name
from flagfall.edition import game_ids, load_game
from flagfall.edition.verbs import power_verb, verbs_of
from flagfall.engine import action as A
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.play import legal_actions, play
from flagfall.engine.verbs.advance import how_far
from flagfall.match.previews import Preview, previews
from flagfall.view.view import VIEWERS, View
from tests.laws.law import Law, verdict_on
from tests.laws.seen_game import SeenGame, Step

POWERS = [*(game_id for game_id in game_ids() if load_game(game_id).has_powers), "spin-master/duel"]
EVERY = 3
"""steps of a game between two that are looked at"""
NO_ATTACK = (A.LEAP, A.TELEPORT, A.SHOOT, A.DETECT, A.CONVERT, A.SWEEP)
"""verbs that never end in an ordinary attack"""
WAYS = (A.ATTACK, A.TWO_STEP, A.RESCUE)
"""verbs that may end in one, by the piece at the origin"""


@pytest.mark.parametrize(
    "game_id", [pytest.param(one, marks=pytest.mark.xdist_group(f"laws {one}")) for one in POWERS]
)
def test_a_power_does_what_its_preview_says(game_id: str) -> None:
    tried = verdict_on(game_id, PowersDoAsPreviewed).verbs
    wanted = {power_verb(power).name for power in load_game(game_id).powers() if verbs_of(power.verb)}
    assert wanted <= set(tried), f"{wanted - set(tried)} were never possible"


class PowersDoAsPreviewed(Law):
    """What the preview of an action says is what comes of it."""

    def check(self, step: Step) -> None:
        case = step.record.case
        if case.game.id not in POWERS or step.at % EVERY or not step.legal:
            return
        self.tried += 1
        view = step.views[VIEWERS[step.seen_game.state.side]]
        for action, preview in previews(case.game, view, case.options).items():
            fault = _fault(step.seen_game, view, action, preview)
            assert fault == "", f"{step}: {action}, {preview}: {fault}"
            self.verbs[action.verb_name] += 1


def _fault(seen_game: SeenGame, view: View, action: Action, preview: Preview) -> str:
    """Play the action on a copy; what the preview had wrong, or an empty text."""
    before, after = seen_game.state, seen_game.state.copy()
    happened = play(seen_game.tables, after, action.pack())
    stood = {
        event.piece: cell_name(cell)
        for event in happened
        if (cell := before.buffer[S.PIECE_CELL + event.piece])
    }

    def squares(*what: int) -> set[str]:
        return {stood[event.piece] for event in happened if event.what in what and event.piece in stood}

    prompt = view.prompt.ask if view.prompt else ""
    actor = action.target_square if prompt == "next" and action.target else action.origin_square
    hits = {hit.square for hit in preview.hits}
    moved = {
        (stood[event.piece], cell_name(event.target))
        for event in happened
        if event.what == E.MOVE and event.value != E.BY_DEFENCE
    }
    if not moved <= {(way.squares[0], square) for way in preview.ways for square in way.squares[1:]}:
        return f"pieces went {sorted(moved)}"
    gone, turned = squares(E.REMOVED), squares(E.CONVERT)
    if (
        action.verb in (A.SWEEP, A.SHOOT, A.CONVERT)
        and (gone | turned | squares(E.NOTHING)) - {actor} != hits
    ):
        return f"it hit {sorted((gone | turned | squares(E.NOTHING)) - {actor})}"
    is_settled = not after.is_turn_open or action.verb == A.ATTACK
    for hit in preview.hits if is_settled and action.verb != A.ADVANCE else ():
        is_right = {
            "captured": hit.square in gone,
            "safe": hit.square not in gone | turned,
            "converted": hit.square in turned,
            "shown": hit.square in squares(E.SHOWN),
            "": True,
        }
        if not is_right[hit.fate]:
            return f"the piece on {hit.square} was not {hit.fate}"
    if preview.is_lost and actor and actor not in gone:
        return f"{actor} was not lost"
    is_certain = all(hit.fate for hit in preview.hits)
    if (action.verb in WAYS or prompt == "next") and is_certain and not preview.is_lost and actor in gone:
        return f"{actor} was lost"
    must_ask = preview.is_lost and action.verb != A.ATTACK and len(view.legal) > 1
    if action.verb in WAYS and bool(preview.question) != must_ask:
        return f"it asked “{preview.question}”"
    if action.verb in (A.SWING, A.SWEEP) and set(preview.squares) != _covered(view, action, preview):
        return f"it covers {sorted(_covered(view, action, preview))}"
    if action.verb == A.ADVANCE and (fault := _advance_fault(seen_game, action, preview)):
        return fault
    if fault := _then_fault(seen_game, after, action, preview):
        return fault
    own = {piece.cell for piece in view.pieces if piece.side == view.viewer}
    is_asked = preview.question or len(view.legal) == 1
    if action.verb in NO_ATTACK and own & gone and not is_asked and actor not in gone:
        return f"{sorted(own & gone)} were lost without a question"
    return ""


def _covered(view: View, action: Action, preview: Preview) -> set[str]:
    """The squares around the end of the step that are empty, or whose piece is hit or can be chosen."""
    board = load_game(view.game).board
    around = {
        cell_name(cell)
        for way in (*DIRECTIONS, *DIAGONALS)
        if (cell := action.target + way) in board and cell not in board.zones and cell != action.origin
    }
    struck = {hit.square for hit in preview.hits} | set(preview.then)
    return {square for square in around if square in struck or view.at(square) is None}


def _then_fault(seen_game: SeenGame, after: S.State, action: Action, preview: Preview) -> str:
    """Compare what can be attacked or chosen afterwards with the legal actions of the open turn."""
    verb = A.CHOOSE_CELL if action.verb == A.SWING else A.ATTACK
    is_next = action.verb in (A.SWING, A.LEAP, A.ATTACK) and after.is_turn_open
    legal = map(Action.unpack, legal_actions(seen_game.tables, after) if is_next else ())
    possible, then = {act.target_square for act in legal if act.verb == verb}, set(preview.then)
    if not possible <= then:
        return f"{sorted(possible - then)} can be attacked or chosen"
    is_uncertain = any(hit.fate == "" for hit in preview.hits) and not after.is_turn_open
    is_barred = seen_game.options["two_square_counts_attacks"] == "on"
    if then != possible and not (is_uncertain or after.is_over or is_barred):
        return f"{sorted(then - possible)} cannot be attacked or chosen"
    return ""


def _advance_fault(seen_game: SeenGame, action: Action, preview: Preview) -> str:
    """Play an advance to its end, the foremost piece first; compare who fell and whom the group met."""
    state, way = seen_game.state.copy(), DIRECTIONS[action.choice]
    before = seen_game.state.buffer
    happened = list(play(seen_game.tables, state, action.pack()))
    while state.is_turn_open and not state.is_over:
        going = [
            act.target for act in map(Action.unpack, legal_actions(seen_game.tables, state)) if act.target
        ]
        if not going:
            break
        first = max(going, key=lambda cell: how_far(cell, way))
        happened += play(seen_game.tables, state, Action(A.CHOOSE_CELL, target=first).pack())
    attacks = [event for event in happened if event.what == E.ATTACK]
    met = {cell_name(event.target) for event in attacks}
    fallen = {
        cell_name(before[S.PIECE_CELL + event.piece])
        for event in happened
        if event.what == E.REMOVED and event.piece not in [one.piece for one in attacks]
    } - met
    told = {one.squares[0] for one in preview.ways if one.is_lost}
    hits = {hit.square for hit in preview.hits}
    if not fallen <= told or not (state.is_over or told <= fallen):
        return f"{sorted(fallen)} fell off the board or into a zone"
    if not met <= hits or not (state.is_over or hits <= met):
        return f"the group met {sorted(met)}"
    return ""
