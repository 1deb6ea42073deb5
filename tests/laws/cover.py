"""Which option sets to try: every pair of values that can go together, in few sets, always the same ones.

Pairs are counted in *resolved* options, so what `resolve` adds by itself counts, and a pair that no
acceptable set contains is left out.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from random import Random

from flagfall.edition import Game, Option, OptionError, Options, concerning, resolve

Pair = tuple[tuple[str, str], tuple[str, str]]
_NUMBERS = {"two_square_limit": ("1", "3"), "no_progress_draw": ("30",)}
_TRIES = 12


@lru_cache
def _usual(game: Game) -> tuple[Options, tuple[Option, ...]]:
    """The default options of a game, and what is known of each."""
    return resolve(game, {}), concerning(game)


def values(game: Game) -> dict[str, tuple[str, ...]]:
    """Every option that concerns the game on the board, with the values to try; the default first."""
    found = {}
    for info in _usual(game)[1]:
        if info.name != "clock":
            tried = (info.default, *info.values, *_NUMBERS.get(info.name, ()))
            found[info.name] = tuple(dict.fromkeys(tried))
    return found


def accepted(game: Game, wanted: dict[str, str]) -> Options | None:
    """The options of a choice, or None if it is refused; a default need not be said."""
    usual = _usual(game)[0]
    said = {name: value for name, value in wanted.items() if value != usual[name]}
    try:
        return resolve(game, said)
    except OptionError:
        return None


def pairs_of(options: Options) -> set[Pair]:
    """Every two values that meet in a set."""
    return set(combinations([pair for pair in options.items() if pair[0] != "clock"], 2))


def wanted_pairs(game: Game) -> list[Pair]:
    """Every two values of two options, whether they can go together or not."""
    table = values(game)
    return [
        ((first, a), (second, b))
        for first, second in combinations(table, 2)
        for a in table[first]
        for b in table[second]
    ]


@lru_cache
def pairwise(game: Game) -> tuple[Options, ...]:
    """A few option sets in which every possible pair of values occurs; the defaults first."""
    rng = Random(f"cover of {game.id}")
    table = values(game)
    sets = [resolve(game, {})]
    missing = set(wanted_pairs(game)) - pairs_of(sets[0])
    for pair in wanted_pairs(game):
        if pair not in missing:
            continue
        best = _fullest(game, table, pair, missing, rng)
        missing.discard(pair)
        if best is not None:
            sets.append(best)
            missing -= pairs_of(best)
    return tuple(sets)


def _fullest(
    game: Game, table: dict[str, tuple[str, ...]], pair: Pair, missing: set[Pair], rng: Random
) -> Options | None:
    """Of some sets with that pair, the one with most pairs that are still missing."""
    best: tuple[int, Options] | None = None
    tries = [dict(pair)] + [
        {name: rng.choice(found) for name, found in table.items()} | dict(pair) for _ in range(_TRIES)
    ]
    for wanted in tries:
        options = accepted(game, wanted) or accepted(game, _with_main_options(game, wanted))
        if options is None or not set(pair) <= set(options.items()):
            continue
        gain = len(pairs_of(options) & missing)
        if best is None or gain > best[0]:
            best = (gain, options)
    return best[1] if best else None


def _with_main_options(game: Game, wanted: dict[str, str]) -> dict[str, str]:
    """Drop or mend what is refused most often: sub-options without their main one, hidden captures."""
    mended = dict(wanted)
    usual, known = _usual(game)
    for info in known:
        if info.needs and mended.get(info.name, info.default) != info.default:
            if mended.get(info.needs, usual[info.needs]) == "off":
                mended[info.needs] = "on" if info.needs == "rescue" else "2"
            if info.needs == "rescue" and mended.get("captured_pieces") not in (None, "open", "secret"):
                mended["captured_pieces"] = "open"
    if mended.get("silent_defense") == "on":
        mended["captured_pieces"] = "secret"
    return mended
