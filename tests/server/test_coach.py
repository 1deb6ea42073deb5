"""Training games: taking back, hints, and what a hidden piece might be; and where none of it is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from flagfall.edition import load_game, resolve
from flagfall.match import Match, Seating
from flagfall.server.api.commands import handle_command
from flagfall.server.api.requests import NewMatch, TakeBack
from flagfall.server.api.routes.coach import ask_coach
from flagfall.server.sessions.session import MatchSession
from flagfall.server.workers import Job
from flagfall.server.workers.coach import chances, hint
from flagfall.setups import random_setup, write_setup
from flagfall.sides import SIDES, Side
from flagfall.view.view import View
from tests.server.served import Guest, Json, Served, friends, seal_both, serving
from tests.server.test_match_store import ANNA, _registry
from tests.server.test_nothing_leaked import twins
from tests.server.test_store_failures import until
from tests.server.test_workers import run

GAME = "barrage/classic"


def training(served: Served, game: str = GAME, **wanted: object) -> tuple[Guest, str]:
    """A guest in a training game as South, both setups sealed."""
    anna = Guest(served, "Anna")
    made = anna.post("/api/matches", 200, game=game, level="greedy", side="south", training=True, **wanted)
    match = str(made["match"])
    assert made["training"]
    assert "Training" in made["chips"]
    anna.post(f"/api/matches/{match}/setup", code=anna.code(game, "south", "fortress"))
    state = made
    while state["phase"] != "playing":
        state = anna.state(match, since=state["number"], wait_s=20)
    return anna, match


def acted(anna: Guest, match: str, at: int = 0) -> Json:
    """Play a move without a fight and wait for the computer's answer."""
    state = anna.state(match)
    quiet = [one["action"] for one in state["choices"] if not one["is_attack"]]
    choice = quiet[at % len(quiet)]
    state = anna.post(f"/api/matches/{match}/act", number=state["number"], action=choice)
    while state["to_move"] == "north":
        state = anna.state(match, since=state["number"], wait_s=20)
    return anna.state(match)


def position(state: Json) -> tuple[object, ...]:
    return state["view"]["pieces"], state["turn"], state["to_move"], state["choices"]


# ---------------------------------------------------------------------- taking back


def test_the_last_turn_is_taken_back_and_the_match_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        anna, match = training(served, "onyx/classic")  # no Flag is reached in a few turns
        first = anna.state(match)
        assert "take-back" not in first["can"]
        second = acted(anna, match)
        assert "take-back" in second["can"]
        third = acted(anna, match)
        state = anna.post(f"/api/matches/{match}/take-back", number=third["number"])
        assert position(state) == position(second)
        assert state["news"] == []
        state = anna.post(f"/api/matches/{match}/take-back", number=state["number"])
        assert position(state) == position(first)
        before = acted(anna, match, 3)
        watched = Guest(served).state(match)
        served.kill()
        served.start()
        anna.http.base_url = served.url
        after = anna.state(match)
        assert position(after) == position(before)
        assert after["news"] == before["news"]
        assert Guest(served).state(match)["view"] == watched["view"]
        anna.post(f"/api/matches/{match}/resign")
        record = anna.http.get(f"/api/matches/{match}/record").text
        assert "training: yes" in record
        assert len([line for line in record.splitlines() if line[:1].isdecimal()]) == after["turn"]
        steps = anna.get(f"/api/matches/{match}/replay", as_="south")["steps"]
        assert len(steps) == after["turn"] + 1


def test_another_tab_is_told_and_cannot_take_back_twice(served: Served) -> None:
    anna, match = training(served)
    state = acted(anna, match)
    with anna.socket(match) as tab, Guest(served).socket(match) as stranger:
        tab.until("state")
        stranger.until("state")
        anna.post(f"/api/matches/{match}/take-back", number=state["number"])
        assert tab.until("state")["turn"] == 0
        assert "You take your last turn back." in [news["text"] for news in tab.state["news"]]
        assert stranger.until("state")["turn"] == 0
        tab.send(do="take-back", number=state["number"], id="again")
        assert tab.hear() | {"sentence": ""} == {
            "what": "refused",
            "code": "stale-number",
            "sentence": "",
            "reply_to": "again",
            "retry_after_s": None,
        }
    refusal = anna.post(f"/api/matches/{match}/take-back", 409, number=state["number"] + 1)
    assert refusal["code"] == "nothing-to-take-back"


class WaitingWorkers:
    """Workers whose players choose the first action, but only when they are let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = 0
        self.questions: list[Job] = []

    @asynccontextmanager
    async def lease(self, player: str, ticket: object) -> AsyncIterator[WaitingWorkers]:
        yield self

    async def action(self, job: Job) -> int:
        self.asked += 1
        await self.go.wait()
        return msgspec.json.decode(job.view, type=View).legal[0].pack()

    async def advice(self, job: Job) -> bytes:
        self.questions.append(job)
        return b"advice"

    async def setup(self, job: Job) -> str:
        return write_setup(random_setup(load_game(job.game), job.side, Random(1)))

    def forget(self, match: str) -> None:
        pass

    def close(self) -> None:
        pass


async def _act(session: MatchSession, at: int) -> None:
    await session.execute(lambda match, now: match.act("south", None, match.view("south").legal[at], now))


def test_taking_back_while_the_computer_thinks_drops_what_it_chooses(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        workers: Any = WaitingWorkers()
        registry.workers = workers
        session = await registry.new_matches.create(ANNA, NewMatch(game=GAME, side="south", training=True))
        code = write_setup(random_setup(session.game, 0, Random(2)))
        await session.execute(lambda match, now: match.seal("south", code, now))
        match = session.require_started()
        await until(lambda: match.phase == "playing")
        start = match.view("south")
        await _act(session, 0)
        await until(lambda: workers.asked == 1)
        command = TakeBack(number=session.number("south"))
        await handle_command(registry, session, ANNA, command)
        assert match.view("south") == start
        workers.go.set()
        await asyncio.sleep(0)
        assert match.to_move == "south"
        await _act(session, 1)
        await until(lambda: match.turn == 2)
        assert [entry.number for entry in match.log] == list(range(match.number))
        await session.wait_until_stored()
        stored = await registry.store.log(session.row.id)
        assert Match.rebuilt(stored).digest() == match.digest()
        assert match.turns[0].actions == (start.legal[1],)
        await registry.close()

    run(history)


# ---------------------------------------------------------------------- hints and chances


@pytest.mark.parametrize("game", [GAME, "lotr/special-powers"])
def test_a_hint_is_a_legal_action_with_a_reason(served: Served, game: str) -> None:
    anna, match = training(served, game)
    state = acted(anna, match)
    assert "hint" in state["can"]
    advice = anna.post(f"/api/matches/{match}/hint", number=state["number"])
    assert advice["choice"] in state["choices"]
    assert "Your chance to win is about" in advice["reason"]
    assert 0 <= advice["win_percent"] <= 100
    assert anna.state(match)["number"] == state["number"]


def test_the_chances_of_a_hidden_piece_add_up(served: Served) -> None:
    anna, match = training(served)
    state = anna.state(match)
    enemy = next(piece for piece in state["view"]["pieces"] if piece["side"] == "north")
    own = next(piece for piece in state["view"]["pieces"] if piece["side"] == "south")
    found = anna.post(f"/api/matches/{match}/chances", number=state["number"], square=enemy["cell"])
    shares = [kind["percent"] for kind in found["kinds"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) + found["others_percent"] == pytest.approx(100, abs=len(shares))
    assert {kind["kind"] for kind in found["kinds"]} <= set(enemy["possible"])
    for square in (own["cell"], "e5", "zz"):
        refused = anna.post(f"/api/matches/{match}/chances", 422, number=state["number"], square=square)
        assert refused["code"] == "unknown-piece"


def test_the_coach_answers_only_the_player_and_only_the_position_that_is_there(served: Served) -> None:
    anna, match = training(served)
    number = anna.state(match)["number"]
    assert (
        Guest(served, "Ben").post(f"/api/matches/{match}/hint", 403, number=number)["code"] == "not-your-seat"
    )
    assert anna.post(f"/api/matches/{match}/hint", 409, number=number + 1)["code"] == "stale-number"
    assert Guest(served).state(match)["can"] == []


def test_in_a_game_from_memory_the_coach_keeps_quiet(served: Served) -> None:
    anna, match = training(served, options={"memory": "strict"})
    state = anna.state(match)
    assert "hint" not in state["can"]
    refused = anna.post(f"/api/matches/{match}/hint", 409, number=state["number"])
    assert refused["sentence"] == "This game is played from memory, so the coach keeps quiet."


def test_the_coach_is_given_the_players_own_view_and_history(tmp_path: Path) -> None:
    async def history() -> None:
        registry = await _registry(tmp_path)
        workers: Any = WaitingWorkers()
        registry.workers = workers
        session = await registry.new_matches.create(ANNA, NewMatch(game=GAME, side="south", training=True))
        code = write_setup(random_setup(session.game, 0, Random(2)))
        await session.execute(lambda match, now: match.seal("south", code, now))
        match = session.require_started()
        await until(lambda: match.phase == "playing")
        assert await ask_coach(registry, session, ANNA, Side.SOUTH, "hint") == b"advice"
        (job,) = workers.questions
        view = msgspec.json.decode(job.view, type=View)
        assert view == match.view("south", forgets=False)
        assert not any(piece.kind for piece in view.pieces if piece.side == "north")
        assert job.history == msgspec.json.encode(match.history("south"))
        assert match.setup_text("north").encode() not in msgspec.json.encode(job)
        await registry.close()

    run(history)


def asked(match: Match, seat: Side, **changes: object) -> Job:
    return Job(
        game=match.game.id,
        options=match.options.changed(match.game),
        player="coach",
        seed="seed",
        view=msgspec.json.encode(match.view(seat, forgets=False)),
        history=msgspec.json.encode(match.history(seat)),
        side=SIDES.index(seat),
        time_ms=None,
        nodes=600,
        coach="hint",
        **changes,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("game_id", ["onyx/classic", "spin-master/duel", "fire-and-ice/special-powers"])
def test_twins_get_the_same_hint_and_the_same_chances(game_id: str) -> None:
    south, twin, north, texts = twins(game_id, {})
    game, said = load_game(game_id), []
    for setup in (south, twin):
        match = Match.created(game, resolve(game, {}), Seating("Anna", "Computer"), 0, is_training=True)
        match.seal("south", setup, 0)
        match.seal("north", north, 0)
        answers: list[object] = []
        for text in texts:
            assert match.to_move is not None
            match.act(match.to_move, None, text, 0)
            if match.to_move == "north" and match.turn in (1, 7, 13):
                view = match.view("north")
                hidden = [piece.cell for piece in view.pieces if piece.side == "south" and not piece.kind]
                answers.append(hint(asked(match, Side.NORTH)))
                answers += [chances(asked(match, Side.NORTH, square=cell)) for cell in hidden[::4]]
        said.append(answers)
    assert said[0] == said[1]
    assert len(said[0]) > 3


def test_a_second_question_waits_for_the_first_answer(tmp_path: Path) -> None:
    with serving(tmp_path, {"flagfall.server.api.routes.coach.BUDGET_MS": 60_000}) as served:
        anna, match = training(served)
        number = anna.state(match)["number"]
        answers = asyncio.run(_ask_twice(anna, match, number))
    assert sorted(answers) == [200, 429]


async def _ask_twice(anna: Guest, match: str, number: int) -> list[int]:
    def ask() -> int:
        return anna.http.post(f"/api/matches/{match}/hint", json={"number": number}).status_code

    return list(await asyncio.gather(asyncio.to_thread(ask), asyncio.to_thread(ask)))


# ---------------------------------------------------------------------- where it is not allowed


@pytest.mark.parametrize("opponent", ["friend", "lobby", "hot-seat"])
def test_people_play_no_training_games(served: Served, opponent: str) -> None:
    anna = Guest(served, "Anna")
    refused = anna.post("/api/matches", 400, game=GAME, opponent=opponent, training=True)
    assert refused["sentence"] == "A training game is played against the computer; choose a level."


def test_a_training_game_has_no_clock(served: Served) -> None:
    anna = Guest(served, "Anna")
    refused = anna.post("/api/matches", 400, game=GAME, training=True, options={"clock": "10m+5s"})
    assert refused["sentence"] == "A training game has no clock; take your time."


def test_between_people_nothing_is_taken_back_and_there_is_no_coach(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    seal_both(anna, ben, match, GAME)
    state = anna.state(match)
    anna.post(f"/api/matches/{match}/act", number=state["number"], action=state["choices"][0]["action"])
    state = anna.state(match)
    assert not {"take-back", "hint"} & {*state["can"], *ben.state(match)["can"]}
    refused = anna.post(f"/api/matches/{match}/take-back", 409, number=state["number"])
    assert refused["code"] == "not-training"
    for guest in (anna, ben):
        for question in ({}, {"square": "e7"}):
            path = f"/api/matches/{match}/{'chances' if question else 'hint'}"
            refused = guest.post(path, 409, number=guest.state(match)["number"], **question)
            assert refused["code"] == "not-training"


def test_an_ordinary_game_against_the_computer_has_no_coach_either(served: Served) -> None:
    anna = Guest(served, "Anna")
    made = anna.post("/api/matches", game=GAME, level="greedy", side="south")
    assert not made["training"]
    refused = anna.post(f"/api/matches/{made['match']}/hint", 409, number=made["number"])
    assert refused["code"] == "not-training"


def test_a_rematch_of_a_training_game_is_one_too(served: Served) -> None:
    anna, match = training(served)
    anna.post(f"/api/matches/{match}/resign")
    state = anna.post(f"/api/matches/{match}/rematch")
    assert anna.state(state["rematch"]["match"])["training"]
