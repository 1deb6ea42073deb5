"""Powers that cannot be played are refused with one sentence."""

from __future__ import annotations

import pytest
from tests.edition.test_box_refusals import SMALL

from flagfall.edition import EditionError, load_text
from flagfall.edition.compile import compile_game
from flagfall.edition.options import resolve
from flagfall.engine import tables as T

BASE = SMALL.replace("powers = false", "powers = true").replace('rescue = "on"', 'memory = "notes"')
RING = """
[power.ring]
name = "Ring"
verb = "bearer"
square = "b3"
captors = ["chief"]
text = "Carries."
"""


def power(name: str, verb: str, more: str = "") -> str:
    return f'\n[power.{name}]\nname = "X"\nverb = "{verb}"\ntext = "Does."\n{more}\n'


def box(powers: str = "", *, chief: str = "", flag: str = "", game: str = "") -> str:
    text = BASE.replace('text = "Strong."', f'text = "Strong."\n{chief}')
    text = text.replace('text = "Hide it."', f'text = "Hide it."\n{flag}')
    return text.replace("powers = true", f"powers = true\n{game}") + powers


def refused(text: str) -> str:
    with pytest.raises(EditionError) as error:
        load_text(text, "small.toml")
    assert "\n" not in str(error.value)
    return str(error.value)


MANY = [f"p{index}" for index in range(9)]
CASES = {
    "too many powers": (
        box(
            "".join(power(name, "leap") for name in MANY),
            game="grants = { chief = [" + ", ".join(f'"{n}"' for n in MANY) + "] }",
        ),
        "[game.full]: the game has 9 powers of the verbs leap, teleport, strike, area, advance, detect, "
        "convert; "
        "at most 8 are possible",
    ),
    "too many strikes": (
        box(
            "".join(power(name, "strike") for name in MANY[:8]),
            chief="powers = [" + ", ".join(f'"{n}"' for n in MANY[:8]) + "]",
        ),
        "[game.full]: the game has 8 powers of the verbs strike, area, convert; at most 7 are possible",
    ),
    "two of one verb": (
        box(power("a", "strike") + power("b", "strike"), chief='powers = ["a", "b"]'),
        "[game.full]: the kind “chief” has two powers of the verb “strike”, a and b; it can have only one",
    ),
    "two of one verb by a grant": (
        box(power("sprint", "run"), game='grants = { runner = ["sprint"] }'),
        "[game.full]: the kind “runner” has two powers of the verb “run”, dash and sprint; it can have "
        "only one",
    ),
    "two advances": (
        box(
            power("a", "advance") + power("b", "advance"),
            chief='powers = ["a"]',
            game='grants = { runner = ["b"] }',
        ),
        "the powers a and b both have the verb “advance” (move together); a game can have only one such "
        "power",
    ),
    "two bearers": (
        box(
            RING + RING.replace("power.ring", "power.gem"),
            game='grants = { runner = ["ring"], chief = ["gem"] }',
        ),
        "the powers ring and gem both have the verb “bearer” (carry the ring); a game can have only one "
        "such power",
    ),
    "bearers in both armies": (
        box(RING, game='grants = { chief = ["ring"] }'),
        "2 pieces have the power “ring” (bearer); exactly one piece of both armies together can carry it",
    ),
    "square outside the zones": (
        box(RING.replace("b3", "a3"), game='grants = { herald = ["ring"] }'),
        "the power “ring” reserves the square “a3”, which is not in a zone of this board; choose one of b3",
    ),
    "no square": (
        box(RING.replace('square = "b3"', ""), game='grants = { herald = ["ring"] }'),
        "the power “ring” reserves the square “”, which is not in a zone of this board; choose one of b3",
    ),
    "option with squares outside the zones": (
        box(RING + 'options = { square = "mount_doom" }', game='grants = { herald = ["ring"] }'),
        "the power “ring” reserves the square “c5”, which is not in a zone of this board",
    ),
    "unknown kind spared": (
        box(power("a", "strike", 'spares = ["cheif"]')),
        "[power.a]: “spares” names the unknown kind “cheif”; did you mean “chief”?",
    ),
    "unknown captor": (
        box(RING.replace('["chief"]', '["witch"]')),
        "[power.ring]: “captors” names the unknown kind “witch”; try chief, runner",
    ),
    "unknown kind purged": (
        box(RING + 'purges = ["chef"]'),
        "[power.ring]: “purges” names the unknown kind “chef”; did you mean “chief”?",
    ),
    "unknown kind raised": (
        box(RING + 'raises = ["chef"]'),
        "[power.ring]: “raises” names the unknown kind “chef”; did you mean “chief”?",
    ),
    "power of a flag": (
        box(power("a", "leap"), flag='powers = ["a"]'),
        "[kind.flag]: “powers” gives “a” to a flag; only soldiers can have powers",
    ),
    "privilege of a bomb": (
        box().replace('text = "Stays."', 'text = "Stays."\nprivileges = ["dash"]'),
        "[kind.mine]: “privileges” gives “dash” to a bomb; only soldiers can have powers",
    ),
    "grant to a bomb": (
        box(RING, game='grants = { mine = ["ring"] }'),
        "[game.full.grants]: “mine” gives “ring” to a bomb; only soldiers can have powers",
    ),
    "grant to an unknown kind": (
        box(game='grants = { chef = ["dash"] }'),
        "[game.full.grants]: unknown key “chef”; did you mean “chief”?",
    ),
    "grant of an unknown power": (
        box(game='grants = { chief = ["dahs"] }'),
        "[game.full.grants]: “chief” names the unknown power “dahs”; did you mean “dash”?",
    ),
    "grant that is no list": (
        box(game='grants = { chief = "dash" }'),
        "[game.full.grants]: “chief” must look like chief = [",
    ),
    "grants without powers": (
        box(game='grants = { chief = ["dash"] }').replace("powers = true", "powers = false"),
        "[game.full]: “grants” gives powers to pieces, but this game plays without them; write powers = true",
    ),
    "unknown parameter left to an option": (
        box(power("a", "leap", 'options = { over_zone = "dragon_over_zones" }')),
        "[power.a]: “options” names the unknown parameter “over_zone”; did you mean “over_zones”?",
    ),
    "unknown option": (
        box(power("a", "leap", 'options = { over_zones = "dragon_over_zone" }')),
        "[power.a]: “options” leaves “over_zones” to “dragon_over_zone”, which is not an option for powers; "
        "did you mean “dragon_over_zones”?",
    ),
    "option of other games": (
        box(power("a", "leap", 'options = { over_zones = "rescue" }')),
        "[power.a]: “options” leaves “over_zones” to “rescue”, which is not an option for powers; try "
        "blast_range",
    ),
    "words for a switch": (
        box(power("a", "strike", 'options = { blocked = "blast_range" }')),
        "[power.a]: “options” leaves “blocked” to “blast_range”, which can be lines, square, but "
        "“blocked” needs "
        "off and on",
    ),
    "switch for words": (
        box(power("a", "strike", 'options = { reach = "detect_known" }')),
        "which can be on, off, but “reach” needs the words square, lines",
    ),
    "other words": (
        box(power("a", "strike", 'options = { reach = "advance_order" }')),
        "which can be chosen, front_first, but “reach” needs the words square, lines",
    ),
    "switch for a number": (
        box(power("a", "convert", 'options = { cap = "enchant_probe" }')),
        "which can be on, off, but “cap” needs off and numbers",
    ),
    "numbers beyond the parameter": (
        box(power("a", "area", 'options = { choose = "enchant_cap" }')),
        "which can be off, or a number from 1 to 99, but “choose” needs off and numbers up to 3",
    ),
    "switch for a square": (
        box(RING + 'options = { square = "doom_immune" }'),
        "which can be off, on, but “square” needs squares",
    ),
    "option for a list": (
        box(power("a", "strike", 'options = { spares = "blast_range" }')),
        "but “spares” needs a list, which no option can give",
    ),
    "hints of a game that are no texts": (
        box(game="hints = { a = 1 }"),
        "[game.full.hints]: “a” must look like a = ",
    ),
    "hints of a game that are no table": (box(game="hints = 1"), "[game.full]: “hints” must look like"),
}
HERALD = """
[kind.herald]
name = "Herald"
code = "h"
rank = 1
count = 1
army = "blue"
text = "Walks."
"""


@pytest.mark.parametrize("case", CASES)
def test_wrong_powers_are_refused_with_one_precise_sentence(case: str) -> None:
    text, sentence = CASES[case]
    if "herald" in text:
        text = text.replace("fills_home = true", "fills_home = false") + HERALD
        text = text.replace("home_rows = 1\nzones", "home_rows = 2\nzones")
    told = refused(text)
    assert sentence in told
    assert told.startswith("small.toml")


def test_a_game_extends_grants_and_adds_up_hints() -> None:
    text = box(
        power("glide", "leap"), game='grants = { chief = ["glide"] }\nhints = { a = "First.", b = "Second." }'
    )
    full, short = load_text(text + '\n[game.short.hints]\nb = "Better."\n').games.values()
    for game in (full, short):
        assert [power.id for power in game.abilities(game.kinds[0])] == ["glide"]
    assert full.hints == {"a": "First.", "b": "Second."}
    assert short.hints == {"a": "First.", "b": "Better."}


def test_eight_powers_of_which_seven_strike_have_tables_of_their_own() -> None:
    names = MANY[:7]
    kinds = "".join(
        f'[kind.k{n}]\nname = "K"\ncode = "{n}"\nrank = 1\ncount = 1\npowers = ["{p}"]\ntext = "t"\n'
        for n, p in zip("abcdefg", names, strict=True)
    )
    text = box(
        power("glide", "leap") + "".join(power(name, "strike") for name in names) + kinds,
        chief='powers = ["glide"]',
    )
    text = text.replace("home_rows = 1\nzones = [", "home_rows = 2\nzones = [").replace(
        "size = [4, 5]", "size = [6, 5]"
    )
    game = load_text(text.replace("fills_home = true", "fills_home = false")).games["full"]
    row = compile_game(game, resolve(game, {})).row
    contexts = [int(row[T.POWERS + index * T.POWER_WIDTH + T.CONTEXT]) for index in range(8)]
    assert contexts == [0, 1, 2, 3, 4, 5, 6, 7]
    assert max(contexts) < T.MAX_CONTEXTS
