"""Start or resume a terminal game; ask for what the command line did not say."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random, SystemRandom

from flagfall.analysis.redeal import moment_of, redealt
from flagfall.edition import Game, game_ids, load_game, parse_pairs, resolve
from flagfall.edition.load import game_finder
from flagfall.errors import UserError, sentence
from flagfall.languages import choose_language, say, use_language
from flagfall.match import Annotations, Continued, Match, Seating, from_record, load, seat_at_random
from flagfall.notation import Record
from flagfall.players import BUILT_IN
from flagfall.players.levels import LEVELS, player_in_seat, seat_name
from flagfall.players.registry import player_names
from flagfall.sides import SIDES, Side
from flagfall.terminal.console import Keyboard, Quit, Terminal
from flagfall.terminal.game import GameClock, TerminalGame
from flagfall.terminal.thinking import PlayerFactory, in_best_process, in_this_process

HUMAN = "human"
FRIEND_WORDS = ("friend", "a friend")


@dataclass
class StartOptions:
    """What was said on the command line."""

    game: str = ""
    against: str = ""
    side: str = ""
    setups: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class RecordedMoment:
    """Where a recorded game is to go on."""

    record: Record
    turn: int | None = None
    """how many turns have been played; None: all of them"""
    deal: str = "belief"
    """belief: what was hidden from your side is dealt anew; true: both armies as they were"""


def play(
    given: StartOptions,
    resume: Path | None,
    box: Path | None,
    seed: int | None,
    moment: RecordedMoment | None = None,
    language: str = "",
) -> None:
    """Run a game at the keyboard, by default in the language of the environment."""
    terminal = Keyboard()
    rng = Random(seed) if seed is not None else SystemRandom()
    chosen = language or language_of_environment(os.environ)
    with use_language(chosen), _closing_is_leaving() as ignore_signals:
        table = None
        try:
            table = _table(given, resume, box, terminal, rng, moment)
            table.run()
        except (Quit, KeyboardInterrupt) as end:
            try:
                ignore_signals()
            except Quit:
                ignore_signals()
            with contextlib.suppress(Quit):
                if isinstance(end, KeyboardInterrupt):
                    terminal.say("")
            with contextlib.suppress(Quit):
                if table is None:
                    terminal.say(say("terminal.goodbye"))
                else:
                    table.leave()


def language_of_environment(environment: Mapping[str, str]) -> str:
    """Return the language of a terminal, as POSIX says it.

    >>> language_of_environment({"LANG": "de_CH.UTF-8"})
    'de'
    >>> language_of_environment({"LC_ALL": "C", "LANG": "fr"})
    'en'
    """
    wanted = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, wanted), "")
    return choose_language(locale.partition(".")[0].partition("@")[0].replace("_", "-"))


def _table(
    given: StartOptions,
    resume: Path | None,
    box: Path | None,
    terminal: Terminal,
    rng: Random,
    moment: RecordedMoment | None,
) -> TerminalGame:
    if moment is not None:
        if resume is not None:
            raise UserError("Give either --resume or --from, not both.")
        return continue_game(given, moment, terminal, rng, box, players=in_best_process)
    if resume is None:
        return new_game(given, terminal, rng, players=in_best_process)
    if given != StartOptions():
        raise UserError("A saved game keeps its settings; with --resume give only --box and --seed.")
    return resume_game(resume, terminal, rng, box, players=in_best_process)


@contextlib.contextmanager
def _closing_is_leaving() -> Iterator[Callable[[], None]]:
    """Treat a closed window or SIGTERM as leaving; yield a function that ignores further signals."""

    names = [name for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}

    def ignore_signals() -> None:
        for name in names:
            signal.signal(getattr(signal, name), signal.SIG_IGN)

    def leave(number: int, frame: object) -> None:
        ignore_signals()
        raise Quit

    for name in names[:-1]:
        signal.signal(getattr(signal, name), leave)
    try:
        yield ignore_signals
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def new_game(
    given: StartOptions,
    terminal: Terminal,
    rng: Random,
    clock: GameClock | None = None,
    players: PlayerFactory = in_this_process,
) -> TerminalGame:
    """Ask for what was not given, and make the game."""
    game, box = _asked_game(given, terminal)
    options = resolve(game, parse_pairs(given.options))
    rival = _asked_rival(given, terminal)
    seating = _seating(given, game, rival, rng)
    persons = 2 if rival == HUMAN else 1
    if len(given.setups) > persons:
        raise UserError(f"{len(given.setups)} setups were given for {persons}; give one for each person.")
    clock = clock or GameClock()
    match = Match.created(game, options, seating, clock.now_ms())
    match.annotations = Annotations(date=time.strftime("%Y-%m-%d"))
    match.computers = {side: rival for side in SIDES if seating.name(side) == seat_name(rival)}
    return TerminalGame(match, terminal, rng, setups=given.setups, box=box, clock=clock, players=players)


def continue_game(
    given: StartOptions,
    moment: RecordedMoment,
    terminal: Terminal,
    rng: Random,
    box: Path | None = None,
    clock: GameClock | None = None,
    players: PlayerFactory = in_this_process,
) -> TerminalGame:
    """Play on from a moment of a recorded game against a computer player, without a clock."""
    if given.game or given.setups or given.options:
        raise UserError("The record says which game is played; with --from give no game, setup or option.")
    if moment.deal not in ("belief", "true"):
        raise UserError(f"“{moment.deal}” is not a way to deal; choose belief or true.")
    side = Side(given.side) if given.side in SIDES else Side.SOUTH
    if given.side not in ("", *SIDES):
        raise UserError(f"“{given.side}” is not a side; with --from give south or north.")
    rival = _asked_rival(given, terminal)
    if rival == HUMAN and moment.deal == "belief":
        raise UserError("Two people play on with the true armies; add --deal true.")
    game, turn = game_finder(box)(moment.record.game), moment.turn
    turn = len(moment.record.turns) if turn is None else turn
    one, other = _names(given.names, rival)
    options = resolve(game, dict(moment.record.options) | {"clock": "none"}).changed(game)
    clock = clock or GameClock()
    try:
        record = replace(moment_of(moment.record, turn), options=options, comments=(), is_training=False)
        record = replace(record, players=(one, other) if side == Side.SOUTH else (other, one))
        if moment.deal == "belief":
            record = redealt(record, game, side, rng)
        dealt = side.other if moment.deal == "belief" else None
        continued = Continued(turn=turn, dealt=dealt)
        match = from_record(record, clock.now_ms(), game_finder(box), continued=continued)
    except ValueError as error:
        raise UserError(sentence(error)) from None
    if match.is_over:
        raise UserError(f"The game is over after turn {turn}; choose an earlier one with --turn.")
    match.annotations = Annotations(date=time.strftime("%Y-%m-%d"))
    match.computers = {} if rival == HUMAN else {side.other: rival}
    terminal.say(continued.sentence())
    return TerminalGame(match, terminal, rng, box=box, clock=clock, players=players)


def resume_game(
    file: Path,
    terminal: Terminal,
    rng: Random,
    box: Path | None = None,
    clock: GameClock | None = None,
    players: PlayerFactory = in_this_process,
) -> TerminalGame:
    """Resume a saved game; a game of a custom box needs the file of that box.

    Its clocks did not run meanwhile, except those that count days.
    """
    try:
        match = load(file.read_bytes(), game_finder(box))
    except ValueError as error:
        why = sentence(error).rstrip(".")
        raise UserError(f"{file} cannot be resumed: {why}; give a file written by save.") from None
    for name in match.computers.values():
        if name not in player_names():  # a file may not name a module to import
            raise UserError(f"{file} cannot be resumed: “{name}” is not a computer player here.")
    if clock is None:
        runs_on = match.options.clock.style == "days"
        clock = GameClock() if runs_on else GameClock(match.put_away_ms or match.last.at_ms)
    return TerminalGame(match, terminal, rng, file=file, box=box, clock=clock, players=players)


def _asked_game(given: StartOptions, terminal: Terminal) -> tuple[Game, Path | None]:
    """Return the game, and the file of its box if it is a custom one."""
    if given.game:
        return _loaded(given.game)
    ids = game_ids()
    terminal.say(say("terminal.start.which-game"))
    for number, name in enumerate(ids, start=1):
        game = load_game(name)
        about = say("terminal.start.pieces", number=game.army_size(0))
        newcomer = f"   ({say('terminal.start.newcomer')})" if name == "spin-master/duel" else ""
        terminal.say(f"  {number}  {name}: {about}{newcomer}")
    while True:
        answer = terminal.ask(say("terminal.start.number-or-id") + " ").strip()
        if answer.isascii() and answer.isdecimal() and 0 < int(answer[:9]) <= len(ids):
            return load_game(ids[int(answer) - 1]), None
        if not answer:
            terminal.say(say("terminal.start.type-game", number=len(ids)))
            continue
        try:
            return _loaded(answer)
        except (LookupError, ValueError) as error:
            terminal.say(sentence(error))


def _loaded(address: str) -> tuple[Game, Path | None]:
    game = load_game(address)
    is_file = ".toml" in address
    return game, Path(address.rpartition(".toml")[0] + ".toml") if is_file else None


def _asked_rival(given: StartOptions, terminal: Terminal) -> str:
    levels = [level.id for level in LEVELS]
    rivals = [HUMAN, *levels, *sorted(set(BUILT_IN) - set(levels))]
    if given.against:
        if given.against not in rivals:
            raise UserError(f"“{given.against}” is not an opponent; choose {', '.join(rivals)}.")
        return given.against
    menu = [*levels, HUMAN]
    terminal.say(say("terminal.start.who"))
    for number, level in enumerate(LEVELS, start=1):
        line = say("table.option", title=level.name, small=level.character)
        terminal.say(f"  {number}  {line}")
    terminal.say(f"  {len(menu)}  {say('terminal.start.friend')}")
    while True:
        answer = terminal.ask(say("terminal.start.number-or-name") + " ").strip().lower() or "1"
        if answer in (*FRIEND_WORDS, say("terminal.start.friend-word")):
            return HUMAN
        if answer.isascii() and answer.isdecimal() and 0 < int(answer[:9]) <= len(menu):
            return menu[int(answer) - 1]
        if answer in rivals:
            return answer
        names = ", ".join(rivals)
        terminal.say(say("terminal.start.no-opponent", name=answer[:20], number=len(menu), names=names))


def _seating(given: StartOptions, game: Game, rival: str, rng: Random) -> Seating:
    if given.side not in ("", "south", "north", "random", "lot"):
        raise UserError(f"“{given.side}” is not a side; sides are south, north and random.")
    one, other = _names(given.names, rival)
    try:
        if given.side in ("random", "lot") or (not given.side and game.sides == "lot"):
            return seat_at_random(one, other, rng)
        return Seating(other, one) if given.side == "north" else Seating(one, other)
    except ValueError as error:
        raise UserError(sentence(error)) from None


def _names(wanted: list[str], rival: str) -> tuple[str, str]:
    if rival == HUMAN:
        usual = [say("terminal.start.player", number=number) for number in (1, 2)]
    else:
        usual = [say("terminal.start.you")]
    if len(wanted) > len(usual):
        raise UserError(f"{len(wanted)} names were given for {len(usual)}; give one for each person.")
    for name in wanted:
        if player_in_seat(name):
            raise UserError(f"“{name}” is the name of a computer player; choose another one.")
    names = wanted + usual[len(wanted) :]
    return names[0], names[1] if rival == HUMAN else seat_name(rival)
