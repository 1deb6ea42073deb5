"""What seeded environments show in this process; as a program it prints it for another one to compare."""

from __future__ import annotations

import hashlib
import json
import sys
import threading

from flagfall.edition import game_ids
from flagfall.engine.mode import mode
from flagfall.rl import VectorEnv

STEPS = 40


def trace(game: str, setups: str, seed: int = 3, threads: int = 1, games: int = 2) -> str:
    """A hash of everything that some games show in some steps."""
    env = VectorEnv(game, games, seed, setups=setups, threads=threads, max_turns=15)  # type: ignore[arg-type]
    shown = hashlib.blake2b(digest_size=12)
    env.reset()
    for _ in range(STEPS):
        for array in (env.planes, env.scalars, env.mask, env.count, env.to_play, env.rewards, env.results):
            shown.update(array.tobytes())
        for array in env.observe(1 - env.to_play):
            shown.update(array.tobytes())
        env.step(env.sample())
    env.close()
    return shown.hexdigest()


def everything() -> dict[str, str]:
    """Every game with random setups, and the small ones with pieces placed by the players."""
    found = {game: trace(game, "random") for game in game_ids()}
    found |= {f"{game} placed": trace(game, "agent") for game in ("mini/3x4", "barrage/classic")}
    return found | {"three threads": trace("barrage/classic", "random", threads=3, games=50)}


if __name__ == "__main__":
    told = {"mode": mode(), "found": everything(), "threads left": threading.active_count() - 1}
    sys.stdout.write(json.dumps(told))
