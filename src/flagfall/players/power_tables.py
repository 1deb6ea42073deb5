"""What powers do to kinds, looked up from a game's Tables: for players that weigh them."""

from __future__ import annotations

from flagfall.edition import Game, Options
from flagfall.edition.compile import compile_game, power_rows
from flagfall.engine.tables import CONTEXT, POWER_VERB, POWER_WIDTH, POWERS

_PHASE_NUMBERS = {"": 0, "bearer lost": 1, "bearer arrived": 2}


class PowerTables:
    """Outcomes of strikes, conversions and area strikes by kind."""

    def __init__(self, game: Game, options: Options) -> None:
        tables = compile_game(game, options)
        count = len(game.kinds)
        self._outcomes: dict[tuple[int, int, int], list[int]] = {}
        self._removed: set[str] = set()
        for index, power in enumerate(power_rows(game)):
            row = tables.row[POWERS + index * POWER_WIDTH : POWERS + (index + 1) * POWER_WIDTH]
            users = [number for number, kind in enumerate(game.kinds) if power in game.abilities(kind)]
            if power.parameters.get("removed_after"):
                self._removed |= {game.kinds[user].id for user in users}
            if not row[CONTEXT]:
                continue
            for phase in range(3 if game.has_verb("bearer") else 1):
                fights = tables.fights(count, phase, int(row[CONTEXT]))
                for user in users:
                    self._outcomes[user, int(row[POWER_VERB]), phase] = fights[user]

    def fights(self, user: int, verb: int, phase: str) -> list[int]:
        """Outcome by kind of the target; empty for a power that captures nobody."""
        return self._outcomes.get((user, verb, _PHASE_NUMBERS[phase]), [])

    def is_removed_after(self, kind: str) -> bool:
        """Whether that piece is lost by its own power."""
        return kind in self._removed
