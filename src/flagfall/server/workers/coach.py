"""The coach of a training game: a good action with its reason, and what a hidden piece might be.

It is given the player's own View and history, as every computer player is, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from flagfall.board import cell_name
from flagfall.edition import Game, load_game, resolve
from flagfall.edition.verbs import VERB_BY_CODE
from flagfall.engine import tables as T
from flagfall.engine.action import Action
from flagfall.languages import Phrase, say
from flagfall.notation.names import kind_word
from flagfall.players.belief import Belief
from flagfall.players.budget import Budget
from flagfall.players.chances import duel, percent
from flagfall.players.explain import Explanation, explain
from flagfall.players.levels import level_of
from flagfall.players.reasons import Fights, quiet_reason
from flagfall.players.searcher import SearchingPlayer
from flagfall.players.worlds import PHASE_NUMBERS
from flagfall.server.workers.jobs import ChancesAnswer, HintAnswer, Job
from flagfall.sides import Side
from flagfall.view.view import SeenEvent, SeenPiece, View

LEVEL = level_of("colonel")
"""reads what the opponent has done, and is fast even with interpreted kernels"""
LINE_TURNS = 3
LINE_NODES = 200
"""for each reply in the line"""
LIKELY = 0.4
"""a kind that is at least so likely is named"""
MAX_KINDS_SHOWN = 4


def hint(job: Job) -> HintAnswer:
    """Return the best action for the owner of the View."""
    game, view, history = _read(job)
    options = resolve(game, job.options)
    player = SearchingPlayer(game, options, Random(job.seed), Budget(job.time_ms, job.nodes), LEVEL)
    told = explain(player, view, history, turns=LINE_TURNS, nodes=LINE_NODES)
    best = told.candidates[0].action
    win = say("coach.hint.win", chance=percent(told.estimate))
    reason = " ".join(filter(None, (_reason(game, player, view, told, best), _next(told), win)))
    return HintAnswer(best.pack(), reason, round(100 * told.estimate))


def chances(job: Job) -> ChancesAnswer:
    """Return what the hidden enemy piece on a square might be."""
    game, view, history = _read(job)
    belief = Belief(game, resolve(game, job.options), Side(view.viewer))
    belief.update(view, history)
    piece = view.at(job.square)
    row = belief.marginals()[belief.names.index(piece.name if piece else "")]
    likely = sorted(range(len(game.kinds)), key=lambda kind: (-row[kind], kind))[:MAX_KINDS_SHOWN]
    kinds = tuple((game.kinds[kind].id, share) for kind in likely if (share := round(100 * float(row[kind]))))
    return ChancesAnswer(kinds, max(0, 100 - sum(share for _, share in kinds)))


def _read(job: Job) -> tuple[Game, View, Sequence[SeenEvent]]:
    game = load_game(job.game, allow_files=False)
    view = msgspec.json.decode(job.view, type=View)
    return game, view, msgspec.json.decode(job.history, type=list[SeenEvent])


def _reason(game: Game, player: SearchingPlayer, view: View, told: Explanation, action: Action) -> str:
    """Return what an attack may meet and how it may end, or why a quiet action is good."""
    fights = player.sampler.tables.fights(len(game.kinds), PHASE_NUMBERS[view.regime])
    target = view.at(cell_name(action.target)) if VERB_BY_CODE[action.verb].may_attack else None
    attacker = view.at(cell_name(action.origin)) if target else None
    if target is None or attacker is None or target.side == view.viewer:
        return quiet_reason(game, player.options, view, action, fights)
    if target.kind:
        return _known_fight(game, fights, attacker, target)
    assert player.result is not None, "the position was searched"
    risk, hidden = duel(game, player.sampler.tables, player.result, action), told.at(target.cell)
    if risk is None or hidden is None:
        return ""
    (likeliest, chance), *_ = hidden.kinds
    odds = say("coach.hint.risk", odds=risk.odds.words())
    if chance < LIKELY:
        return odds
    enemy = Phrase("coach.piece.enemy", kind_word(game, likeliest, target.side))
    guess = say("coach.hint.guess", enemy=enemy)
    return f"{guess} {odds}"


def _known_fight(game: Game, fights: Fights, attacker: SeenPiece, target: SeenPiece) -> str:
    own = Phrase("coach.piece.own", kind_word(game, attacker.kind, attacker.side))
    enemy = Phrase("coach.piece.enemy", kind_word(game, target.kind, target.side))
    outcome = fights[game.kind_index(attacker.kind)][game.kind_index(target.kind)]
    if outcome == T.ATTACKER_WINS:
        return say("coach.hint.beats", own=own, enemy=enemy)
    return say("coach.hint.both-go", own=own, enemy=enemy) if outcome == T.BOTH_LOST else ""


def _next(told: Explanation) -> str:
    """Return the viewer's next turn in the expected line."""
    later = next((turn.words for turn in told.line[1:] if turn.side == told.viewer and turn.words), "")
    return say("coach.hint.next", turn=later, small=f"{later[:1].lower()}{later[1:]}") if later else ""
