"""A stored analysis in another language: its facts stay, its sentences are made again.

Steps are stored with English sentences. The game is replayed to tell its turns; the best action and the line
after it are read from their notation. What a piece of the line may be is known from the stored belief.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from flagfall.analysis.analyst import Belief, Opinion
from flagfall.analysis.review import TOLD, Analysis, tell_turn
from flagfall.board import cell_name
from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.languages import ENGLISH, current_language, say
from flagfall.match.play import GameRunner
from flagfall.notation import NotationError, action_text, describe_action, read_turn
from flagfall.players.chances import Odds
from flagfall.players.line import LineTurn
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.setups import read_setup
from flagfall.view.view import SeenPiece, View


def retold(analysis: Analysis) -> Analysis:
    """Return an analysis with its sentences in the language in use."""
    if current_language() == ENGLISH:
        return analysis
    game, steps = analysis.game, []
    setups = (read_setup(game, side, text) for side, text in enumerate(analysis.record.setups))
    running = GameRunner(game, analysis.options, setups)
    for step, turn in zip(analysis.steps, analysis.record.turns, strict=False):
        before = {viewer: running.referee.view(viewer) for viewer in TOLD}
        view = running.view(running.mover)
        opinion, truth = step.opinion, step.truth
        if opinion is not None:
            opinion = _opinion(game, analysis.options, opinion, view)
        if truth is not None:
            truth = _opinion(game, analysis.options, truth, _with_truth(view, before["truth"]))
        words, south, north = tell_turn(
            game, [running.play(one) for one in read_turn(game, turn.text)], before
        )
        steps.append(replace(step, words=words, told=(south, north), opinion=opinion, truth=truth))
    return replace(analysis, steps=steps)


def _with_truth(view: View, truth: View) -> View:
    kinds = {piece.name: piece.kind for piece in truth.pieces}
    pieces = tuple(
        msgspec.structs.replace(piece, kind=kinds[piece.name], possible=()) for piece in view.pieces
    )
    return msgspec.structs.replace(view, pieces=pieces)


def _opinion(game: Game, options: Options, opinion: Opinion, view: View) -> Opinion:
    best = next((action for action in view.legal if action_text(game, view, action) == opinion.best), None)
    if best is None:
        return opinion
    shown = msgspec.structs.replace(view, viewer="watcher")
    words = describe_action(game, best, shown)
    first = words
    if (odds := _odds(game, options, opinion, view, best)) is not None:
        guess = say("players.line.odds", odds=odds.words())
        first = f"{words} {guess}"
    return replace(opinion, best_words=words, line=_line(game, opinion.line, shown, first))


def _odds(game: Game, options: Options, opinion: Opinion, view: View, action: Action) -> Odds | None:
    """Return the odds of an attack on a hidden piece; None for any other action."""
    if not VERB_BY_CODE[action.verb].may_attack:
        return None
    attacker, struck = view.at(cell_name(action.origin)), view.at(cell_name(action.target))
    if attacker is None or not attacker.kind or struck is None or struck.kind:
        return None
    belief: Belief = opinion.beliefs.get(struck.name, ())
    fights = compile_game(game, options).fights(len(game.kinds), PHASE_NUMBERS[view.regime])
    outcomes = fights[game.kind_index(attacker.kind)]
    ends = (T.ATTACKER_WINS, T.BOTH_LOST, T.DEFENDER_WINS, T.NOTHING)
    shares = (
        sum(chance for kind, chance in belief if outcomes[game.kind_index(kind)] == end) for end in ends
    )
    return Odds(*shares) if belief else None


def _line(game: Game, line: tuple[LineTurn, ...], view: View, first: str) -> tuple[LineTurn, ...]:
    """Return the line in the language in use; ``first``: its first turn in words."""
    told, pieces = [], list(view.pieces)
    for turn in line:
        try:
            actions = read_turn(game, turn.text)
        except NotationError:
            break
        sentences = []
        for action in actions:
            seen = _standing(pieces, action, turn.side)
            now = msgspec.structs.replace(view, pieces=tuple(seen), to_move=turn.side, prompt=None, legal=())
            if not VERB_BY_CODE[action.verb].is_answer:
                sentences.append(describe_action(game, action, now))
            pieces = _moved(pieces, action, turn.side)
        told.append(replace(turn, words=" ".join(sentences)))
    return tuple(replace(turn, words=first) if not at else turn for at, turn in enumerate(told))


def _standing(pieces: Iterable[SeenPiece], action: Action, side: str) -> list[SeenPiece]:
    """Return the pieces with one on each square: after a fight, the one that the action shows to be left."""
    origin, target = cell_name(action.origin) if action.origin else "", cell_name(action.target)
    found = {
        piece.cell: piece
        for piece in sorted(pieces, key=lambda piece: (piece.side == side) == (piece.cell == origin))
        if piece.cell != target or origin == target or (piece.side != side and not _lands(action))
    }
    return list(found.values())


def _goes(action: Action) -> bool:
    return VERB_BY_CODE[action.verb].shape == "way"


def _lands(action: Action) -> bool:
    """Return whether an action goes to an empty square."""
    return _goes(action) and not VERB_BY_CODE[action.verb].may_attack


def _moved(pieces: Sequence[SeenPiece], action: Action, side: str) -> list[SeenPiece]:
    """Return where pieces stand after an action; of a fight both sides' pieces stay until one acts."""
    if not action.origin or not action.target or not _goes(action):
        return list(pieces)
    origin, target = cell_name(action.origin), cell_name(action.target)
    return [
        msgspec.structs.replace(piece, cell=target) if (piece.cell, piece.side) == (origin, side) else piece
        for piece in pieces
    ]
