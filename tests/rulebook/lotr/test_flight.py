"""The Lord of the Rings: Flight."""

from __future__ import annotations

import pytest

from tests.rulebook.lotr.pieces import EVIL, GAMES, GOOD, RING
from tests.rulebook.table import Table

FLOCK = """
    10  -F  .  .  .  .  .  .  .  . -2
     4   .  .  .  . -3  .  .  .  .  .
     3   .  .  .  . +3  .  .  .  .  .
     2   .  .  .  . +X -5 +4 -B  .  .
     1  +F  .  .  . +B  .  .  .  . +2
"""


@pytest.mark.rule("LR-P-03", "LR-X-28")
@pytest.mark.parametrize("game", GAMES)
def test_the_witch_king_flies_over_friends_and_enemies_to_the_first_open_square(game: str) -> None:
    table = Table(game, FLOCK)
    assert table.choices("e2") == {"e2-d2", "e2xf2", "e2^e5", "e2^i2"}
    table.plays("e2^i2")
    assert table.becomes("""
         2   .  .  .  .  . -5 +4 -B +X  .
    """)


@pytest.mark.rule("LR-P-02", "LR-P-03")
@pytest.mark.parametrize("game", GAMES)
def test_the_flier_is_shown_before_it_flies_and_nobody_below_is(game: str) -> None:
    table = Table(game, FLOCK).plays("e2^e5")
    assert table.events == [
        "use flight e2 on e5",
        "shown e2 witch-king to all",
        "leap e2-e5",
        "turn north",
    ]
    assert table.shown_to("north") == ["e2 witch-king"]
    assert table.known_to("south") == {}


@pytest.mark.rule("LR-P-03")
@pytest.mark.parametrize("game", GAMES)
def test_gandalf_flies_too(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         9   .  .  .  . -X  .  .  .  .  .
         8   .  .  .  . -3  .  .  .  .  .
         7   .  .  .  . +3  .  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        to_move="north",
    )
    assert table.choices("e9") == {"e9-e10", "e9-d9", "e9-f9", "e9^e6"}
    table.plays("e9^e6")
    assert table.becomes("""
         9   .  .  .  .  .  .  .  .  .  .
         6   .  .  ~  ~ -X  .  ~  ~  .  .
    """)
    assert table.shown_to("south") == ["e9 gandalf"]


ZONES = """
    10  -F  .  .  .  .  .  .  .  . -2
     8   .  .  .  .  .  .  .  .  .  .
     7   .  .  .  .  .  .  .  .  .  .
     6   .  .  ~  ~  .  .  ~  ~  .  .
     5   .  .  ~  ~  .  .  ~  ~  .  .
     4   .  . +X  .  .  .  .  .  .  .
     1  +F  .  .  .  .  .  .  .  . +2
"""


@pytest.mark.rule("LR-P-03", "LR-X-28", "LR-X-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_forbidden_zone_alone_is_enough_to_fly_over(game: str) -> None:
    table = Table(game, ZONES)
    assert table.choices("c4") == {"c4-b4", "c4-d4", "c4-c3", "c4^c7"}
    table.plays("c4^c7")
    assert table.becomes("""
         7   .  . +X  .  .  .  .  .  .  .
         4   .  .  .  .  .  .  .  .  .  .
    """)


@pytest.mark.rule("LR-P-03", "LR-X-28")
@pytest.mark.parametrize("game", GAMES)
def test_zones_and_pieces_in_one_row_are_flown_over_together(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         5  +X +3  ~  ~ -A  .  ~  ~  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert table.choices("a5") == {"a5-a4", "a5-a6", "a5^f5"}


@pytest.mark.rule("LR-X-28")
@pytest.mark.parametrize("game", GAMES)
def test_a_gap_before_the_pieces_leaves_nothing_to_fly_over(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         3   .  .  .  . +X  . -3  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert table.choices("e3") == {"e3-e4", "e3-f3", "e3-e2", "e3-d3"}


@pytest.mark.rule("LR-P-03", "LR-X-28")
@pytest.mark.parametrize("game", GAMES)
def test_a_flight_ends_on_the_first_open_square_and_not_beyond_it(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  .  .  .  .  . -2
         3   .  .  .  . +X -3  . -3  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert {text for text in table.choices("e3") if "^" in text} == {"e3^g3"}


@pytest.mark.rule("LR-P-03")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_flies_off_the_board_or_onto_a_piece_at_its_edge(game: str) -> None:
    table = Table(
        game,
        """
        10  -F  .  .  .  . -3  .  .  . -2
         9   .  .  .  .  . +X -3 -3 -3 -5
         8   .  .  .  .  . +B  .  .  .  .
         1  +F  .  .  .  .  .  .  .  . +2
        """,
    )
    assert table.choices("f9") == {"f9xf10", "f9xg9", "f9-e9", "f9^f7"}


@pytest.mark.rule("LR-P-03")
@pytest.mark.parametrize("game", GAMES)
def test_flight_is_not_diagonal_and_never_an_attack(game: str) -> None:
    table = Table(game, FLOCK.replace("     3   .  .  .  . +3  .", "     3   .  .  . -3 +3 -3"))
    assert {text for text in table.choices("e2") if "^" in text} == {"e2^e5", "e2^i2"}
    landed = Table(game, FLOCK).plays("e2^e5")
    assert landed.to_move == "north"
    assert not landed.state.is_turn_open


@pytest.mark.rule("LR-P-03")
@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_flies(game: str) -> None:
    for code in EVIL.keys() - {"X"}:
        table = Table(game, FLOCK.replace("+X", f"+{code}").replace("+4", "+3"))
        assert not [text for text in table.choices() if "^" in text], code
    south = "\n".join(line.translate(str.maketrans("+-", "-+")) for line in FLOCK.splitlines())
    for code in GOOD.keys() - {"X"}:
        table = Table(
            game, south.replace("-X", f"-{code}").replace("-4", "-3").replace("+5", "+6"), to_move="north"
        )
        assert not [text for text in table.choices() if "^" in text], code


@pytest.mark.rule("LR-P-03")
def test_nobody_flies_in_the_classic_game() -> None:
    assert Table("lotr/classic", FLOCK).choices("e2") == {"e2-d2", "e2xf2"}


@pytest.mark.rule("LR-M-05", "CM-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_flight_is_a_move_for_the_two_square_rule(game: str) -> None:
    table = Table(game, FLOCK).plays("e2^e5", "j10-j9", "e5^e2", "j9-j10")
    assert table.refuses("e2^e5")
    assert table.allows("e2^i2")
    table.plays("j1-j2", "j10-i10")
    assert table.allows("e2^e5")


@pytest.mark.rule("CM-05", "LR-T-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_piece_that_can_only_fly_has_not_lost(game: str) -> None:
    hemmed_in = """
        10  -F  .  .  .  .  .  .  .  . -2
         2  +B  .  .  .  .  .  .  .  .  .
         1  +X +B +F  .  .  .  .  .  .  .
    """
    table = Table(game, hemmed_in)
    assert table.result == ""
    assert table.choices() == {"a1^a3", "a1^d1"}
    assert Table("lotr/classic", hemmed_in).result == "north no move"


@pytest.mark.rule("LR-X-05")
@pytest.mark.parametrize(
    ("square", "row", "flight"),
    [
        ("c5", ". +X  ~  ~  .  .  ~  ~  .  .", "b5^e5"),
        ("d5", ".  .  ~  ~ +X  .  ~  ~  .  .", "e5^b5"),
        ("g5", ".  .  ~  ~  . +X  ~  ~  .  .", "f5^i5"),
        ("h5", ".  .  ~  ~  .  .  ~  ~ +X  .", "i5^f5"),
    ],
)
def test_mount_doom_is_flown_over_and_never_landed_on(square: str, row: str, flight: str) -> None:
    table = Table(
        RING,
        f"""
        10  -F  .  .  .  .  .  .  .  . -2
         5   {row}
         1  +F  .  .  .  .  .  .  .  . +2
        """,
        mount_doom=square,
    )
    origin = flight[:2]
    assert {text for text in table.choices(origin) if "^" in text} == {flight}
    assert table.refuses(f"{origin}-{square}")
