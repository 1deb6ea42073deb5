"""Small words about pieces and options, shared by the rules page and the cards."""

from __future__ import annotations

from collections.abc import Iterable

from flagfall.edition.options import Options
from flagfall.edition.schema import Game, Kind


def listed(words: Iterable[str], last: str = "and") -> str:
    """A list as people say it.

    >>> listed(["Scout", "Spy", "Flag"])
    'Scout, Spy and Flag'
    """
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def spoken(game: Game, kind: Kind) -> str:
    """What a kind is called when both armies are meant: one name, or both with a stroke between."""
    index = game.kind_index(kind.id)
    names = [game.kind_name(index, side) for side in (0, 1) if game.rosters[side][index]]
    return " / ".join(dict.fromkeys(names))


def zone_word(game: Game) -> str:
    """What the box calls its zones; empty if the board has none."""
    return game.edition.words["zones"] if game.board.zones else ""


def option_sentence(name: str, options: Options) -> str:
    """What the chosen value of an option means, in one sentence."""
    value = options[name]
    number = options.number(name) if name in _NUMBERED else None
    if number is not None:
        return _NUMBERED[name].format(number=number, next=number + 1)
    if name == "clock" and value != "none":
        return _clock_sentence(options)
    return _SENTENCES[name][value]


def _clock_sentence(options: Options) -> str:
    clock = options.clock
    limit = _time(clock.limit_s)
    if clock.style == "total":
        gained = f", and gets {_time(clock.increment_s)} more after each move" if clock.increment_s else ""
        return f"Each player has {limit} for the whole game{gained}; whose time runs out has lost."
    return f"Each player has {limit} for every move; whose time runs out has lost."


def _time(seconds: int) -> str:
    parts = []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(f"{number} {unit}" + "s" * (number > 1))
    return listed(parts)


_NUMBERED = {
    "two_square_limit": (
        "A piece may go to and fro between the same two squares in {number} turns running; "
        "turn number {next} must be something else."
    ),
    "no_progress_draw": "After {number} turns in a row without a piece lost or won back, the game is a draw.",
}

_SENTENCES = {
    "captured_pieces": {
        "open": "Captured pieces lie open: both players may look at them.",
        "prisoner": "Captured pieces are prisoners: only the player who captured them may look.",
        "secret": "Captured pieces go back to their owner, and only the owner may look.",
        "stealth": "Captured pieces lie face down, and nobody may look.",
    },
    "memory": {
        "assisted": "A piece that was shown stays marked, so nobody has to remember it.",
        "notes": "A piece that was shown is hidden again after the turn, but you may make notes.",
        "strict": "A piece that was shown is hidden again after the turn, and you must keep it in your head.",
    },
    "two_square_limit": {"off": "A piece may go to and fro between two squares as long as it likes."},
    "two_square_counts_attacks": {
        "off": "An attack does not count as going to and fro; the count starts afresh.",
        "on": "Attacks count as going to and fro, too.",
    },
    "chase_rule": {
        "off": "You may chase the same piece round and round.",
        "on": (
            "If you keep chasing the same pieces, you may not bring about a position that was there before; "
            "only stepping straight back is allowed."
        ),
    },
    "no_progress_draw": {"off": "The game goes on, however long nothing is captured."},
    "both_stuck": {
        "side_to_move_loses": "If neither side can do anything, the one whose turn it is loses.",
        "draw": "If neither side can do anything, the game is a draw.",
    },
    "clock": {"none": "There is no clock: take your time."},
    "aggressor_advantage": {
        "off": "When equal pieces meet, both are lost.",
        "on": "When equal pieces meet, the one that attacks wins.",
    },
    "silent_defense": {
        "off": "In a fight both pieces are shown.",
        "on": (
            "In a fight only the attacker is shown; the other player just says who is lost. "
            "If a runner attacks, the attacked piece must be named after all."
        ),
    },
    "rescue": {
        "off": "Lost pieces stay lost.",
        "on": (
            "When you move a piece onto the enemy’s back row, you may bring one of your lost pieces back at "
            "once. Runners cannot do it and bombs cannot be brought back; each player may do it twice in a "
            "game, with two different pieces."
        ),
    },
    "rescue_zone": {
        "home_rows": "A rescued piece comes back on an empty square of your home rows.",
        "half": "A rescued piece comes back on an empty square of your half of the board.",
    },
    "rescue_on_strike": {
        "off": "Only a move onto the back row allows a rescue, not a won fight.",
        "on": "A fight won on the back row allows a rescue as well.",
    },
    "defender_advances": {
        "off": "A defender that wins stays where it is.",
        "on": "A defender that wins moves to the square from which it was attacked; bombs stay.",
    },
    "spot_any_side": {
        "off": "Spotting works straight ahead only.",
        "on": "Spotting works ahead, to both sides and backwards.",
    },
    "spot_move_then_attack": {
        "off": "A piece that spots may step and then spot, but not step and then attack.",
        "on": "A piece that spots may also step and then attack in the ordinary way.",
    },
    "spot_silent_miss": {
        "off": "After a wrong guess the enemy piece is shown all the same.",
        "on": "After a wrong guess the enemy piece stays secret.",
    },
}
