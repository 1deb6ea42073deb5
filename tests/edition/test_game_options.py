"""Options: defaults, spellings, combinations that make no sense, and what must be said to get them again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagfall.edition import (
    Clock,
    EditionError,
    Option,
    OptionError,
    Options,
    concerning,
    game_ids,
    load_game,
    load_text,
    parse_clock,
    parse_pairs,
    register_option,
    resolve,
    rules_page,
)
from flagfall.edition.option_table import OPTIONS

SMALL = (Path(__file__).parent / "small.toml").read_text(encoding="utf-8")
EVERYWHERE = {
    "captured_pieces": "open",
    "memory": "assisted",
    "two_square_limit": "2",
    "two_square_counts_attacks": "off",
    "no_progress_draw": "200",
    "both_stuck": "side_to_move_loses",
    "clock": "none",
}
PLAIN = {
    "chase_rule": "off",
    "aggressor_advantage": "off",
    "silent_defense": "off",
    "rescue": "off",
    "rescue_zone": "home_rows",
    "rescue_on_strike": "off",
    "defender_advances": "off",
}
POWERS = {
    "duel-masters/elemental-powers": {
        "blast_range": "lines",
        "advance_subset": "off",
        "advance_order": "chosen",
        "two_step_may_return": "off",
        "detect_known": "on",
    },
    "lotr/special-powers": {"longbow_range": "lines", "two_step_may_return": "off", "detect_known": "on"},
    "lotr/destroy-the-ring": {
        "longbow_range": "lines",
        "two_step_may_return": "off",
        "detect_known": "on",
        "mount_doom": "c5",
        "doom_immune": "off",
        "ring_gone_visible": "off",
        "frodo_tie_kills": "off",
    },
    "fire-and-ice/special-powers": {
        "two_step_may_return": "off",
        "detect_known": "on",
        "dragon_over_zones": "off",
        "arrow_takes_flag": "off",
        "enchant_cap": "off",
        "enchant_probe": "on",
    },
}
SPOTTING = {"spot_any_side": "off", "spot_move_then_attack": "off", "spot_silent_miss": "off"}


def chosen(game_id: str = "barrage/classic", **options: str) -> Options:
    return resolve(load_game(game_id), options)


def refused(game_id: str = "barrage/classic", **options: str) -> str:
    with pytest.raises(OptionError) as error:
        resolve(load_game(game_id), options)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_has_exactly_the_options_that_concern_it(game_id: str) -> None:
    own = SPOTTING if game_id.startswith("spin-master") else POWERS.get(game_id, PLAIN)
    expected = EVERYWHERE | own
    if game_id == "onyx/classic":
        expected = expected | {"defender_advances": "on"}
    game = load_game(game_id)
    assert dict(resolve(game, {}).items()) == expected
    assert {info.name: info.default for info in concerning(game)} == expected


def test_what_an_option_concerns_follows_from_the_features_of_a_game_not_from_its_name() -> None:
    spotting = SMALL.replace('verb = "run"\nattack = true', 'verb = "spot"').replace(
        'defaults = { rescue = "on" }', 'defaults = { spot_any_side = "on" }'
    )
    full, short = load_text(spotting).games.values()
    assert resolve(full, {}).is_on("spot_any_side")
    assert "spot_any_side" not in resolve(short, {})
    assert short.defaults == {}
    with_powers = SMALL.replace("powers = false\n", "powers = true\n").replace(
        'rescue = "on"', 'memory = "notes"'
    )
    names = set(resolve(load_text(with_powers).games["full"], {}))
    assert names == set(EVERYWHERE)


def test_every_option_says_what_it_is_and_which_rules_it_comes_from() -> None:
    known = set((Path(__file__).parents[2] / "docs/rules/ids.txt").read_text(encoding="utf-8").split())
    for game_id in game_ids():
        for info in concerning(load_game(game_id)):
            assert info.help
            assert info.values
            assert info.rules
            assert set(info.rules) <= known


def test_options_speak_in_words_numbers_and_switches() -> None:
    options = chosen(rescue="on", two_square_limit="5", no_progress_draw="off")
    assert options["rescue_zone"] == "home_rows"
    assert options.is_on("rescue")
    assert not options.is_on("chase_rule")
    assert options.number("two_square_limit") == 5
    assert options.number("no_progress_draw") is None


def test_an_option_that_does_not_concern_the_game_is_off_but_an_unknown_one_is_a_mistake() -> None:
    options = chosen("spin-master/duel")
    assert not options.is_on("rescue")
    assert "rescue" not in options
    with pytest.raises(KeyError):
        options.is_on("resque")
    with pytest.raises(KeyError):
        options["rescue"]


def test_equal_options_are_equal_and_can_be_keys() -> None:
    assert chosen(rescue="on", clock="90s") == chosen(clock="1m30s+0s", rescue="on")
    assert len({chosen(), chosen(memory="assisted"), chosen(memory="notes")}) == 2


@pytest.mark.parametrize(
    ("option", "written", "meant"),
    [
        ("memory", " Strict ", "strict"),
        ("two_square_limit", "03", "3"),
        ("no_progress_draw", "10000", "10000"),
        ("clock", "none", "none"),
        ("clock", "10m+5s", "10m+5s"),
        ("clock", "10m", "10m+0s"),
        ("clock", "90s + 75s", "1m30s+1m15s"),
        ("clock", "1h30m+30s", "1h30m+30s"),
        ("clock", "60s/move", "1m/move"),
        ("clock", "3d", "3d"),
    ],
)
def test_a_value_has_one_spelling(option: str, written: str, meant: str) -> None:
    assert chosen(**{option: written})[option] == meant


def test_a_clock_is_numbers_for_those_who_need_them() -> None:
    assert chosen(clock="10m+5s").clock == Clock("total", 600, 5)
    assert chosen(clock="30s/move").clock == Clock("move", 30)
    assert chosen(clock="3d").clock == Clock("days", 3 * 86_400)
    assert chosen().clock == Clock("none")


@given(st.integers(1, 86_400), st.integers(0, 86_400))
def test_a_clock_reads_back_what_it_writes(limit: int, increment: int) -> None:
    for clock in (Clock("total", limit, increment), Clock("move", limit)):
        assert parse_clock(clock.text) == clock


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("memory", "good", "“memory” cannot be “good”; choose assisted, notes, strict"),
        ("rescue", "yes", "“rescue” cannot be “yes”; choose off, on"),
        ("two_square_limit", "0", "“two_square_limit” cannot be “0”; choose off, or a number from 1 to 9"),
        ("two_square_limit", "10", "“two_square_limit” cannot be “10”; choose off, or a number from 1 to 9"),
        ("two_square_limit", "-1", "“two_square_limit” cannot be “-1”"),
        ("two_square_limit", "²", "“two_square_limit” cannot be “²”"),
        (
            "no_progress_draw",
            "10001",
            "“no_progress_draw” cannot be “10001”; choose off, or a number from 1 to 10000",
        ),
        ("clock", "0m+5s", "“clock” is not right: a clock cannot start at zero"),
        ("clock", "0s/move", "“clock” is not right: a clock cannot start at zero"),
        ("clock", "0d", "“clock” is not right: a clock cannot start at zero"),
        ("clock", "40d", "“clock” is not right: that is too long; 30 days is the most you can have"),
        ("clock", "25h", "“clock” is not right: that is too long; 24 hours is the most you can have"),
        ("clock", "10m+25h", "“clock” is not right: the time after each move can be at most 24 hours"),
        ("clock", "ten minutes", "“clock” is not right: “ten minutes” is not a clock; write none, 10m+5s"),
        ("clock", "10m+", "“clock” is not right: “10m+” is not a clock"),
        ("clock", "/move", "“clock” is not right: “/move” is not a clock"),
        ("clock", "", "“clock” is not right: “” is not a clock"),
        ("clock", "١s", "“clock” is not right: “١s” is not a clock"),
        ("resque", "on", "there is no option “resque”; did you mean “rescue”?"),
        ("xyz", "on", "there is no option “xyz”; try captured_pieces, memory"),
        (
            "spot_any_side",
            "on",
            "“spot_any_side” does not concern barrage/classic: it is for games with Spotters",
        ),
    ],
)
def test_a_wrong_option_is_refused_with_what_would_be_right(option: str, value: str, sentence: str) -> None:
    assert refused(**{option: value}).startswith(sentence)


@pytest.mark.parametrize("option", PLAIN)
def test_tournament_options_do_not_concern_a_game_with_spotters(option: str) -> None:
    told = refused("spin-master/standard", **{option: "on"})
    assert (
        "does not concern spin-master/standard: it is for games without powers and without Spotters" in told
    )


@pytest.mark.parametrize("option", PLAIN)
@pytest.mark.parametrize("game_id", POWERS)
def test_tournament_options_do_not_concern_a_game_with_powers(game_id: str, option: str) -> None:
    told = refused(game_id, **{option: "on"})
    assert f"does not concern {game_id}: it is for games without powers and without Spotters" in told


@pytest.mark.parametrize("option", sorted({name for own in POWERS.values() for name in own}))
def test_an_option_of_powers_concerns_only_games_that_leave_it_open(option: str) -> None:
    concerned = [name for name in game_ids() if option in resolve(load_game(name), {})]
    assert concerned == [name for name, own in POWERS.items() if option in own]
    told = refused("onyx/classic", **{option: "on"})
    assert "does not concern onyx/classic: it is for games with a power that leaves it open" in told


def test_a_power_that_is_a_privilege_keeps_the_tournament_options_away() -> None:
    text = SMALL.replace('verb = "run"\nattack = true', 'verb = "leap"').replace(
        'rescue = "on"', 'memory = "notes"'
    )
    assert set(resolve(load_text(text).games["full"], {})) == set(EVERYWHERE)


@pytest.mark.parametrize("game_id", POWERS)
def test_unknown_pieces_only_may_be_detected_where_what_was_seen_is_written_down(game_id: str) -> None:
    told = refused(game_id, detect_known="off", memory="strict")
    assert told.startswith("detect_known=off cannot go with memory=strict, because")
    assert chosen(game_id, detect_known="off", memory="notes")["detect_known"] == "off"
    assert chosen(game_id, memory="strict")["detect_known"] == "on"


@pytest.mark.parametrize(
    ("game_id", "option", "value", "sentence"),
    [
        ("lotr/destroy-the-ring", "mount_doom", "c6", "“mount_doom” cannot be “c6”; choose c5, d5, g5, h5"),
        (
            "lotr/special-powers",
            "longbow_range",
            "far",
            "“longbow_range” cannot be “far”; choose lines, square",
        ),
        ("fire-and-ice/special-powers", "enchant_cap", "0", "choose off, or a number from 1 to 99"),
        ("fire-and-ice/special-powers", "enchant_cap", "100", "choose off, or a number from 1 to 99"),
    ],
)
def test_a_wrong_value_for_a_power_is_refused(game_id: str, option: str, value: str, sentence: str) -> None:
    assert sentence in refused(game_id, **{option: value})


def test_silent_defense_keeps_captured_pieces_with_their_owners_and_makes_notes_the_default() -> None:
    options = chosen(silent_defense="on")
    assert (options["captured_pieces"], options["memory"]) == ("secret", "notes")
    assert chosen(silent_defense="on", memory="strict")["memory"] == "strict"
    assert chosen(silent_defense="on", captured_pieces="secret") == options


@pytest.mark.parametrize("value", ["open", "prisoner", "stealth"])
def test_silent_defense_refuses_any_other_way_to_keep_captured_pieces(value: str) -> None:
    told = refused(silent_defense="on", captured_pieces=value)
    assert told.startswith(f"“silent_defense” cannot go with captured_pieces={value}, because")
    assert told.endswith("leave “captured_pieces” out or make it secret")


def test_silent_defense_refuses_assisted_memory() -> None:
    told = refused(silent_defense="on", memory="assisted")
    assert told.startswith("memory=assisted cannot go with captured_pieces=secret, because")


@pytest.mark.parametrize("value", ["prisoner", "secret", "stealth"])
@pytest.mark.parametrize("game_id", ["onyx/classic", "spin-master/standard"])
def test_hidden_captures_make_notes_the_default_and_refuse_assisted(value: str, game_id: str) -> None:
    assert chosen(game_id, captured_pieces=value)["memory"] == "notes"
    assert chosen(game_id, captured_pieces=value, memory="strict")["memory"] == "strict"
    told = refused(game_id, captured_pieces=value, memory="assisted")
    assert told.endswith("choose memory=notes or memory=strict")


@pytest.mark.parametrize("value", ["open", "prisoner", "secret", "stealth"])
def test_rescue_needs_pieces_that_their_owner_may_see(value: str) -> None:
    if value in ("open", "secret"):
        assert chosen(rescue="on", captured_pieces=value).is_on("rescue")
    else:
        told = refused(rescue="on", captured_pieces=value)
        assert told.startswith(f"“rescue” cannot go with captured_pieces={value}, because")
        assert told.endswith("make captured_pieces open or secret")


@pytest.mark.parametrize(
    ("option", "value", "main", "off"),
    [
        ("rescue_zone", "half", "rescue", {}),
        ("rescue_zone", "home_rows", "rescue", {}),
        ("rescue_on_strike", "on", "rescue", {"rescue": "off"}),
        ("two_square_counts_attacks", "on", "two_square_limit", {"two_square_limit": "off"}),
    ],
)
def test_a_sub_option_without_its_main_option_is_refused(
    option: str, value: str, main: str, off: dict[str, str]
) -> None:
    told = refused(**{option: value}, **off)
    assert told == f"“{option}” does nothing while “{main}” is off; switch that on or leave this out"


def test_a_sub_option_with_its_main_option_is_accepted() -> None:
    options = chosen(rescue="on", rescue_zone="half", rescue_on_strike="on")
    assert (options["rescue_zone"], options["rescue_on_strike"]) == ("half", "on")


def test_only_what_differs_from_the_defaults_is_changed() -> None:
    onyx = load_game("onyx/classic")
    assert resolve(onyx, {}).changed(onyx) == {}
    assert resolve(onyx, {"defender_advances": "on", "rescue": "on"}).changed(onyx) == {"rescue": "on"}
    assert resolve(onyx, {"defender_advances": "off"}).changed(onyx) == {"defender_advances": "off"}


def test_a_memory_that_the_box_would_change_again_is_said_too() -> None:
    text = SMALL.replace('rescue = "on"', 'captured_pieces = "secret"')
    game = load_text(text).games["full"]
    options = resolve(game, {"captured_pieces": "open", "memory": "notes"})
    assert options.changed(game) == {"captured_pieces": "open", "memory": "notes"}


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_what_was_changed_gives_the_same_options_again(data: st.DataObject) -> None:
    game = load_game(data.draw(st.sampled_from(game_ids())))
    picks = {
        info.name: data.draw(st.sampled_from([*info.values, *(["3"] if "number" in info.range else [])]))
        for info in concerning(game)
        if data.draw(st.booleans())
    }
    try:
        options = resolve(game, picks)
    except OptionError:
        return
    assert resolve(game, options.changed(game)) == options
    assert all(options[name] == value for name, value in picks.items())


def test_typed_pairs_are_taken_apart() -> None:
    assert parse_pairs(["rescue=on", " clock = 10m+5s "]) == {"rescue": "on", "clock": "10m+5s"}
    assert parse_pairs([]) == {}


@pytest.mark.parametrize("pair", ["rescue", "=on", "rescue=", ""])
def test_a_pair_that_is_none_is_refused(pair: str) -> None:
    with pytest.raises(OptionError, match=r"is not an option; write name=value, such as rescue=on"):
        parse_pairs([pair])


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(OptionError, match="“rescue” is given twice; give it once"):
        parse_pairs(["rescue=on", "rescue=off"])


BOW = """
[option.bow_range]
help = "where a bow can hit"
[option.bow_range.values]
lines = "A bow hits along lines."
square = "A bow hits anywhere near."

[power.bow]
name = "Bow"
verb = "strike"
text = "It shoots."
options = { reach = "bow_range" }
"""


def with_bow(text: str) -> str:
    """The small box, with a bow for its runner and an option of its own."""
    small = SMALL.replace('privileges = ["dash"]', 'privileges = ["dash", "bow"]')
    return small.replace('rescue = "on"', 'memory = "notes"') + text


def test_a_box_may_declare_an_option_of_its_own() -> None:
    game = load_text(with_bow(BOW)).games["full"]
    assert resolve(game, {})["bow_range"] == "lines"
    assert resolve(game, {"bow_range": "square"})["bow_range"] == "square"
    assert "A bow hits anywhere near." in rules_page(game, resolve(game, {"bow_range": "square"}))
    with pytest.raises(OptionError, match="choose lines, square"):
        resolve(game, {"bow_range": "far"})
    assert "bow_range" not in resolve(load_game("onyx/classic"), {})


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("option.bow_range", "option.Bow-Range", "cannot be the name of an option"),
        ("option.bow_range", "option.memory", "cannot be the name of an option"),
        (
            'lines = "A bow hits along lines."\nsquare = "A bow hits anywhere near."',
            "",
            "must give a sentence",
        ),
        ('help = "where a bow can hit"', "", "“help” is missing"),
        ('lines = "A', 'far = "A', "which can be far, square, but “reach” needs"),
    ],
)
def test_an_option_of_a_box_is_refused_if_it_is_wrong(old: str, new: str, told: str) -> None:
    with pytest.raises(EditionError, match=told):
        load_text(with_bow(BOW.replace(old, new)))


def test_a_program_may_register_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = {"off": "Pieces keep their hats on.", "on": "Pieces take their hats off."}
    option = Option("hats_off", "off", "whether pieces take their hats off", sentences=sentences)
    register_option(option)
    monkeypatch.setitem(OPTIONS, "hats_off", OPTIONS.pop("hats_off"))  # and taken away again after this test
    game = load_game("onyx/classic")
    assert resolve(game, {"hats_off": "on"})["hats_off"] == "on"
    assert "Pieces take their hats off." in rules_page(game, resolve(game, {"hats_off": "on"}))
    with pytest.raises(OptionError, match="already an option"):
        register_option(option)
    with pytest.raises(OptionError, match="needs a sentence for on"):
        register_option(replace(option, name="hats", sentences={"off": "…"}))
    with pytest.raises(OptionError, match="not the name of an option"):
        register_option(replace(option, name="Hats off"))
