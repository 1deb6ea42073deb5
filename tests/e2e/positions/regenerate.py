"""Find a position for every feat again: python -m tests.e2e.positions.regenerate.

Seeded games are played until the mover can do the feat. The best position is kept: one whose turn asks for
something, then the one with the shortest story. What is written is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random

import msgspec

from flagfall.edition import game_ids, load_game
from flagfall.match import Match
from flagfall.server.api.messages.matches import Choice
from flagfall.server.sessions.texts import choices
from flagfall.setups import random_setup, write_setup
from flagfall.sides import Side
from tests.e2e.feats import Feat, begins, feats, is_whole, table
from tests.e2e.position import FOLDER, Position

SEEDS = 5
MORE_SEEDS = 600
"""for feats that are seldom possible"""
MAX_ACTIONS = 70
MAX_TURN = 5
MAX_TRIES = 6
ENOUGH_TARGETS = 2


def main() -> None:
    """Write the files of all feats."""
    order = list(game_ids())
    listed = sorted(feats(), key=lambda feat: (order.index(feat.game), feat.options))
    for _, group in groupby(listed, key=lambda feat: (feat.game, feat.options)):
        together = list(group)
        found: dict[Feat, Position] = {}
        for seed in range(MORE_SEEDS):
            if seed >= SEEDS and len(found) == len(together):
                break
            _look(together, found, seed)
        for feat in together:
            assert feat in found, f"no position was found for {feat.name}"
            (FOLDER / f"{feat.name}.json").write_bytes(
                msgspec.json.format(msgspec.json.encode(found[feat]), indent=1) + b"\n"
            )


def _look(together: list[Feat], found: dict[Feat, Position], seed: int) -> None:
    """Play one game and keep what is better than what was found before."""
    rng, game = Random(seed), load_game(together[0].game)
    setups = (write_setup(random_setup(game, 0, rng)), write_setup(random_setup(game, 1, rng)))
    match = table(together[0], setups)
    played: list[str] = []
    while (mover := match.to_move) and len(played) < MAX_ACTIONS:
        view = match.view(mover)
        offered = choices(game, view, match.options)
        if not match.is_turn_open:
            for feat in together:
                if feat not in found or len(found[feat].played) > len(played):
                    beginnings = list(begins(match, view, offered, feat))[:MAX_TRIES]
                    _try(match, mover, feat, beginnings, (setups, played), found)
        played.append(match.act(mover, None, _forward(offered, mover, rng).text, 0).text)


def _try(
    match: Match,
    mover: Side,
    feat: Feat,
    beginnings: list[Choice],
    story: tuple[tuple[str, str], list[str]],
    found: dict[Feat, Position],
) -> None:
    """Keep the first of these turns that shows the feat, if it is better than what was found."""
    for choice in beginnings:
        turn, asked = _finished(match, mover, choice)
        if not turn or len(turn) > MAX_TURN or not is_whole(feat, match.game, asked):
            continue
        new = Position(
            game=feat.game,
            options=dict(feat.options),
            power=feat.power,
            setups=story[0],
            played=tuple(story[1]),
            seat=mover,
            turn=tuple(turn),
        )
        if feat not in found or _worth(new) > _worth(found[feat]):
            found[feat] = new


def _worth(position: Position) -> tuple[int, int]:
    return min(len(position.turn), 3), -len(position.played)


def _finished(match: Match, mover: Side, choice: Choice) -> tuple[list[str], list[str]]:
    """The whole turn that begins with a choice, and what it was asked; nothing if it ends the game."""
    copy = Match.rebuilt(match.log)
    turn, asked = [copy.act(mover, None, choice.text, 0).text], list[str]()
    while not copy.is_over and copy.to_move == mover and copy.is_turn_open:
        view = copy.view(mover)
        asked.append(view.prompt.ask if view.prompt else "")
        turn.append(copy.act(mover, None, _answer(copy, mover, asked).text, 0).text)
    return ([], []) if copy.is_over else (turn, asked)


def _answer(match: Match, mover: Side, asked: list[str]) -> Choice:
    """The first answer that goes on, until it is enough."""
    offered = choices(match.game, match.view(mover), match.options)
    done = [choice for choice in offered if choice.verb == "done"]
    if done and len(asked) > ENOUGH_TARGETS:
        return done[0]
    going = [choice for choice in offered if choice.verb != "done" and choice.is_likely]
    return (going or list(offered))[0]


def _forward(offered: Sequence[Choice], mover: Side, rng: Random) -> Choice:
    """Something that brings the armies together."""
    ahead = 1 if mover == "south" else -1
    plain = [one for one in offered if one.verb in ("move", "attack")] or list(offered)

    def rows(choice: Choice) -> int:
        return ahead * (int(choice.target[1:]) - int(choice.origin[1:])) if choice.origin else 0

    going = [one for one in plain if rows(one) > 0]
    return rng.choice(going if going and rng.random() < 0.75 else plain)


def everything() -> Iterator[str]:
    """Names of all files there should be."""
    return (feat.name for feat in feats())


if __name__ == "__main__":
    main()
