"""What holds at every moment of every random game: each game is played once, and all laws look on."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from flagfall.board import cell_name, parse_cell
from flagfall.edition import game_ids, load_game
from flagfall.edition.compile import compile_game
from flagfall.engine import events as E
from flagfall.engine import state as S
from flagfall.engine import tables as T
from flagfall.engine.action import ATTACK, Action
from flagfall.engine.play import Event, deal, legal_actions, play
from flagfall.engine.state import STATE_SIZE, State
from flagfall.view.knowledge import Facts, Knowledge
from flagfall.view.view import VIEWERS, Viewer
from tests.laws import MORE, by_game
from tests.laws.law import Law, tried
from tests.laws.seen_game import Record, Step, cases_of, random_setup
from tests.laws.worlds import imagine


@by_game
def test_the_row_agrees_with_itself_after_every_action(game_id: str) -> None:
    assert tried(game_id, RowAgrees)


@by_game
def test_pieces_are_neither_made_nor_lost_in_views(game_id: str) -> None:
    assert tried(game_id, ViewsCount)


@by_game
def test_a_game_replays(game_id: str) -> None:
    assert tried(game_id, Replays)


@by_game
def test_the_true_kind_is_always_possible_and_told_means_told(game_id: str) -> None:
    assert tried(game_id, TruthIsPossible)


@by_game
def test_knowledge_is_the_fold_of_everything_seen(game_id: str) -> None:
    assert tried(game_id, KnowledgeFolds)


@by_game
def test_legal_actions_are_those_of_any_world_the_mover_may_imagine(game_id: str) -> None:
    assert tried(game_id, LegalityFromSight) >= 20


@by_game
def test_a_watcher_sees_a_kind_exactly_when_both_seats_see_it(game_id: str) -> None:
    assert tried(game_id, WatchersSeeTheCommon)


class RowAgrees(Law):
    """The State agrees with itself and with the list of legal actions."""

    def check(self, step: Step) -> None:
        self.tried += 1
        legal = step.legal
        assert len(set(legal)) == len(legal), step
        assert all(Action.unpack(one).pack() == one for one in legal), step
        assert step.seen_game.state.is_over == (not legal), step
        s, t = step.seen_game.state.buffer, step.seen_game.tables.buffer
        roster = [Counter[int](), Counter[int]()]
        movers = [0, 0]
        standing = {}
        for piece in range(1, T.PIECES):
            info, cell = s[S.PIECE_INFO + piece], s[S.PIECE_CELL + piece]
            if info == 0:
                assert cell == 0, step
                continue
            owner, kind = S.owner_of(s, piece), S.kind_of(s, piece)
            roster[piece > T.ARMY][kind] += 1  # a converted piece counts where it began
            if cell:
                standing[cell] = (S.OF_SOUTH + owner) << S.STANDS | piece
                movers[owner] |= (t[T.KIND_FLAGS + kind] & T.MOBILE) << piece
        for side in (0, 1):
            expected = {kind: count for kind, count in enumerate(step.seen_game.game.rosters[side]) if count}
            assert roster[side] == expected, step
            assert S.movers(s, side, 0) | S.movers(s, side, 1) << 48 == movers[side], step
        for cell in range(144):
            blank = S.NO_SQUARE << S.STANDS if t[T.CELL_FLAGS + cell] & T.BLOCKED else S.EMPTY
            assert s[S.BOARD + cell] == standing.get(cell, blank), step


class ViewsCount(Law):
    """Board and tray of a View hold the whole army, and nothing is both legal and barred."""

    def check(self, step: Step) -> None:
        self.tried += 1
        state = step.seen_game.state
        for viewer, view in step.views.items():
            for side in (0, 1):
                board = sum(piece.side == VIEWERS[side] for piece in view.pieces)
                tray = sum(piece.side == VIEWERS[side] for piece in view.tray)
                won = view.conversions[side] - view.conversions[1 - side]
                assert board + tray == step.seen_game.game.army_size(side) + won, f"{step}, {viewer}"
            assert (view.result is not None) == state.is_over, step
            offered = {
                (cell_name(act.origin), cell_name(act.target)) for act in view.legal if act.verb <= ATTACK
            }
            assert not offered & {(one.origin, one.target) for one in view.barred}, step
            knowledge = step.seen_game.observers.knowledge[viewer]
            assert VIEWERS.index(view.to_move) == knowledge.to_move == state.side, step


class Replays(Law):
    """The same actions lead to the same States and are seen as the same events."""

    def check(self, step: Step) -> None:
        if not step.is_last:
            return
        self.tried += 1
        again = step.record.replayed()
        assert again.greeting == step.record.seen[0], step
        for at, act in enumerate(step.record.actions, start=1):
            assert again.play(act) == step.record.seen[at], step
            assert again.state.digest() == step.record.digests[at], step


class TruthIsPossible(Law):
    """The true kind is possible for everybody, told means told, and all agree on what is possible."""

    def check(self, step: Step) -> None:
        if step.at % 5 and not step.seen_game.state.is_turn_open and not step.is_last:
            return
        self.tried += 1
        for viewer in VIEWERS:
            self._is_possible(step, viewer)
            self._is_told(step, viewer)
        south, north, watcher = (step.seen_game.observers.knowledge[viewer] for viewer in VIEWERS)
        for side in (0, 1):
            for name in watcher.armies[side].tokens:
                thoughts = {one.possible(name) for one in (south, north, watcher)}
                assert len(thoughts) == 1, f"{step}: {name} of {VIEWERS[side]}"

    def _is_possible(self, step: Step, viewer: Viewer) -> None:
        observers = step.seen_game.observers
        knowledge = observers.knowledge[viewer]
        true = {
            name: S.kind_of(step.seen_game.state.buffer, piece) for piece, name in observers._names.items()
        }
        for side, setup in enumerate(step.record.setups):
            for name in knowledge.armies[side].tokens:
                kind = true[name] if name in true else setup[parse_cell(name)]
                kinds = knowledge.possible(name)
                assert kinds >> kind & 1, (
                    f"{step}, {viewer}: {name} is {observers.facts.ids[kind]}, not in {kinds:b}"
                )

    def _is_told(self, step: Step, viewer: Viewer) -> None:
        """The marks of the State and the viewer's Knowledge agree on who was told what."""
        s, knowledge = step.seen_game.state.buffer, step.seen_game.observers.knowledge[viewer]
        for piece, name in step.seen_game.observers._names.items():
            if name in knowledge.cells:
                owner = S.owner_of(s, piece)
                bit = 1 - owner if viewer == VIEWERS[owner] else VIEWERS.index(viewer)
                is_marked = bool(s[S.PIECE_INFO + piece] & (S.TOLD_SOUTH << bit))
                has_moved = bool(s[S.PIECE_INFO + piece] & S.MOVED)
                assert is_marked == knowledge.token(name).is_told, f"{step}, {viewer}: {name}"
                assert has_moved == (name in knowledge.moved), f"{step}, {viewer}: {name}"


class KnowledgeFolds(Law):
    """What a viewer knows follows from the list of what it has seen, all at once or event by event."""

    def check(self, step: Step) -> None:
        if step.at == 0 or (step.at % 41 and not step.is_last):
            return
        self.tried += 1
        facts = step.seen_game.observers.facts
        for viewer in VIEWERS:
            at_once = _knowledge_before(step.record, facts, viewer)
            at_once.fold(step.seen[viewer])
            one_by_one = _knowledge_before(step.record, facts, viewer)
            for event in step.seen[viewer]:
                one_by_one.fold([event])
            live = _contents(step.seen_game.observers.knowledge[viewer])
            assert _contents(at_once) == live, f"{step}, {viewer}"
            assert _contents(one_by_one) == live, f"{step}, {viewer}"


def _contents(knowledge: Knowledge) -> dict[str, object]:
    """Everything a Knowledge holds, conclusions included."""
    names = [(name, side) for side in (0, 1) for name in knowledge.armies[side].tokens]
    possible = {name: knowledge.possible(name) for name, side in names}
    told = {name: knowledge.kind_of(name, side) for name, side in names}
    plain = {key: value for key, value in vars(knowledge).items() if key not in ("facts", "armies")}
    tokens = [[token._asdict() for token in army.tokens.values()] for army in knowledge.armies]
    return plain | {"possible": possible, "kinds": told, "tokens": tokens}


def _knowledge_before(kept: Record, facts: Facts, viewer: Viewer) -> Knowledge:
    """What the viewer knows before the first event."""
    squares = [[cell_name(cell) for cell in sorted(setup)] for setup in kept.setups]
    own: dict[str, str] = {}
    if viewer != "watcher":
        setup = kept.setups[VIEWERS.index(viewer)]
        own = {cell_name(cell): facts.ids[kind] for cell, kind in setup.items()}
    return Knowledge(facts, viewer, (squares[0], squares[1]), own)


class LegalityFromSight(Law):
    """What the mover may do follows from what the mover knows."""

    def check(self, step: Step) -> None:
        every = 3 if step.record.case.game.id.startswith("mini") else 11
        is_chosen = step.at % every == self.rng.randrange(every) or step.seen_game.state.is_turn_open
        if step.is_last or not is_chosen:
            return
        self.tried += 1
        viewer = VIEWERS[step.seen_game.state.side]
        assert [one.pack() for one in step.views[viewer].legal] == step.legal, step
        knowledge = step.seen_game.observers.knowledge[viewer]
        for _ in range(min(2, MORE)):
            world = imagine(step.seen_game, knowledge, step.seen[viewer], self.rng)
            assert legal_actions(step.seen_game.tables, world) == step.legal, step


class WatchersSeeTheCommon(Law):
    """A watcher sees what both seats see, and nothing to choose from."""

    def check(self, step: Step) -> None:
        if step.at == 0:
            return
        south, north, watcher = (step.views[viewer] for viewer in VIEWERS)
        for one, two, third in zip(south.pieces, north.pieces, watcher.pieces, strict=True):
            assert one.name == two.name == third.name, step
            both = one.kind if one.kind == two.kind else ""
            assert third.kind == both, step
            self.tried += bool(third.kind)
        is_open = step.record.case.options["captured_pieces"] == "open"
        assert all(bool(piece.kind) == is_open for piece in watcher.tray), step
        assert (watcher.legal, watcher.prompt, watcher.barred) == ((), None, ()), step


def _is_progress(event: Event) -> bool:
    is_purge = event.what == E.PHASE and event.value == S.BEARER_ARRIVED
    return is_purge or event.what in (E.REMOVED, E.RESCUED, E.CONVERT)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_ends_where_no_progress_is_a_draw(game_id: str) -> None:
    draws = 0
    for case in cases_of(game_id, 1):
        limit = case.options.number("no_progress_draw")
        if limit is not None and (limit < 200 or case.seed == 0):
            rng = Random(f"end of {case}")
            tables = compile_game(case.game, case.options)
            state, _ = deal(tables, random_setup(case.game, 0, rng), random_setup(case.game, 1, rng))
            quiet, is_progress = 0, False
            while not state.is_over:
                happened = play(tables, state, rng.choice(legal_actions(tables, state)))
                is_progress = is_progress or any(_is_progress(event) for event in happened)
                if not state.is_turn_open:
                    quiet, is_progress = 0 if is_progress else quiet + 1, False
                assert quiet <= limit, str(case)
                assert (state.buffer[S.REASON] == S.NO_PROGRESS_DRAW) == (quiet == limit), str(case)
                draws += quiet == limit
    assert draws > 0 or game_id.startswith("mini")


def test_a_state_fits_into_a_kilobyte() -> None:
    game = load_game("onyx/classic")
    assert State().row.nbytes <= 1024
    assert State().row.nbytes == 2 * STATE_SIZE
    assert game.army_size(0) == T.ARMY
