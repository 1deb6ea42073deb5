"""Learning itself; needs torch, so that these tests stay in one process."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

torch = pytest.importorskip("torch")

from flagfall import extras  # noqa: E402
from flagfall.arena.executor import LocalExecutor, WorkerError  # noqa: E402
from flagfall.cli import train  # noqa: E402
from flagfall.edition import load_game, resolve  # noqa: E402
from flagfall.edition.compile import compile_game  # noqa: E402
from flagfall.errors import UserError  # noqa: E402
from flagfall.rl import VectorEnv  # noqa: E402
from flagfall.rl.greedy_opponent import GreedyOpponent, StyledSetups  # noqa: E402
from flagfall.rl.layout import Layout  # noqa: E402
from flagfall.rl.network import evaluate, shape_for  # noqa: E402
from flagfall.rl.network_file import read_network  # noqa: E402
from flagfall.rl.referees import setups_of  # noqa: E402
from flagfall.training.examples import GamesPlan, Recorded, played_games  # noqa: E402
from flagfall.training.exploit import exploitability, network_policy  # noqa: E402
from flagfall.training.fit import Fitted, fit  # noqa: E402
from flagfall.training.learner import Learner  # noqa: E402
from flagfall.training.ppo import parts, policy_loss  # noqa: E402
from flagfall.training.recipe import Recipe, TrainingError  # noqa: E402
from flagfall.training.recipes import recipe_for  # noqa: E402
from flagfall.training.rollouts import Dealer, Scores, collect  # noqa: E402
from flagfall.training.run import (  # noqa: E402
    CHECKPOINT,
    CURVES,
    LOG,
    NETWORK,
    Evaluation,
    Run,
    evaluate_learner,
    read_log,
)
from flagfall.training.torch_network import as_arrays, forward, log_chances, new_weights  # noqa: E402
from tests.dataset.making import self_play  # noqa: E402
from tests.training.learning import IN_PARTS, Strangers, learned  # noqa: E402

pytestmark = pytest.mark.xdist_group("torch")
SMALL = Recipe(
    game="mini/3x3",
    channels=8,
    layers=1,
    updates=6,
    self_games=6,
    pool_games=4,
    steps=6,
    batch=32,
    magnet_every=2,
    average=0.8,
    max_turns=3,
    save_every=2,
)
NO_EVALUATION = Evaluation(games=0)


def test_the_loss_is_the_clipped_one_of_ppo() -> None:
    ratios, gains = [0.5, 1.0, 1.5, 0.5, 1.5], [1.0, -2.0, 1.0, -1.0, -1.0]
    wanted = -sum(
        min(ratio * gain, min(max(ratio, 0.8), 1.2) * gain) for ratio, gain in zip(ratios, gains, strict=True)
    ) / len(gains)
    assert float(policy_loss(torch.tensor(ratios), torch.tensor(gains), 0.2)) == pytest.approx(wanted)


def test_rows_are_read_once_an_epoch_in_parts_that_are_nearly_equal() -> None:
    found = list(parts(1030, 512, 2, np.random.default_rng(1)))
    assert [len(rows) for rows in found] == [515, 515] * 2
    for epoch in (found[:2], found[2:]):
        assert sorted(np.concatenate(epoch).tolist()) == list(range(1030))
    assert not np.array_equal(found[0], found[2])
    assert [len(rows) for rows in parts(3, 512, 1, np.random.default_rng(1))] == [3]


def test_the_gradient_raises_what_turned_out_well() -> None:
    numbers = torch.zeros(1, 3, requires_grad=True)
    chances = log_chances(numbers, torch.tensor([[0, 2]]), torch.tensor([2]))
    ratio = torch.exp(chances[:, 1] - chances[:, 1].detach())
    policy_loss(ratio, torch.tensor([1.0]), 0.2).backward()
    assert numbers.grad is not None
    assert numbers.grad[0].tolist() == pytest.approx([0.5, 0.0, -0.5])


def test_an_action_that_is_not_legal_has_no_chance_and_no_gradient() -> None:
    numbers = torch.tensor([[5.0, 9.0, 1.0, 7.0]], requires_grad=True)
    chances = log_chances(numbers, torch.tensor([[2, 0, 0]]), torch.tensor([2]))
    assert float(chances.exp().sum().detach()) == pytest.approx(1.0)
    assert float(chances.exp()[0, 2].detach()) == 0.0
    chances[0, 0].backward()
    assert numbers.grad is not None
    assert numbers.grad[0, [1, 3]].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("game_id", ["mini/3x4", "lotr/special-powers"])
def test_numpy_answers_as_torch_does(game_id: str) -> None:
    game = load_game(game_id)
    options = resolve(game, {})
    layout = Layout(game, options, compile_game(game, options), places=True)
    shape, rng = shape_for(layout, 8, 2), np.random.default_rng(1)
    weights = new_weights(shape, 1)
    with torch.no_grad():
        for weight in weights.values():
            weight += torch.tensor(rng.normal(0, 0.1, weight.shape), dtype=torch.float32)
    planes = rng.integers(0, 2, (3, shape.planes, shape.rows, shape.columns), dtype=np.uint8)
    scalars = rng.integers(0, 200, (3, shape.scalars), dtype=np.int16)

    numbers, values = evaluate(as_arrays(weights), 2, planes, scalars)
    wanted, wanted_values = forward(weights, 2, torch.from_numpy(planes), torch.from_numpy(scalars))

    assert numbers.shape == (3, layout.space.size)
    assert np.allclose(numbers, wanted.detach().numpy(), atol=1e-3)
    assert np.allclose(values, wanted_values.detach().numpy(), atol=1e-4)


def same(first: Learner, second: Learner) -> bool:
    pairs = ((first.weights, second.weights), (first.average, second.average))
    return all(torch.equal(one[name], other[name]) for one, other in pairs for name in one)


def test_the_mean_of_the_weights_plays_and_follows_them_slowly() -> None:
    learner = Learner(SMALL)
    learner.update()
    assert torch.allclose(learner.average["value.weight"], learner.weights["value.weight"], atol=1e-2)
    before = {name: weight.detach().clone() for name, weight in learner.average.items()}
    learner.updates = 1000  # long past the beginning
    with torch.no_grad():
        for weight in learner.weights.values():
            weight += 1
    learner._add_to_average()
    for name, weight in learner.best.items():
        wanted = 0.8 * before[name] + 0.2 * learner.weights[name]
        assert torch.allclose(weight, wanted, atol=1e-5), name
    assert Learner(recipe_for("mini/3x3", {}, ["average=0"])).best is not learner.average


def test_games_against_the_greedy_player_are_played_together_where_the_network_places() -> None:
    def opponent(recipe: Recipe) -> object:
        return Learner(recipe).envs[0]._opponent

    recipe = structs.replace(
        SMALL, players=("greedy",), player_games=12, self_games=0, pool_games=0, steps=12
    )
    learner = Learner(structs.replace(recipe, max_turns=30))
    learner.update()
    assert learner.scores["greedy"].games > 4
    assert isinstance(opponent(recipe), GreedyOpponent)
    assert not isinstance(opponent(structs.replace(recipe, places=False)), GreedyOpponent)
    assert not isinstance(opponent(structs.replace(recipe, players=("random",))), GreedyOpponent)


def test_another_greedy_opponent_goes_on_with_what_one_remembers() -> None:
    layout = Learner(IN_PARTS).layout
    one, other = GreedyOpponent(layout, 2), GreedyOpponent(layout, 2)
    one.seed(5)
    one._ruled_out[1, 0, 3] = True
    one._orders = [[4, 2], []]
    remembered = one.memory()
    one.seed(6)
    one._orders[0].append(1)
    other.remember(remembered)
    ruled_out, orders, rng = other.memory()
    assert np.argwhere(ruled_out).tolist() == [[1, 0, 3]]
    assert orders == [[4, 2], []]
    assert rng == np.random.default_rng(5).bit_generator.state


def test_dealt_games_begin_with_styled_setups_that_nothing_is_learned_from() -> None:
    env = VectorEnv("barrage/classic", 6, setups="agent")
    env.reset(seed=1)
    styled = StyledSetups(env.layout)

    def choose(planes: Any, scalars: Any, legal: Any, counts: Any) -> Any:
        is_legal = np.arange(legal.shape[1]) < counts[:, None]
        return np.where(is_legal, -1.0, -1e9).astype(np.float32), np.zeros(len(planes), np.float32)

    batch = collect(env, 16, choose, np.random.default_rng(1), 1.0, Scores(), Dealer(env, 4))

    assert len(batch) == 2 * 16
    for i in range(6):
        for setup, orders, kinds in zip(
            setups_of(env.game, env._states[i]), styled.by_side, env.layout.piece_kinds, strict=True
        ):
            side = int(setup.side)
            cells = [[env.space.decode(number, side).target for number in order] for order in orders]
            known = [dict(zip(order, kinds, strict=True)) for order in cells]
            assert (dict(setup.kinds) in known) == (i < 4)


@pytest.mark.parametrize(
    "recipe",
    [SMALL, structs.replace(SMALL, dealt=0.5), structs.replace(IN_PARTS, player_games=0)],
    ids=["in one part", "dealt", "in two parts"],
)
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, recipe: Recipe) -> None:
    whole = Learner(recipe)
    for _ in range(5):
        whole.update()

    stopped = Learner(recipe)
    for _ in range(3):
        stopped.update()
    stopped.save(tmp_path / "checkpoint.npz")
    resumed = Learner.load(tmp_path / "checkpoint.npz")
    assert same(resumed, stopped)
    for _ in range(2):
        resumed.update()

    assert resumed.updates == whole.updates == 5
    assert same(resumed, whole)
    assert not same(resumed, stopped)


def test_the_same_seed_learns_the_same_whichever_process_plays_a_part() -> None:
    assert learned(LocalExecutor()) == learned(Strangers())


def test_games_in_parts_go_on_from_update_to_update() -> None:
    recipe = structs.replace(IN_PARTS, self_games=4, pool_games=0, dealt=0, max_turns=40, save_every=50)
    learner = Learner(recipe)
    for _ in range(12):
        learner.update()
    assert learner.scores.keys() == {"itself", "greedy"}
    assert learner.scores["greedy"].games > 0, "a game takes longer than the 3 steps between two updates"
    assert learner.positions == 12 * 3 * 8
    first, second = learner.parts
    assert [part.number for part in learner.parts] == [0, 1]
    assert first.rng != second.rng
    for one, other in zip(first.games, second.games, strict=True):
        assert one is not None
        assert other is not None
        assert not np.array_equal(one[0][0], other[0][0]), "the parts play other games"


def test_games_against_named_players_begin_anew_at_a_checkpoint_in_parts_too() -> None:
    learner = Learner(IN_PARTS)
    learner.update()
    assert all(kept is not None for part in learner.parts for kept in part.games)
    learner.update()
    begun = [[kept is None for kept in part.games] for part in learner.parts]
    assert begun == [[False, False, True]] * 2
    learner.update()
    assert [part.updates for part in learner.parts] == [2, 2], "which decides the games that begin"


def test_an_evaluation_plays_all_games_half_of_them_from_each_side() -> None:
    learner = Learner(SMALL)
    found = evaluate_learner(learner, ["random", "greedy"], 30)
    assert [(one.against, one.games) for one in found] == [("random", 30), ("greedy", 30)]
    assert found == evaluate_learner(learner, ["random", "greedy"], 30)
    alone = evaluate_learner(learner, ["random"], 20)[0]
    assert alone.won <= found[0].won
    assert alone.drawn <= found[0].drawn


class LostCluster(LocalExecutor):
    """Is gone when it is asked for the results of some more tasks than it has played."""

    def __init__(self, tasks: int) -> None:
        super().__init__()
        self._left = tasks

    def results(self, *args: Any, **more: Any) -> Any:
        for result in super().results(*args, **more):
            if not self._left:
                raise WorkerError("The cluster is gone.")
            self._left -= 1
            yield result


def test_a_cluster_that_is_lost_in_an_evaluation_loses_nothing_that_was_learned(tmp_path: Path) -> None:
    run = Run.begin(tmp_path, structs.replace(SMALL, save_every=50))
    with pytest.raises(WorkerError, match="gone"):
        run.go_on(Evaluation(games=10), LostCluster(1))
    assert Run.load(tmp_path).learner.updates == SMALL.updates


def test_a_cluster_that_is_lost_in_an_update_loses_that_update_only(tmp_path: Path) -> None:
    recipe = structs.replace(IN_PARTS, player_games=0, save_every=50)
    whole = Run.begin(tmp_path / "whole", recipe)
    whole.go_on(NO_EVALUATION)
    run = Run.begin(tmp_path / "lost", recipe)
    with pytest.raises(WorkerError, match="gone"):
        run.go_on(NO_EVALUATION, LostCluster(2 * 3 + 1))
    again = Run.load(tmp_path / "lost")
    assert again.learner.updates == 3
    again.go_on(NO_EVALUATION)
    assert same(again.learner, whole.learner)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"self_games": 6}, "multiples of 4"),
        ({"player_games": 2}, "multiples of 4"),
        ({"players": ("random",)}, "“random” are played before referees"),
    ],
)
def test_games_that_cannot_be_divided_are_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TrainingError, match=sentence):
        Learner(structs.replace(IN_PARTS, **change))


def test_a_run_keeps_log_network_and_checkpoint_in_step(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    stops: list[int] = []
    run = Run.begin(folder, SMALL)
    run.go_on(
        NO_EVALUATION, progress=lambda line: stops.append(line.update), is_stopped=lambda: len(stops) >= 3
    )
    assert stops == [1, 2, 3]
    with (folder / LOG).open("ab") as log:
        log.write(b'{"update":4,"posi')  # as a kill in the middle of a line leaves it

    again = Run.load(folder)
    assert again.learner.updates == 3
    again.go_on(NO_EVALUATION)

    lines = read_log(folder / LOG)
    assert [line.update for line in lines] == [1, 2, 3, 4, 5, 6]
    spent = [line.processor_seconds for line in lines]
    assert spent[0] > 0
    assert spent == sorted(spent)
    read = read_network(folder / NETWORK)
    wanted = as_arrays(again.learner.best)
    assert all(np.array_equal(array, wanted[name]) for name, array in read.weights.items())
    with pytest.raises(TrainingError, match="already"):
        Run.begin(folder, SMALL)


def test_lines_after_the_last_checkpoint_are_learned_again(tmp_path: Path) -> None:
    run = Run.begin(tmp_path, SMALL)
    run.go_on(NO_EVALUATION, is_stopped=lambda: run.learner.updates >= 2)
    run.learner.update()  # killed before the next checkpoint: nothing of it is on the disk
    with (tmp_path / LOG).open("ab") as log:
        log.write(b'{"update":3,"positions":1,"seconds":1.0}\n')
    assert [line.update for line in Run.load(tmp_path).lines] == [1, 2]


def test_a_run_measures_its_exploitability_in_games_as_long_as_it_plays(tmp_path: Path) -> None:
    run = Run.begin(tmp_path, SMALL)
    run.go_on(Evaluation(games=0, exploit_every=4))
    measured = [line for line in read_log(tmp_path / LOG) if line.exploitability is not None]
    assert [line.update for line in measured] == [4, 6]
    last = measured[-1].exploitability
    assert last is not None
    network = read_network(tmp_path / NETWORK)
    assert last == exploitability("mini/3x3", {}, network_policy(network), 3)
    assert network.header.figures == (last.words(),)
    assert f"{last.as_north:+.4f}" in (tmp_path / CURVES).read_text()


@pytest.mark.parametrize(
    ("game", "change", "sentence"),
    [
        ("mini/3x4", "max_turns=400", "max_turns is 400"),
        ("mini/3x4", "places=0", "places=1"),
        ("barrage/classic", "max_turns=6", "too large"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is_learned(
    game: str, change: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=sentence):
        train.policy(game, tmp_path / "run", [], [change], None, None, (10.0, 0, (), 5))
    assert not (tmp_path / "run").exists()


def test_a_network_is_exported_with_a_temperature(tmp_path: Path) -> None:
    Run.begin(tmp_path / "run", SMALL)
    train.export(tmp_path / "run", tmp_path / "cool.safetensors", 0.25)
    cool, usual = read_network(tmp_path / "cool.safetensors"), read_network(tmp_path / "run" / NETWORK)
    assert (cool.header.temperature, usual.header.temperature) == (0.25, 1.0)
    assert all(np.array_equal(cool.weights[name], array) for name, array in usual.weights.items())


def test_a_broken_checkpoint_is_refused_with_a_sentence(tmp_path: Path) -> None:
    Run.begin(tmp_path, SMALL)
    file = tmp_path / CHECKPOINT
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(TrainingError, match=r"checkpoint\.npz is not a checkpoint"):
        Run.load(tmp_path)


def test_self_play_learns_to_beat_a_random_player(tmp_path: Path) -> None:
    recipe = Recipe(
        game="mini/3x3",
        places=False,
        channels=8,
        layers=1,
        updates=30,
        self_games=24,
        pool_games=0,
        steps=8,
        rate=1e-2,
        last_rate=3e-3,
        epochs=3,
        batch=96,
        magnet=0.0,
    )
    learner = Learner(recipe)
    before = evaluate_learner(learner, ["random"], 60)[0]
    for _ in range(recipe.updates):
        learner.update()
    after = evaluate_learner(learner, ["random"], 60)[0]
    assert after.won >= before.won + 6
    assert after.won >= 38


def test_a_fit_comes_near_to_what_a_player_chooses() -> None:
    game = load_game("mini/3x4")
    options = resolve(game, {})
    plan = GamesPlan(game=game.id, players=("greedy",), nodes=10, max_turns=100)
    batches = list(played_games(plan, 25))
    shape = shape_for(Layout(game, options, compile_game(game, options), places=True), 8, 1)
    found: list[Fitted] = []
    fit(shape, lambda: batches[5:], batches[:5], passes=8, seed=1, rate=1e-2, size=32, progress=found.append)
    by_chance = np.mean(np.log(np.concatenate([batch["mask"].sum(1) for batch in batches[:5]])))
    assert found[-1].nats < 0.8 * by_chance
    assert found[0].examples == sum(len(batch["action"]) for batch in batches[5:])


def test_a_fit_is_the_same_file_whether_one_process_played_the_games_or_two(tmp_path: Path) -> None:
    one, two, other = (tmp_path / f"{name}.safetensors" for name in ("one", "two", "other"))
    for file, seed, jobs in ((one, 1, None), (two, 1, 2), (other, 2, 1)):
        train.fit("mini/3x3", file, [], ["greedy", "random"], 12, 5, 1, (4, 0), seed, jobs=jobs)
    assert read_network(one).header.trained.endswith("examples of 10 games of greedy, random, 1 passes")
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()


def test_a_place_that_is_none_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, run = tmp_path / "fit.safetensors", tmp_path / "run"
    with pytest.raises(UserError, match="not a place where games can be played"):
        train.fit("mini/3x3", file, [], [], 12, 5, 1, (4, 0), 1, on="nowhere")
    with pytest.raises(UserError, match="not a place where games can be played"):
        train.policy("mini/3x3", run, [], [], None, None, (10.0, 0, (), 0), on="nowhere")
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "ray" else find_spec(name))
    with pytest.raises(UserError, match=r'pip install "flagfall\[cluster\]"'):
        train.policy("mini/3x3", run, [], [], None, None, (10.0, 0, (), 0), on="ray")
    assert not file.exists()
    assert not run.exists()


def test_examples_with_an_action_that_was_not_legal_are_refused() -> None:
    game = load_game("mini/3x3")
    options = resolve(game, {})
    plan = GamesPlan(game=game.id, players=("random",), nodes=1, max_turns=9)
    batch = dict(next(played_games(plan, 1)))
    shape = shape_for(Layout(game, options, compile_game(game, options), places=True), 4, 0)
    batch["action"] = np.full_like(batch["action"], int(np.flatnonzero(~batch["mask"].any(0))[0]))
    with pytest.raises(TrainingError, match="not legal"):
        fit(shape, lambda: [batch], [], passes=1, seed=1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("updates", "changes nothing"),
        ("game=onyx/classic", "changes nothing"),
        ("updates=many", "no recipe"),
        ("steps=0", "at least 1"),
        ("channels=1000", "at most 256"),
        ("dealt=1.5", "from 0 to 1"),
        ("rate=2", "between 0 and 1"),
    ],
)
def test_a_wrong_number_in_a_recipe_is_refused(change: str, sentence: str) -> None:
    with pytest.raises(TrainingError, match=sentence):
        Learner(recipe_for("mini/3x3", {}, [change]))


def test_a_fit_learns_from_a_dataset_and_holds_out_every_tenth_game(tmp_path: Path) -> None:
    opened = self_play(tmp_path / "games", games=12)
    file = tmp_path / "fitted.safetensors"
    train.fit("mini/3x3", file, [], [], 200, None, 2, (4, 0), 1, opened.folder)
    network = read_network(file)
    learned = Recorded(opened.folder, load_game("mini/3x3"), 10)
    seen = np.concatenate([batch["game"] for batch in learned.learned()])
    assert set(seen.tolist()) == {1, 2, 3, 4, 5, 6, 7, 8, 9, 11}
    assert {int(number) for batch in learned.held_out() for number in batch["game"]} == {0, 10}
    assert network.header.trained == f"{len(seen)} examples of 12 games of the dataset games, 2 passes"
    assert not network.header.places


def test_a_dataset_of_another_game_is_refused(tmp_path: Path) -> None:
    folder, out = self_play(tmp_path / "games", games=4).folder, tmp_path / "no.safetensors"
    with pytest.raises(TrainingError, match=r"has games of mini/3x3, not of mini/3x4"):
        train.fit("mini/3x4", out, [], [], 200, None, 1, (4, 0), 1, folder)
    for pairs, jobs, on in ((["memory=strict"], None, "local"), ([], 2, "local"), ([], None, "ray")):
        with pytest.raises(UserError, match="played already"):
            train.fit("mini/3x3", out, pairs, [], 200, None, 1, (4, 0), 1, folder, jobs, on)
    assert not (tmp_path / "no.safetensors").exists()
