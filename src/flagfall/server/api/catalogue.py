"""The catalogue of games, so complete that clients draw and explain every game without knowing rules."""

from __future__ import annotations

from functools import cache

import msgspec

from flagfall.edition import (
    Edition,
    Game,
    Kind,
    all_editions,
    combat_table,
    concerning,
    piece_card,
    resolve,
    rules_page,
)
from flagfall.edition.clock import MAX_DAYS, MAX_MOVE_S, MAX_TOTAL_S
from flagfall.edition.option_table import Option
from flagfall.edition.options import Options
from flagfall.languages import cached_by_language, say
from flagfall.players.levels import LEVELS
from flagfall.server.api.messages.games import (
    ArmyInfo,
    BoardInfo,
    BoxInfo,
    Catalogue,
    Fight,
    GameInfo,
    GameLine,
    Hint,
    HomeRows,
    KindInfo,
    KindSide,
    LevelInfo,
    Limits,
    OptionLine,
    PowerInfo,
    RulesPage,
    StyleInfo,
)
from flagfall.server.api.requests import MAX_SAVED_SETUPS
from flagfall.server.names import MAX_NAME, MAX_NOTE, MAX_SETUP_NAME, MAX_TAG, MAX_TAGS
from flagfall.server.networks import PREFIX, networks_of
from flagfall.setups import style_names, style_text, style_title
from flagfall.setups.text import home_rows
from flagfall.sides import Side

TESTING_BOXES = frozenset({"mini"})
"""boxes for tests and lessons, not shown on the first page"""
FOR_NEWCOMERS = "spin-master/duel"
NETWORK_PACE_MS = 700
"""the minimum time of a network for a turn"""
LIMITS = Limits(
    max_name_length=MAX_NAME,
    max_setup_name_length=MAX_SETUP_NAME,
    max_note_length=MAX_NOTE,
    max_saved_setups=MAX_SAVED_SETUPS,
    max_tags=MAX_TAGS,
    max_tag_length=MAX_TAG,
    max_clock_s=MAX_TOTAL_S,
    max_move_clock_s=MAX_MOVE_S,
    max_move_clock_days=MAX_DAYS,
)


@cached_by_language(maxsize=None)
def catalogue() -> Catalogue:
    """Return every box with its games, and the computer players."""
    return Catalogue(tuple(box_info(edition) for edition in all_editions()), computer_levels(), LIMITS)


@cached_by_language(maxsize=128)
def game_info(game: Game) -> GameInfo:
    """Return everything about a game."""
    edition = game.edition
    return GameInfo(
        id=game.id,
        box=edition.id,
        box_name=edition.name,
        name=game.name,
        text=game.text,
        tagline=edition.tagline,
        story=edition.story,
        low_is_strong=edition.low_is_strong,
        has_powers=game.has_powers,
        sides=game.sides,
        board=board_info(game),
        armies=_armies(edition),
        kinds=tuple(_kind(game, index, kind) for index, kind in enumerate(game.kinds)),
        fights=tuple(
            Fight(row.side, row.attacker.id, _ids(row.beats), _ids(row.ties), _ids(row.loses_to))
            for row in combat_table(game)
        ),
        options=tuple(_option_line(option) for option in concerning(game)),
        styles=tuple(
            StyleInfo(name, style_text(game, name), style_title(name)) for name in style_names(game)
        ),
        hints=tuple(Hint(heading, text) for heading, text in game.all_hints().items()),
        words=dict(edition.words),
        levels=(*computer_levels(), *_networks(game)),
        limits=LIMITS,
        rules=rules_page(game, resolve(game, {})),
    )


def _option_line(option: Option) -> OptionLine:
    low, high = (1, option.max) if option.max else (None, None)
    return OptionLine(
        name=option.name,
        values=option.values,
        range=option.range,
        default=option.default,
        help=option.help,
        needs=option.needs,
        min=low,
        max=high,
        title=option.shown_title,
        labels=dict(option.labels),
        sentences=dict(option.sentences),
        number_sentence=option.number_sentence,
    )


def computer_levels() -> tuple[LevelInfo, ...]:
    """Return the computer players for people, weakest first; programs may name other players too."""
    return tuple(LevelInfo(level.id, level.name, level.character, level.pace_ms) for level in LEVELS)


def _networks(game: Game) -> tuple[LevelInfo, ...]:
    """Return the networks of a game, as opponents after the levels."""
    found = networks_of(game.id)
    name, text = say("levels.network.name"), say("levels.network.character")
    return tuple(
        LevelInfo(
            one.id,
            name if len(found) == 1 else f"{name} {one.id.removeprefix(PREFIX)}",
            text,
            NETWORK_PACE_MS,
        )
        for one in found
    )


@cache
def pace_ms(level: str) -> int:
    """Return the minimum time of a computer player for a turn; 0 for players that are not levels."""
    return next((known.pace_ms for known in LEVELS if known.id == level), 0)


def rules(game: Game, options: Options) -> RulesPage:
    """Return the rules page under these options."""
    return RulesPage(game.id, dict(options.items()), rules_page(game, options))


def box_info(edition: Edition) -> BoxInfo:
    """Return a box as the catalogue lists it."""
    return BoxInfo(
        id=edition.id,
        name=edition.name,
        tagline=edition.tagline,
        story=edition.story,
        is_small=edition.id in TESTING_BOXES,
        armies=_armies(edition),
        games=tuple(
            GameLine(
                id=game.id,
                name=game.name,
                text=game.text,
                columns=game.board.columns,
                rows=game.board.rows,
                pieces=game.army_size(0),
                has_powers=game.has_powers,
                is_for_newcomers=game.id == FOR_NEWCOMERS,
            )
            for game in edition.games.values()
        ),
    )


def _armies(edition: Edition) -> tuple[ArmyInfo, ArmyInfo]:
    south, north = (
        ArmyInfo(army.id, army.name, army.colour, army.text, Side.at(index))
        for index, army in enumerate(edition.armies)
    )
    return south, north


def board_info(game: Game) -> BoardInfo:
    """Return the board of a game."""
    board = game.board
    south, north = (tuple(tuple(board.names(row)) for row in home_rows(game, side)) for side in (0, 1))
    return BoardInfo(
        columns=board.columns,
        rows=board.rows,
        zones=tuple(board.names(sorted(board.zones))),
        zone_word=game.edition.words["zone"] if board.zones else "",
        home=HomeRows(south, north),
        fills_home=game.fills_home,
    )


def _kind(game: Game, index: int, kind: Kind) -> KindInfo:
    return KindInfo(
        id=kind.id,
        label=kind.label,
        code=kind.code,
        rank=kind.rank,
        role=kind.role,
        is_mobile=kind.is_mobile,
        text=kind.text,
        south=_kind_side(game, index, kind, 0),
        north=_kind_side(game, index, kind, 1),
        powers=msgspec.convert(game.abilities(kind), tuple[PowerInfo, ...], from_attributes=True),
    )


def _kind_side(game: Game, index: int, kind: Kind, side: int) -> KindSide:
    army, count = game.armies[side].id, game.rosters[side][index]
    name = kind.names.get(army) or next(iter(kind.names.values()), kind.id)
    return KindSide(name, count, kind.picture(army), piece_card(game, kind.id, side) if count else "")


def _ids(kinds: tuple[Kind, ...]) -> tuple[str, ...]:
    return tuple(kind.id for kind in kinds)
