"""What can be done in the games besides plain steps: one feat for every power, and for what options add.

A feat is known by the choices that the server would offer, never by the name of a piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flagfall.edition import Game, game_ids, load_game, resolve
from flagfall.match import Match
from flagfall.server.api.messages.matches import Choice
from flagfall.view.view import View

OPTIONAL: tuple[tuple[str, dict[str, str], str], ...] = (
    ("onyx/classic", {"rescue": "on"}, "rescue"),
    ("spin-master/standard", {"spot_move_then_attack": "on"}, "two-step"),
    ("fire-and-ice/special-powers", {"enchant_probe": "off"}, "enchant"),
    ("duel-masters/elemental-powers", {"advance_subset": "on"}, "ferocious-advance"),
)
"""feats that an option of a game adds or changes"""


@dataclass(frozen=True)
class Feat:
    """A power in a game, or a verb that an option brings."""

    game: str
    power: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What its file is called."""
        changed = "".join(f".{name}-{value}" for name, value in self.options)
        return f"{self.game.replace('/', '.')}.{self.power}{changed}".replace("_", "-")


def feats() -> Iterator[Feat]:
    """Every feat of every game."""
    for game_id in game_ids():
        for power in load_game(game_id).powers():
            yield Feat(game_id, power.id)
    for game_id, options, power_id in OPTIONAL:
        yield Feat(game_id, power_id, tuple(sorted(options.items())))


def begins(match: Match, view: View, offered: Sequence[Choice], feat: Feat) -> Iterator[Choice]:
    """The choices with which the mover may begin the feat now; for a chain, those that might lead to it."""
    game = match.game
    verb = game.edition.powers[feat.power].verb if feat.power in game.edition.powers else feat.power
    for choice in offered:
        if verb == "run":
            is_it = choice.verb in ("move", "attack") and _distance(choice) > 1
        elif verb == "chain":
            piece = view.at(choice.origin) if choice.verb == "attack" else None
            is_it = piece is not None and _has(game, piece.kind, feat.power)
        elif verb == "bearer":
            is_it = choice.verb == "move" and choice.target == _reserved(match)
        elif feat.power in game.edition.powers:
            is_it = choice.power == feat.power
        else:
            is_it = choice.verb == feat.power
        if is_it:
            yield choice


def is_whole(feat: Feat, game: Game, asked: list[str]) -> bool:
    """Whether a turn that was asked these questions shows the whole feat: some need a second attack."""
    power = game.edition.powers.get(feat.power)
    is_double = power is not None and (power.verb == "chain" or bool(power.parameters.get("attack_after")))
    return bool(asked) or not is_double


def begun(feat: Feat) -> tuple[Game, dict[str, str]]:
    """Game and options of a feat."""
    return load_game(feat.game), dict(feat.options)


def table(feat: Feat, setups: tuple[str, str]) -> Match:
    """A match of the feat's game, both setups sealed."""
    from flagfall.match import Seating

    game, chosen = begun(feat)
    match = Match.created(game, resolve(game, chosen), Seating("Anna", "Ben"), 0)
    match.seal("south", setups[0], 0, "salt of the south")
    match.seal("north", setups[1], 0, "salt of the north")
    return match


def _reserved(match: Match) -> str:
    return dict(match.options.items()).get("mount_doom", "")


def _has(game: Game, kind: str, power: str) -> bool:
    return bool(kind) and power in {one.id for one in game.abilities(game.kinds[game.kind_index(kind)])}


def _distance(choice: Choice) -> int:
    if not choice.origin or not choice.target:
        return 0
    across = abs(ord(choice.origin[0]) - ord(choice.target[0]))
    return max(across, abs(int(choice.origin[1:]) - int(choice.target[1:])))
