"""The best line of a searching player: its best action, then the expected replies of both sides.

The first action is played in the likeliest World, and each reply is found by a short search. A line names no
kind that the viewer has not been told, and it stops where it would depend on one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from flagfall.board import DIRECTION_NAMES, DIRECTIONS, cell_name
from flagfall.edition import Game
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import action as A
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine.action import Action
from flagfall.engine.play import Event, legal_actions, play
from flagfall.engine.tables import MAX_KINDS, PIECES
from flagfall.languages import say
from flagfall.notation import describe_action, describe_event, write_turn
from flagfall.notation.names import at_phrase
from flagfall.players.budget import Budget, Deadline
from flagfall.players.chances import Duel, duel
from flagfall.players.search import buffers as B
from flagfall.players.search.root import SearchResult
from flagfall.players.search.root_weights import RootWeights
from flagfall.sides import SIDES, Side
from flagfall.view.view import SeenEvent, View, Viewer

if TYPE_CHECKING:
    from flagfall.players.searcher import SearchingPlayer

MAX_TURNS = 5
NODES = 1500
"""for each reply"""
_MAX_DEPTH = 3
_HARMLESS = frozenset({E.MOVE, E.ATTACK, E.TURN, E.USE, E.SPOT, E.RESCUE})
"""events that say nothing about the kind of a hidden piece"""
_STOPS = frozenset({E.RESULT, E.RESCUED, E.CONVERT, E.PHASE})


@dataclass(frozen=True)
class LineTurn:
    """One turn of a line; all but the first are guesses."""

    side: Side
    text: str
    """in notation"""
    words: str
    """without anything that is hidden from the viewer"""


def best_line(
    player: SearchingPlayer,
    result: SearchResult,
    turns: int = MAX_TURNS,
    nodes: int = NODES,
    voice: Viewer | None = None,
) -> tuple[LineTurn, ...]:
    """Return the best action and what may follow, described to the viewer or to ``voice``."""
    found = result.root_result
    walk = _Walk(player, result, nodes, voice or result.view.viewer)
    walk.begin(Action.unpack(found.acts[found.active[0]]))
    while walk.goes_on and (len(walk.turns) < turns or walk.is_turn_open):
        walk.reply()
    return tuple(turn.described(player.game) for turn in walk.turns)


class _Turn:
    """A turn of the line, action by action."""

    def __init__(self, side: Side, is_attack: bool) -> None:
        self.side, self.is_attack = side, is_attack
        self.actions: list[Action] = []
        self.words: list[str] = []

    def described(self, game: Game) -> LineTurn:
        text = write_turn(game, self.actions, is_attack=self.is_attack)
        return LineTurn(self.side, text, " ".join(word for word in self.words if word))


class _Walk:
    """A few turns in one World, as the viewer sees them."""

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
        """Play the best action in the likeliest World."""
        risk = duel(self.game, self.tables, self.result, action)
        self.state = S.State(self.result.worlds[self._likeliest(risk)].copy())
        words = describe_action(self.game, action, self.view)
        if risk is not None:
            words += f" {say('players.line.odds', odds=risk.odds.words())}"
        self._apply(action, words, is_expected=risk is not None)

    def _likeliest(self, risk: Duel | None) -> int:
        """Return the likeliest World, among those in which an attack has its likeliest outcome."""
        kinds, chances = self.result.kinds, self.result.chances
        fit = np.log(np.maximum(chances[np.arange(kinds.shape[1]), kinds], 1e-12)).sum(axis=1)
        if risk is not None:
            ends = np.array(risk.outcomes)[kinds[:, risk.column]]
            fit = np.where(ends == risk.likeliest, fit, fit - 1e6)
        return int(np.argmax(fit))

    @property
    def _mover(self) -> Side:
        return Side.at(self.state.side)

    def reply(self) -> None:
        """Play the reply of the side to move, found by a short search."""
        acts = legal_actions(self.tables, self.state)
        acts = [act for act in acts if not self._is_rash(act)] or acts
        found = self.player.root.search(
            self.state.row[None, :],
            acts,
            RootWeights.even(len(acts), np.ones(1)),
            self.result.root_result.scale,
            SIDES.index(self.seat),
            Deadline(Budget(nodes=self.nodes)),
            _MAX_DEPTH,
        )
        action = Action.unpack(acts[found.active[0]])
        self._apply(action, self._words(action), is_expected=False)

    def _is_rash(self, act: int) -> bool:
        """Return whether it attacks a piece that its side has not been shown, with an expected loss."""
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

    def _words(self, action: Action) -> str:
        """Describe an action of the side to move."""
        verb = VERB_BY_CODE[action.verb]
        if verb.is_answer:
            return ""
        origin, target = (cell_name(cell) if cell else "" for cell in (action.origin, action.target))
        if action.verb == A.SPOT:
            target = cell_name(action.target + DIRECTIONS[action.choice])
        there = self.view.at(target)
        who = at_phrase(self.game, self.view, origin)
        if verb.may_attack and there and origin != target:
            return say("players.line.attacks", who=who, target=at_phrase(self.game, self.view, target))
        if verb.may_attack or verb.code == A.MOVE:
            return say("players.line.goes", who=who, square=target)
        piece = self.view.at(origin)
        event = SeenEvent(
            verb.name,
            self.view.turn,
            side=self._mover,
            piece=piece.name if piece else "",
            origin=origin,
            target=target,
            detail=DIRECTION_NAMES[action.choice] if action.verb == A.ADVANCE else "",
        )
        return describe_event(self.game, event, self.view.viewer, self.view)

    def _apply(self, action: Action, words: str, *, is_expected: bool) -> None:
        """Play an action in the World; ``is_expected``: the line goes on although its result is a guess."""
        there = self.view.at(cell_name(action.target)) if action.target else None
        side = self._mover
        if not self.is_turn_open:
            self.turns.append(_Turn(side, there is not None and there.side != side))
        self.turns[-1].actions.append(action)
        self.turns[-1].words.append(words)
        happened = play(self.tables, self.state, action.pack())
        telling = [event.piece for event in happened if event.what not in _HARMLESS]
        is_known = not any(self._names.get(piece) in self._hidden for piece in telling)
        is_plain = not any(event.what in _STOPS for event in happened)
        self.is_turn_open = self.state.is_turn_open
        is_guess = self.state.buffer[S.PENDING] == S.ASK_GUESS
        is_silent = self.is_turn_open and side != self.seat  # the enemy's choices are its own
        is_over = self.state.is_over or is_guess or is_silent
        self.goes_on = (is_known or is_expected) and is_plain and not is_over
        if self.goes_on:
            self._see(happened)

    def _see(self, happened: list[Event]) -> None:
        """Update where pieces stand in the View."""
        pieces = {piece.name: piece for piece in self.view.pieces}
        for event in happened:
            name = self._names.get(event.piece, "")
            if event.what == E.MOVE:
                pieces[name] = msgspec.structs.replace(pieces[name], cell=cell_name(event.target))
            elif event.what == E.REMOVED:
                del pieces[name]
        self.view = msgspec.structs.replace(
            self.view, pieces=tuple(pieces.values()), to_move=self._mover, prompt=None, legal=()
        )
