"""Plan a dataset: check what was asked for, and describe what will be written."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from importlib.metadata import version
from random import Random

from msgspec.structs import replace

from flagfall.arena.contestants import COMMAND, Contestant, read_contestant, seated
from flagfall.dataset.arrow import DatasetError
from flagfall.dataset.description import Description, Names, Plan, RecordsFile, SelfPlay
from flagfall.edition import Game, Options, concerning, load_game, resolve
from flagfall.edition.compile import compile_game
from flagfall.errors import suggestion
from flagfall.players import Budget
from flagfall.rl.layout import Layout
from flagfall.setups import style_names

DEFAULT_NODES = 10_000
"""of an action if neither time nor nodes are given, so that a seed gives the same games everywhere"""
SETUP_RULES = ("own", "random", "sound")
"""each player's own, any legal ones, sound ones of a random style; or the name of a style"""


def planned(
    address: str,
    chosen: Mapping[str, str],
    *,
    self_play: SelfPlay | None = None,
    files: tuple[RecordsFile, ...] = (),
    games_per_shard: int = 64,
    other: bool = True,
    truth: bool = True,
) -> Plan:
    """Return a plan after checking that it can be carried out."""
    game = load_game(address)
    options = resolve(game, chosen)
    if self_play is not None:
        self_play = _checked(self_play, game, options)
    return Plan(
        game=game.id,
        address=address,
        options=dict(sorted(options.changed(game).items())),
        rules=rules_digest(game, options),
        games_per_shard=games_per_shard,
        other=other,
        truth=truth,
        self_play=self_play,
        files=files,
    )


def _checked(play: SelfPlay, game: Game, options: Options) -> SelfPlay:
    if play.time_ms is None and play.nodes is None:
        play = replace(play, nodes=DEFAULT_NODES)
    if play.setups not in (*SETUP_RULES, *style_names(game)):
        known = [*SETUP_RULES, *style_names(game)]
        raise DatasetError(f"“{play.setups}” is not a rule for setups; {suggestion(play.setups, known)}.")
    for name in (play.south, play.north):
        contestant = contestant_of(name)
        seated(contestant, game, options, Random(0), budget_of(play), play.weights)
    return play


def contestant_of(name: str) -> Contestant:
    """Return who plays; programs and cheaters cannot."""
    if name.startswith(COMMAND):
        raise DatasetError(
            f"“{name}” is a program; let it play with flagfall match --out FILE, then make the dataset with "
            "--from FILE."
        )
    contestant = read_contestant(name, allows_cheater=True)
    if contestant.is_cheater:
        raise DatasetError(f"“{name}” sees hidden pieces, which no observation holds; choose another player.")
    return contestant


def budget_of(play: SelfPlay) -> Budget:
    """Return the common budget of an action."""
    return Budget(play.time_ms, play.nodes)


def describe(plan: Plan, games: int) -> Description:
    """Return the description of a dataset that is to be made."""
    game = load_game(plan.address)
    options = resolve(game, plan.options)
    layout = Layout(game, options, compile_game(game, options))
    return Description(
        version=version("flagfall"),
        plan=plan,
        games=games,
        rows=game.board.rows,
        columns=game.board.columns,
        kinds=layout.kinds,
        actions=layout.space.size,
        max_legal=layout.space.max_legal,
        planes=Names(layout.plane_names(0), layout.plane_names(1)),
        scalars=Names(layout.scalar_names(0), layout.scalar_names(1)),
    )


def rules_digest(game: Game, options: Options) -> str:
    """Return a hash of all that gives a row its meaning: rules, armies, observation, numbers of actions."""
    tables = compile_game(game, options)
    layout = Layout(game, options, tables)
    digest = blake2b(tables.row.tobytes(), digest_size=12)
    for part in (layout.row(), layout.zones(), layout.space.packed_slots, layout.space.packed_rest):
        digest.update(part.tobytes())
    said = [layout.plane_names(0), layout.plane_names(1), layout.scalar_names(0), layout.option_scalars()]
    digest.update(repr([*said, [option.name for option in concerning(game)]]).encode())
    return digest.hexdigest()
