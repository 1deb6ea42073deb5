"""Fixtures of the admin tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.admin.data_folder import GAME, DataFolder, play_actions
from tests.server.admin.operator import Operator
from tests.server.served import friends, seal_both, serving


@pytest.fixture
def admin(capsys: pytest.CaptureFixture[str]) -> Iterator[Operator]:
    operator = Operator(capsys)
    yield operator
    operator.check()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    folder = tmp_path_factory.mktemp("kept")
    with serving(folder) as served:
        anna, ben, running = friends(served, GAME)
        seal_both(anna, ben, running, GAME)
        play_actions(anna, ben, running, 6)
        piece = anna.state(running)["view"]["pieces"][0]["name"]
        anna.put(f"/api/matches/{running}/notes", piece=piece, text="my old spy")
        code = anna.code(GAME, "south")
        anna.put("/api/me/setups", game=GAME, side="south", name="Mine", code=code)
        anna.post(f"/api/matches/{running}/chat", phrase="hello")
        others = []
        for options in ({}, {"clock": "10m"}):
            one = anna.post("/api/matches", game=GAME, opponent="lobby", side="south", options=options)
            ben.post(f"/api/matches/{one['match']}/join")
            seal_both(anna, ben, one["match"], GAME)
            play_actions(anna, ben, one["match"], 4)
            others.append(one["match"])
        over, timed = others
        ben.post(f"/api/matches/{over}/resign")
        waiting = anna.post("/api/matches", game=GAME, opponent="friend")["match"]
        hot_seat = ben.post("/api/matches", game="mini/3x3", opponent="hot-seat", side="south")["match"]
        cookies = [dict(guest.http.cookies) for guest in (anna, ben)]
    return DataFolder(folder, running, over, waiting, timed, hot_seat, cookies)
