"""The catalogue, setups, rules pages and the documented schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flagfall.edition import game_ids, load_game
from flagfall.players.levels import LEVELS
from flagfall.server.api.catalogue import pace_ms
from flagfall.server.serve import schema
from tests.server.served import Guest, Served

DOCS = Path(__file__).parents[2] / "docs"


def test_computer_levels_are_listed(served: Served) -> None:
    with Guest(served) as guest:
        levels = guest.get("/api/games")["levels"]
    assert [level["id"] for level in levels] == [level.id for level in LEVELS]
    assert all(level["name"] and level["character"] for level in levels)
    assert all(pace_ms(level["id"]) == level["pace_ms"] for level in levels)
    assert pace_ms("ismcts") == 0


def test_every_game(served: Served) -> None:
    with Guest(served) as guest:
        boxes = guest.get("/api/games")["boxes"]
        assert [game["id"] for box in boxes for game in box["games"]] == list(game_ids())
        for name in game_ids():
            info, game = guest.get(f"/api/games/{name}"), load_game(name)
            squares = [square for row in info["board"]["home"]["north"] for square in row]
            assert squares == game.board.names(game.board.home(1))
            assert sum(kind["south"]["count"] for kind in info["kinds"]) == game.army_size(0)
            assert all(army["colour"].startswith("#") for army in info["armies"])
            assert all(power["text"] for kind in info["kinds"] for power in kind["powers"])
            assert all(
                kind[side]["card"]
                for kind in info["kinds"]
                for side in ("south", "north")
                if kind[side]["count"]
            )
            assert info["rules"].startswith("# ")
            assert {option["name"] for option in info["options"]} >= {"memory", "clock"}


def test_options_that_take_numbers_say_which(served: Served) -> None:
    with Guest(served) as guest:
        options = guest.get("/api/games/onyx/classic")["options"]
    limits = {one["name"]: (one["min"], one["max"]) for one in options}
    assert limits["two_square_limit"] == (1, 9)
    assert limits["no_progress_draw"] == (1, 10_000)
    assert limits["rescue"] == limits["clock"] == (None, None)


def test_every_option_has_a_title_a_help_text_and_a_sentence_for_every_value(served: Served) -> None:
    with Guest(served) as guest:
        for name in game_ids():
            for option in guest.get(f"/api/games/{name}")["options"]:
                assert option["title"][0].isupper(), option["name"]
                assert "_" not in option["title"], option["name"]
                assert option["help"], option["name"]
                assert set(option["sentences"]) == set(option["values"]), option["name"]
                assert set(option["labels"]) <= set(option["values"]), option["name"]
                assert bool(option["number_sentence"]) == (option["max"] is not None), option["name"]


def test_setups(served: Served) -> None:
    with Guest(served) as guest:
        path = "/api/games/onyx/classic/setup"
        for style in guest.get("/api/games/onyx/classic")["styles"]:
            made = guest.post(path, side="north", style=style["name"])
            again = guest.post(path, side="north", code=made["code"])
            assert again["squares"] == made["squares"]
            assert guest.post(path, side="north", squares=made["squares"])["code"] == made["code"]
            flipped = guest.post(path, side="north", code=made["code"], mirror=True)
            assert guest.post(path, side="north", code=flipped["code"], mirror=True)["code"] == made["code"]
        assert len(guest.post(path, side="south", shuffle=True)["squares"]) == 40
        assert guest.post(path, 422, side="south", code="F")["code"] == "setup"
        assert guest.post(path, 422, side="south", style="nothing")["code"] == "setup"


def test_rules_under_options(served: Served) -> None:
    with Guest(served) as guest:
        page = guest.get("/api/games/onyx/classic/rules", rescue="on")
        assert page["options"]["rescue"] == "on"
        assert page["markdown"] != guest.get("/api/games/onyx/classic")["rules"]


def test_bounds_are_numbers(served: Served) -> None:
    with Guest(served) as guest:
        limits = guest.get("/api/games")["limits"]
        guest.post("/api/guests", name="Anna")
        longest = "x" * limits["max_name_length"]
        assert guest.put("/api/me", name=longest)["name"] == longest
        assert guest.put("/api/me", 400, name=longest + "x")["code"] == "malformed"
        clock: dict[str, Any] = {"game": "mini/3x3", "opponent": "hot-seat"}
        days = limits["max_move_clock_days"]
        assert guest.post("/api/matches", **clock, options={"clock": f"{days}d"})
        assert guest.post("/api/matches", 400, **clock, options={"clock": f"{days + 1}d"})["code"] == "option"


def test_the_documented_schema_is_up_to_date() -> None:
    kept = json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))
    assert kept == json.loads(schema()), "write it anew: flagfall serve --schema > docs/openapi.json"


def test_a_client_cannot_name_a_module_as_a_player(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        for level in ("os:system", "flagfall.players.greedy:GreedyPlayer"):
            refused = anna.post("/api/matches", 404, game="mini/3x3", opponent="computer", level=level)
            assert refused["code"] == "not-found"
