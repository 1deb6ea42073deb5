"""The targets of Gimli's axe are chosen in silence: until the last, nobody but the mover sees anything."""

from __future__ import annotations

import msgspec
import pytest

from flagfall.view.view import VIEWERS, Viewer
from tests.view.table import Table

GAMES = ["lotr/special-powers", "lotr/destroy-the-ring"]
EVIL = "a1 flag, b2 orc, c2 gothmog, d2 ringwraith, d1 haradrim"
GOOD = "a4 flag, c4 gimli, d4 sam"
OTHERS: tuple[Viewer, ...] = ("south", "watcher")


def swinging(game: str, south: str = EVIL, **options: str) -> Table:
    """Gimli has stepped to c3 and swings."""
    return Table(game, south=south, north=GOOD, **options).plays("b2-a2", "d4-d3", "a2-b2", "c4-c3 swing")


def sent(table: Table, viewer: Viewer) -> bytes:
    """What a viewer gets over the wire."""
    return msgspec.json.encode(table.view(viewer))


@pytest.mark.rule("LR-P-07", "LR-P-02")
@pytest.mark.parametrize("game", GAMES)
def test_everybody_sees_gimli_step_and_swing_but_only_his_owner_is_asked(game: str) -> None:
    table = swinging(game)
    for viewer in VIEWERS:
        assert [event.what for event in table.seen[viewer]] == ["move", "swing", "shown"]
        assert table.piece(viewer, "c3").kind == "gimli"
        assert table.view(viewer).to_move == "north"
    prompt = table.view("north").prompt
    assert prompt is not None
    assert (prompt.ask, prompt.cell) == ("target", "c3")
    for viewer in OTHERS:
        assert table.view(viewer).prompt is None
        assert table.view(viewer).legal == ()


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", OTHERS)
def test_a_choice_changes_nothing_for_the_others(game: str, viewer: Viewer) -> None:
    table = swinging(game)
    before = sent(table, viewer)
    for target in ("b2", "c2"):
        table.plays(f"at {target}")
        assert table.seen[viewer] == ()
        assert sent(table, viewer) == before


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_the_mover_sees_the_choices_that_are_left(game: str) -> None:
    table = swinging(game)
    assert table.choices() == ["choose square b2", "choose square c2", "choose square d2"]
    table.plays("at c2")
    assert table.choices() == ["done", "choose square b2", "choose square d2"]
    assert len(table.view("north").legal) == 3
    assert table.piece("north", "c2").kind == ""


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", OTHERS)
def test_games_in_which_others_were_chosen_look_the_same_until_the_swing_is_complete(
    game: str, viewer: Viewer
) -> None:
    one, other = swinging(game).plays("at b2"), swinging(game).plays("at d2", "at c2")
    assert sent(one, viewer) == sent(other, viewer)


@pytest.mark.rule("LR-P-07", "LR-X-17")
@pytest.mark.parametrize("game", GAMES)
def test_then_all_that_were_chosen_are_shown_and_nobody_else(game: str) -> None:
    table = swinging(game).plays("at b2", "at c2", "done")
    for viewer in VIEWERS:
        assert table.shown(viewer) == {"orc", "gothmog"}
        assert sorted(table.tray(viewer)) == ["south gothmog", "south orc"]
    for viewer in ("north", "watcher"):
        assert table.piece(viewer, "d2").kind == ""
        assert table.possible(viewer, "d2") == {"flag", "ringwraith", "haradrim"}


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", ["north", "watcher"])
def test_the_order_of_choosing_does_not_show(game: str, viewer: Viewer) -> None:
    one, other = (
        swinging(game).plays("at b2", "at c2", "done"),
        swinging(game).plays("at c2", "at b2", "done"),
    )
    assert one.seen == other.seen
    assert sent(one, viewer) == sent(other, viewer)


@pytest.mark.rule("LR-P-07")
@pytest.mark.parametrize("game", GAMES)
def test_an_open_swing_tells_the_chooser_nothing_about_the_targets(game: str) -> None:
    exchanged = EVIL.replace("gothmog", "@").replace("ringwraith", "gothmog").replace("@", "ringwraith")
    true, twin = swinging(game).plays("at c2"), swinging(game, exchanged).plays("at c2")
    for viewer in ("north", "watcher"):
        assert sent(true, viewer) == sent(twin, viewer)


@pytest.mark.rule("LR-P-09")
@pytest.mark.parametrize("game", GAMES)
def test_an_uruk_hai_that_may_go_on_is_seen_by_all_but_only_its_owner_is_asked(game: str) -> None:
    table = Table(
        game,
        south="a1 flag, b2 uruk-hai, d1 orc",
        north="a4 flag, b3 soldier, c3 elf, d4 sam",
    ).plays("b2xb3")
    for viewer in VIEWERS:
        assert table.shown(viewer) == {"uruk-hai", "soldier"}
        assert table.view(viewer).to_move == "south"
    prompt = table.view("south").prompt
    assert prompt is not None
    assert (prompt.ask, prompt.cell) == ("attack again", "b3")
    assert table.view("north").prompt is None
    assert table.view("watcher").prompt is None
    assert table.piece("south", "c3").kind == ""
