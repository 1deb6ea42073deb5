"""Trials: gates that hide nothing, files that are resumed, budgets that are shared fairly."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bench.gates import Gate, at_least, between, worst
from bench.losses import losses
from bench.players import MIXED, Bench, Folder, OlderGamesError
from bench.strength_report import gates, html, markdown, together
from bench.trials import BEST_OF_ZOO, ZOO, Trial, TrialError, chosen, scaled, trials
from msgspec.structs import replace

from bench import players
from flagfall.arena.plan import GameResult, GameSlot, Spent
from flagfall.arena.sprt import Sprt
from flagfall.arena.tally import Tally
from flagfall.edition import game_ids, load_game
from flagfall.players import BUILT_IN
from flagfall.players.levels import LEVELS

CLASSIC = "lotr/classic"


def trial(name: str = "classic.random", **changes: object) -> Trial:
    """A small quick one."""
    usual = Trial(
        name=name,
        group=name.partition(".")[0],
        game="mini/3x3",
        first="greedy",
        second="random",
        games=8,
        gate=at_least(0.5),
    )
    return replace(usual, **changes)


def bench(place: Path, *found: Trial, **changes: object) -> Bench:
    names = {each.name for each in found}
    return Bench(Folder(place, 1), found, (), names, **changes)  # type: ignore[arg-type]


def played(result: str, pair: int = 0, leg: int = 0, second: str = "random", us: int = 1000) -> GameResult:
    """A game as if it had been played: won, drawn or lost by the first player."""
    winner = {"won": ("south", "north"), "lost": ("north", "south"), "drawn": ("", "")}[result][leg]
    plan = replace(trial().plan(1), players=("greedy", second))
    record = msgspec.Raw(b'{"flagfall":1}')
    spent = Spent([us])
    facts = {"plan": plan, "round": GameSlot(0, 1, pair, leg), "turns": 2, "reason": "flag captured"}
    return GameResult(**facts, winner=winner, south=spent, north=spent, record=record)  # type: ignore[arg-type]


# ---------------------------------------------------------------- gates


@pytest.mark.parametrize(
    ("gate", "won", "drawn", "lost", "planned", "verdict"),
    [
        (at_least(1.0), 300, 0, 0, 300, "reached"),
        (at_least(1.0), 299, 1, 0, 300, "not reached"),
        (at_least(1.0), 299, 0, 0, 300, "not enough games"),
        (at_least(0.95), 190, 10, 0, 200, "reached"),
        (at_least(0.95), 189, 11, 0, 200, "not reached"),
        (at_least(0.95), 0, 0, 11, 200, "not reached"),
        (at_least(0.98), 0, 0, 0, 100, "not enough games"),
        (between(0.60, 0.85), 120, 0, 80, 200, "reached"),
        (between(0.60, 0.85), 170, 0, 30, 200, "reached"),
        (between(0.60, 0.85), 171, 0, 29, 200, "not reached"),
        (between(0.60, 0.85), 119, 81, 0, 200, "not reached"),
        (between(0.60, 0.85), 130, 0, 40, 200, "reached"),
        (between(0.60, 0.85), 150, 0, 20, 200, "not enough games"),
        (Gate(), 3, 0, 4, 40, "reported"),
    ],
)
def test_a_draw_is_no_win_and_a_verdict_is_on_all_games_that_were_planned(
    gate: Gate, won: int, drawn: int, lost: int, planned: int, verdict: str
) -> None:
    assert gate.verdict(Tally(won, drawn, lost), planned) == verdict


def test_a_sequential_gate_is_reached_only_when_the_better_guess_is_accepted() -> None:
    gate = Gate(sprt=Sprt(0, 30))
    assert gate.verdict(Tally(), 400, (0, 0, 0, 0, 0)) == "not enough games"
    assert gate.verdict(Tally(), 400, (0, 10, 20, 100, 120)) == "reached"
    assert gate.verdict(Tally(), 400, (60, 60, 20, 5, 0)) == "not reached"


def test_one_miss_is_a_miss() -> None:
    assert worst(["reached", "not enough games", "not reached"]) == "not reached"
    assert worst(["reached", "not enough games"]) == "not enough games"
    assert worst(["reached", "reached"]) == "reached"


# ---------------------------------------------------------------- the list


def test_every_game_and_every_level_is_tried() -> None:
    found = trials(CLASSIC)
    assert len({each.name for each in found}) == len(found)
    for game in game_ids():
        met = {each.second for each in found if each.game == game and each.first == "marshal"}
        assert {"greedy", "random"} <= met
    powers = {each.game for each in found if each.group.startswith("levels")} - {CLASSIC}
    assert {load_game(game).edition.id for game in powers} == {
        load_game(game).edition.id for game in game_ids() if load_game(game).has_powers
    }
    for game in (CLASSIC, *powers):
        steps = [(each.first, each.second) for each in found if each.group == f"levels, {game}"]
        names = ["random", *(level.id for level in LEVELS)]
        assert steps == list(zip(names[1:], names, strict=False))


def test_what_is_asked_in_classic() -> None:
    found = {each.name: each for each in trials(CLASSIC)}
    asked = {name: (each.games, each.gate.words()) for name, each in found.items() if each.game == CLASSIC}
    assert asked["classic.random"] == (300, "all won")
    assert asked["classic.greedy"] == (200, "≥ 95 % won")
    assert asked["classic.ismcts"] == (100, "≥ 80 % won")
    assert {asked[f"classic.{name}"] for name in ("rusher", "turtle", "bluffer", "chaser")} == {
        (60, "≥ 75 % won")
    }
    assert asked["classic.double-time"][1] == "SPRT(0, 30) accepted"
    assert found["classic.double-time"].players == "marshal@time=100 against marshal@time=50"
    assert (found["classic.one-second"].time_ms, asked["classic.one-second"]) == (1000, (40, "–"))
    assert all(each.time_ms == 50 for name, each in found.items() if name != "classic.one-second")
    assert all(each.plan(1).setups == "own" for each in found.values())
    known = {*BUILT_IN, BEST_OF_ZOO}
    assert {who.partition("@")[0] for each in found.values() for who in (each.first, each.second)} <= known


def test_trials_are_chosen_by_parts_of_their_names() -> None:
    found = trials(CLASSIC)
    assert [each.name for each in chosen(found, ["classic.random"])] == ["classic.random"]
    assert {each.group for each in chosen(found, ["levels"])} == {
        each.group for each in found if each.group.startswith("levels")
    }
    assert all("barrage" in each.name for each in chosen(found, ["*barrage*"]))
    with pytest.raises(TrialError, match="No trial fits “classc”"):
        chosen(found, ["classc"])


def test_scaled_trials_are_of_whole_pairs() -> None:
    assert [scaled(trial(games=60), scale).games for scale in (0.001, 0.1, 0.5, 2)] == [2, 6, 30, 120]


# ---------------------------------------------------------------- playing


def test_a_trial_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    one = bench(tmp_path, trial())
    playing = one.folder.play(one.begin(0), 1)
    for _ in range(3):
        next(playing)
    playing.close()  # type: ignore[attr-defined]
    file = tmp_path / "classic.random.jsonl"
    before = file.read_bytes()
    assert before.count(b"\n") == 3
    again = bench(tmp_path, trial())
    assert len(again.standings[0].games) == 3
    assert len(list(again.folder.play(again.begin(0), 1))) == 5
    assert file.read_bytes().startswith(before)
    assert again.standings[0].is_over
    assert bench(tmp_path, trial()).standings[0].score == again.standings[0].score


def test_looking_writes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "strength"
    assert not bench(place, trial()).standings[0].games
    assert not place.exists()


def test_games_of_another_program_are_not_mixed_in_unless_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bench(tmp_path, trial())
    next(first.folder.play(first.begin(0), 1))
    monkeypatch.setattr(players, "program_digest", lambda: "another")
    second = bench(tmp_path, trial())
    with pytest.raises(OlderGamesError, match=r"another version of the players \(classic.random\)"):
        second.folder.require_same_program(second.standings, mixes=False)
    second.folder.require_same_program(second.standings, mixes=True)
    assert len(list(second.folder.play(second.begin(0), 1))) == 7
    assert second.standings[0].program == MIXED
    assert "classic.random was played by several versions of the program" in markdown(second)
    third = bench(tmp_path, trial())
    third.folder.require_same_program(third.standings, mixes=False)
    second.folder.forget(["classic.random"])
    assert not bench(tmp_path, trial()).standings[0].games


def test_the_digest_of_a_program_is_that_of_what_decides_its_play() -> None:
    assert players.program_digest() == players.program_digest()
    assert len(players.program_digest()) == 12


def test_a_piece_that_did_best_against_us_is_met_again(tmp_path: Path) -> None:
    last = trial("classic.one-second", second=BEST_OF_ZOO, games=2)
    found = [trial("classic.greedy", second="greedy"), trial("classic.random", second="random"), last]
    one = bench(tmp_path, *found)
    assert one.begin(2).trial.second == "ismcts"  # nothing is known yet
    for at in range(2):
        list(one.folder.play(one.begin(at), 1))
    assert one.standings[1].score.score > one.standings[0].score.score
    assert one.begin(2).trial.second == "greedy"
    file = one.folder.file(last)
    file.write_bytes(msgspec.json.encode(played("won", second="random")) + b"\n")
    assert one.folder.settled(last, found).second == "random"  # whom it has begun with


def test_a_budget_lowers_the_missing_games_of_all_trials_by_the_same_share(tmp_path: Path) -> None:
    found = [trial("a.one", games=100), trial("a.two", games=60)]
    one = bench(tmp_path, *found, budget_s=30.0)
    second = 400_000  # a game takes about a second
    for at, each in enumerate(one.standings):
        each.games += [
            played("won", pair, leg, us=second + 100_000 * at) for pair in (0, 1) for leg in (0, 1)
        ]
        (tmp_path / f"{each.trial.name}.jsonl").write_bytes(
            b"".join(msgspec.json.encode(game) + b"\n" for game in each.games)
        )
    lowered = [one.begin(at).trial.games for at in (0, 1)]
    assert all(games % 2 == 0 for games in lowered)
    shares = [(games - 4) / (full - 4) for games, full in zip(lowered, (100, 60), strict=True)]
    assert 0.1 < shares[0] < 0.2
    assert one.standings[0].asked == 100
    full = bench(tmp_path, *found, budget_s=3000.0)
    assert [full.begin(at).trial.games for at in (0, 1)] == [100, 60]


def test_without_a_budget_nothing_is_lowered(tmp_path: Path) -> None:
    assert bench(tmp_path, trial(games=500)).begin(0).trial.games == 500


# ---------------------------------------------------------------- the report


def test_the_report_hides_no_miss(tmp_path: Path) -> None:
    hard = trial("classic.greedy", second="greedy", games=12, gate=at_least(1.0))
    one = bench(tmp_path, hard, trial("others.mini.random", games=4, gate=at_least(0.25)))
    for at in range(2):
        list(one.folder.play(one.begin(at), 1))
    verdicts = {gate.name: gate.verdict for gate in gates(one)}
    assert verdicts["classic.greedy"] == "not reached"
    assert verdicts["others.mini.random"] == "reached"
    assert {"Worst in the zoo", "Draws"} <= set(verdicts)
    text = markdown(one)
    score = one.standings[0].score
    row = next(line for line in text.splitlines() if line.startswith("| greedy against greedy |"))
    assert f"| 12 | {score.won} | {score.drawn} | {score.lost} |" in row
    assert row.endswith("| all won | **not reached** |")
    assert "| classic.greedy | all won |" in text
    page = html(one)
    assert page.count("<svg") == 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_the_worst_in_the_zoo_is_known_when_all_of_it_was_met(tmp_path: Path) -> None:
    zoo = [trial(f"classic.{name}", second=name, games=2) for name in ZOO]
    one = bench(tmp_path, *zoo)
    for each in one.standings[:-1]:
        each.games = [played("won", 0, leg) for leg in (0, 1)]
    worst_of_zoo, draws = together(one.standings)
    assert (worst_of_zoo.verdict, draws.verdict) == ("not enough games", "not enough games")
    assert [each.verdict for each in together(one.standings[:-1])] == ["not enough games"] * 2
    one.standings[-1].games = [played("drawn", 0, 0), played("won", 0, 1)]
    worst_of_zoo, draws = together(one.standings)
    assert worst_of_zoo.result == f"50.0 % won, against {ZOO[-1]}"
    assert (worst_of_zoo.verdict, draws.verdict) == ("not reached", "not reached")


def test_the_report_says_what_was_scaled_and_keeps_what_else_is_in_the_folder(tmp_path: Path) -> None:
    both = [trial("classic.greedy", second="greedy"), trial("classic.random")]
    one = Bench(Folder(tmp_path, 1), both, (), {"classic.greedy"}, 0.25)
    list(one.folder.play(one.begin(0), 1))
    two = Bench(Folder(tmp_path, 1), both, (), {"classic.random"}, 0.25)
    list(two.folder.play(two.begin(0), 1))
    text = markdown(two)
    assert "scaled by 0.25" in text
    assert text.count("| 2 of 8 |") == 2
    assert "not enough games" in text


def test_of_a_lost_game_it_is_told_how_the_strongest_pieces_fell(tmp_path: Path) -> None:
    one = bench(tmp_path, trial(game="onyx/classic", second="greedy", games=4))
    list(one.folder.play(one.begin(0), 1))
    found = losses(one.standings[0].games)
    assert found
    assert [loss.line for loss in found] == sorted(loss.line for loss in found)
    for loss in found:
        assert loss.result.startswith(("lost, ", "draw, "))
        assert loss.left[0] < 40
    falls = [fall for loss in found for fall in loss.falls]
    assert falls
    assert all(fall.startswith("turn ") and ("Marshal" in fall or "General" in fall) for fall in falls)
    assert any("hidden" in fall for fall in falls)
