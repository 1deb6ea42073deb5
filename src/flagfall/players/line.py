"""The line a searching player has in mind: its best action, then what it imagines both sides to do.

The first action is played on the likeliest imagined World, and every reply is searched for anew with a few
nodes. What follows the first action is a guess, and so is everything about hidden pieces: a line names no
kind that the viewer has not been told, and it stops where it would depend on one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition import Game
from flagfall.engine import action as A
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine.action import VERB_NAMES, Action
from flagfall.engine.play import Event, legal_actions, play
from flagfall.engine.tables import MAX_KINDS, PIECES
from flagfall.notation import describe_action, describe_event, write_turn
from flagfall.notation.names import at_phrase, sentence
from flagfall.players.budget import Budget, Deadline
from flagfall.players.chances import Duel, duel
from flagfall.players.search import buffers as B
from flagfall.players.search.root import SearchResult
from flagfall.players.search.root_weights import RootWeights
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, SeenPiece, View, Viewer

if TYPE_CHECKING:
    from flagfall.players.searcher import SearchingPlayer

MAX_TURNS = 5
NODES = 1500
"""for each imagined reply"""
_DEEPEST = 3
_HARMLESS = frozenset({E.MOVE, E.ATTACK, E.TURN, E.USE, E.SPOT, E.RESCUE})
"""what may happen to a hidden piece without telling anything of its kind"""
_STOPS = frozenset({E.RESULT, E.RESCUED, E.CONVERT, E.PHASE})
_CHOICES = frozenset({A.CHOOSE_KIND, A.CHOOSE_CELL, A.DONE})


@dataclass(frozen=True)
class LineTurn:
    """One turn of a line; all but the first are imagined."""

    side: Side
    text: str
    """as the notation writes it"""
    words: str
    """for the viewer; names nothing that is hidden from it"""


def best_line(
    player: SearchingPlayer,
    result: SearchResult,
    turns: int = MAX_TURNS,
    nodes: int = NODES,
    voice: Viewer | None = None,
) -> tuple[LineTurn, ...]:
    """The best action and what may follow; told to the viewer, or as ``voice`` would hear it told."""
    found = result.root_result
    walk = _Walk(player, result, nodes, voice or result.view.viewer)
    walk.begin(Action.unpack(found.acts[found.active[0]]))
    while walk.goes_on and (len(walk.turns) < turns or walk.is_turn_open):
        walk.play(walk.choice())
    return tuple(turn.told(player.game) for turn in walk.turns)


class _Turn:
    """A turn of the walk, action by action."""

    def __init__(self, side: Side, is_attack: bool) -> None:
        self.side, self.is_attack = side, is_attack
        self.actions: list[Action] = []
        self.words: list[str] = []

    def told(self, game: Game) -> LineTurn:
        text = write_turn(game, self.actions, is_attack=self.is_attack)
        return LineTurn(self.side, text, " ".join(word for word in self.words if word))


class _Walk:
    """A few turns through one imagined World, seen from the chair of the View's owner."""

    def __init__(self, player: SearchingPlayer, result: SearchResult, nodes: int, voice: Viewer) -> None:
        self.player, self.result, self.nodes = player, result, nodes
        self.game, self.tables = player.game, player.sampler.tables
        self.seat = result.view.viewer
        self.view: View = msgspec.structs.replace(result.view, viewer=voice)
        game_history = player.sampler.game_history
        assert game_history is not None, "a search result needs a history"
        self._names = {game_history.number[piece.name]: piece.name for piece in self.view.pieces}
        self._hidden = {piece.name for piece in result.hidden}
        self.turns: list[_Turn] = []
        self.goes_on = True
        self.is_turn_open = False

    def begin(self, action: Action) -> None:
        """The best action, in words for the one who may choose it."""
        risk = duel(self.game, self.tables, self.result, action)
        self.state = S.State(self.result.worlds[self._likeliest(risk)].copy())
        words = describe_action(self.game, action, self.view)
        if risk is not None:
            words += f" {sentence(f'by its guess it {risk.odds.words()}')}"
        self._carry_out(action, words, is_expected=risk is not None)

    def _likeliest(self, risk: Duel | None) -> int:
        """The World that fits the chances best, among those in which an attack ends as is to be expected."""
        kinds, chances = self.result.kinds, self.result.chances
        fit = np.log(np.maximum(chances[np.arange(kinds.shape[1]), kinds], 1e-12)).sum(axis=1)
        if risk is not None:
            ends = np.array(risk.outcomes)[kinds[:, risk.column]]
            fit = np.where(ends == risk.likeliest, fit, fit - 1e6)
        return int(np.argmax(fit))

    @property
    def _mover(self) -> Side:
        return Side.at(self.state.side)

    def choice(self) -> Action:
        """What the side to move does, by a short search."""
        acts = legal_actions(self.tables, self.state)
        acts = [act for act in acts if not self._is_rash(act)] or acts
        found = self.player.root.search(
            self.state.row[None, :],
            acts,
            RootWeights.even(len(acts), np.ones(1)),
            self.result.root_result.scale,
            SIDES.index(self.seat),
            Deadline(Budget(nodes=self.nodes)),
            _DEEPEST,
        )
        return Action.unpack(acts[found.active[0]])

    def _is_rash(self, act: int) -> bool:
        """Whether it attacks what its side has not been shown, and can expect to lose by it."""
        s = self.state.buffer
        if act >> 24 != A.ATTACK:
            return False
        struck, kind = S.piece_on(s, act & 255), S.kind_of(s, S.piece_on(s, act >> 8 & 255))
        info = s[S.PIECE_INFO + struck]
        if info & (S.TOLD_SOUTH << s[S.SIDE]):
            return False
        moved = 1 if info & S.MOVED else 0
        gain = self.player.buffers.values[B.ATTACK_GAIN + (moved * MAX_KINDS + kind) * PIECES + struck]
        return bool(gain < 0)

    def play(self, action: Action) -> None:
        """An imagined action."""
        self._carry_out(action, self._words(action), is_expected=False)

    def _words(self, action: Action) -> str:
        """What the side to move does, said to the viewer."""
        if action.verb in _CHOICES:
            return ""
        origin, target = (cell_name(cell) if cell else "" for cell in (action.origin, action.target))
        if action.verb == A.SPOT:
            target = cell_name(action.target + DIRECTIONS[action.choice])
        there = self.view.at(target)
        who = at_phrase(self.game, self.view, origin)
        if action.verb in (A.ATTACK, A.TWO_STEP, A.RESCUE) and there and origin != target:
            return sentence(f"{who} attacks {at_phrase(self.game, self.view, target)}")
        if action.verb in (A.MOVE, A.TWO_STEP, A.RESCUE):
            return sentence(f"{who} goes to {target}")
        piece = self.view.at(origin)
        event = SeenEvent(
            VERB_NAMES[action.verb],
            self.view.turn,
            side=self._mover,
            piece=piece.name if piece else "",
            origin=origin,
            target=target,
            detail=DIRECTION_NAMES[action.choice] if action.verb == A.ADVANCE else "",
        )
        return describe_event(self.game, event, self.view.viewer, self.view)

    def _carry_out(self, action: Action, words: str, *, is_expected: bool) -> None:
        """Play an action in the World and look what became of it; ``is_expected``: as was to be expected."""
        there = self.view.at(cell_name(action.target)) if action.target else None
        side = self._mover
        if not self.is_turn_open:
            self.turns.append(_Turn(side, there is not None and there.side != side))
        self.turns[-1].actions.append(action)
        self.turns[-1].words.append(words)
        happened = play(self.tables, self.state, action.pack())
        is_known = all(self._tells_nothing(event) for event in happened)
        is_plain = not any(event.what in _STOPS for event in happened)
        self.is_turn_open = self.state.is_turn_open
        is_guess = self.state.buffer[S.PENDING] == S.ASK_GUESS
        is_silent = self.is_turn_open and side != self.seat  # the enemy's choices are its own
        is_over = self.state.is_over or is_guess or is_silent
        self.goes_on = (is_known or is_expected) and is_plain and not is_over
        if self.goes_on:
            self._see(happened)

    def _tells_nothing(self, event: Event) -> bool:
        return event.what in _HARMLESS or self._names.get(event.piece) not in self._hidden

    def _see(self, happened: list[Event]) -> None:
        """The View after that, as far as a line needs it: who stands where."""
        pieces: dict[str, SeenPiece] = {piece.name: piece for piece in self.view.pieces}
        for event in happened:
            name = self._names.get(event.piece, "")
            if event.what == E.MOVE:
                pieces[name] = msgspec.structs.replace(pieces[name], cell=cell_name(event.target))
            elif event.what == E.REMOVED:
                del pieces[name]
        self.view = msgspec.structs.replace(
            self.view, pieces=tuple(pieces.values()), to_move=self._mover, prompt=None, legal=()
        )
