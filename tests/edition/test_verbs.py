"""The verb table is complete: every place that needs code for a verb or a primitive has it."""

import re
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from flagfall.board import parse_cell
from flagfall.edition import Game, load_game, resolve
from flagfall.edition.compile import FLAG_BITS, compile_game
from flagfall.edition.power_texts import FACTS
from flagfall.edition.verbs import PRIMITIVES, VERB_BY_CODE, VERBS, Parameter, Primitive, Verb, verbs_of
from flagfall.engine import action as A
from flagfall.engine import play
from flagfall.engine.action import VERB_NAMES, Action
from flagfall.languages.messages import has_message
from flagfall.match.explanations import REASONS
from flagfall.match.previews import PREVIEWS
from flagfall.notation import describe_action, describe_steps, read_turn, write_action
from flagfall.notation.actions import WRITERS
from flagfall.notation.describe import EVENT_TEXTS, EVENT_WRITERS
from flagfall.notation.errors import NotationError
from flagfall.players.search import move_ordering
from flagfall.sides import Side
from flagfall.view.knowledge import CONCLUSIONS, NO_CONCLUSION
from flagfall.view.view import View

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "src" / "flagfall" / "engine"
VERBS_TS = ROOT / "web" / "src" / "play" / "verbs.ts"
GUIDES = {
    "docs/notation.md": (ROOT / "docs" / "notation.md").read_text(encoding="utf-8"),
    "docs/make-your-own-box.md": (ROOT / "docs" / "make-your-own-box.md").read_text(encoding="utf-8"),
}
POWERS_PAGE = (ROOT / "docs" / "powers.md").read_text(encoding="utf-8")


def named_in_engine() -> set[int]:
    """The codes of verbs that the engine's own modules name."""
    sources = [file.read_text(encoding="utf-8") for file in ENGINE.rglob("*.py") if file.name != "action.py"]
    names = {name for source in sources for name in re.findall(r"action\.([A-Z_]+)", source)}
    return {getattr(A, name) for name in names if isinstance(getattr(A, name, None), int)}


def read_back(game: Game, verb: Verb) -> bool:
    """Whether the example of a verb is read as that verb, and written again as it was."""
    try:
        actions = read_turn(game, verb.example)
    except NotationError:
        return False
    return actions[0].verb == verb.code and verb.example.startswith(write_action(game, actions[0]))


def is_ordered(verb: Verb) -> bool:
    """Whether the search takes a verb for what the table says it is."""
    act, primitive = verb.code << 24, PRIMITIVES.get(verb.primitive)
    is_ranged = verb.is_aimed and primitive is not None and primitive.has_outcomes
    is_area = verb.form == "after step" and primitive is not None
    return (move_ordering.is_ranged(act), move_ordering.is_area_attack(act)) == (is_ranged, is_area)


def web_verbs() -> set[str]:
    """The verbs that the web client knows."""
    table = re.search(r"VERBS[^=]*= \{\n(.*?)\n\};", VERBS_TS.read_text(encoding="utf-8"), re.DOTALL)
    assert table
    return set(re.findall(r'^  "?([\w -]+)"?:', table[1], re.MULTILINE))


def missing(verbs: Iterable[Verb], primitives: Mapping[str, Primitive]) -> dict[str, list[str]]:
    """Every place that misses a verb or a primitive of the table: place → names."""
    game = load_game("onyx/classic")
    events = {name for verb in verbs for name in verb.events}
    events |= {name_of(verb) for verb in verbs if verb.is_event}
    found: dict[str, list[str]] = {
        "engine/action.py, VERB_NAMES": [name_of(verb) for verb in verbs if verb.code >= len(VERB_NAMES)],
        "engine/powers.py": [
            name_of(verb)
            for verb in verbs
            if verb.code not in named_in_engine() and verb.primitive != "area"  # it is found by its rows
        ],
        "engine/verbs/": [
            name for name in primitives if not find_spec(f"flagfall.engine.verbs.{name.replace('-', '_')}")
        ],
        "edition/compile.py, FLAG_BITS": [
            name for name, primitive in primitives.items() if primitive.has_row == (name in FLAG_BITS)
        ],
        "edition/power_texts.py, FACTS": [
            name
            for name, primitive in primitives.items()
            if (primitive.section == "powers") != (name in FACTS)
        ],
        "notation/actions.py, WRITERS": [name_of(verb) for verb in verbs if verb.form not in WRITERS],
        "notation/reading.py": [name_of(verb) for verb in verbs if not read_back(game, verb)],
        "languages/data/en/actions.toml": [
            name_of(verb)
            for verb in verbs
            if not (
                has_message(f"actions.offer.{key_of(verb)}") and has_message(f"actions.step.{key_of(verb)}")
            )
        ],
        "notation/describe.py, EVENT_TEXTS": sorted(
            what
            for what in events
            if what not in EVENT_WRITERS and not has_message(EVENT_TEXTS.get(what, ""))
        ),
        "view/knowledge.py, CONCLUSIONS or NO_CONCLUSION": sorted(events - {*CONCLUSIONS, *NO_CONCLUSION}),
        "match/explanations.py, REASONS": [name_of(verb) for verb in verbs if verb.code not in REASONS],
        "match/previews.py, PREVIEWS": [name_of(verb) for verb in verbs if verb.shape not in PREVIEWS],
        "players/search/move_ordering.py": [name_of(verb) for verb in verbs if not is_ordered(verb)],
        "web/src/play/verbs.ts, VERBS": sorted({name_of(verb) for verb in verbs} ^ web_verbs()),
        "docs/notation.md": [
            name_of(verb) for verb in verbs if verb.example.split()[0] not in GUIDES["docs/notation.md"]
        ],
        "docs/make-your-own-box.md": [
            name for name in primitives if f"### {name}\n" not in GUIDES["docs/make-your-own-box.md"]
        ],
    }
    return {place: names for place, names in found.items() if names}


def name_of(verb: Verb) -> str:
    return verb.name if verb.code < len(VERB_NAMES) else verb.token


def key_of(verb: Verb) -> str:
    return name_of(verb).replace(" ", "-")


def test_every_place_knows_every_verb() -> None:
    assert missing(VERBS, PRIMITIVES) == {}
    assert sorted(VERB_BY_CODE) == list(range(1, len(VERB_NAMES)))


def test_a_new_verb_is_missed_in_every_place_that_the_guide_names() -> None:
    """Only the table itself is changed here; docs/powers.md lists what a new power needs."""
    freeze = Primitive("freeze", "an enemy cannot move", {"turns": Parameter(1, "how long")}, has_row=True)
    verb = Verb(
        len(VERB_NAMES),
        "aim",
        "freeze",
        "z9 freeze z8",
        events=("frozen",),
        primitive="freeze",
    )
    places = missing((*VERBS, verb), {**PRIMITIVES, "freeze": freeze})
    guide = re.findall(r"^\d+\. `([^`]+)`", POWERS_PAGE.split("## How to add a power")[1], re.MULTILINE)
    needed = [place for place in guide if place != "edition/verbs.py"]
    automatic = {
        "notation/actions.py, WRITERS": "only for a new form",
        "edition/compile.py, FLAG_BITS": "only for a primitive without a row",
        "players/search/move_ordering.py": "only for a primitive with outcomes of its own",
    }
    assert set(needed) == set(places) | set(automatic)
    assert not set(places) & set(automatic)


def test_primitives_and_verbs_fit() -> None:
    assert {verb.primitive for verb in VERBS if verb.primitive} <= set(PRIMITIVES)
    for name, primitive in PRIMITIVES.items():
        assert not primitive.has_row or verbs_of(name)
        assert primitive.typed or name in ("run", "spot", "bearer") or verbs_of(name)
    tokens = [verb.token for verb in VERBS if verb.token]
    assert len(tokens) == len(set(tokens))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_verb_can_be_described(verb: Verb) -> None:
    game = load_game("onyx/classic")
    view = View(game.id, "south", 0, Side.SOUTH, pieces=(), tray=(), last_turn=())
    act = Action(verb.code, parse_cell("d4"), parse_cell("d5"), 0)
    for text in (describe_action(game, act, view), *describe_steps(game, 0, [act])):
        assert text
        assert "{" not in text
        assert text[0].isupper()


@pytest.mark.parametrize("verb", ["done", "choose kind", "choose square"])
def test_the_engine_refuses_an_answer_that_nothing_asks_for(verb: str) -> None:
    game = load_game("lotr/special-powers")
    tables = compile_game(game, resolve(game, {}))
    state, _ = play.deal(tables, {parse_cell("d4"): game.kind_index("gimli")}, {parse_cell("d8"): 0})
    act = Action(VERB_NAMES.index(verb), parse_cell("d4"), parse_cell("d5")).pack()
    with pytest.raises(ValueError, match="no power begins a turn with this verb"):
        play.play(tables, state, act)
