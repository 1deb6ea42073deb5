"""Beginning a plain game: what the command line did not say is asked for; a saved game is taken up again."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom

from flagfall.edition import Game, game_ids, load_game, parse_pairs, resolve
from flagfall.errors import UserError, sentence
from flagfall.match import Annotations, Match, Seating, draw_lots, load
from flagfall.players import PLAYERS
from flagfall.players.levels import LEVELS, player_in_seat, seat_name
from flagfall.terminal.clock import Watch
from flagfall.terminal.console import Keyboard, Quit, Terminal
from flagfall.terminal.game import PlainGame
from flagfall.terminal.game_lookup import finder
from flagfall.terminal.thinking import Seats, in_this_process, where_it_is_strong

HUMAN = "human"


@dataclass
class Wishes:
    """What was said on the command line."""

    game: str = ""
    against: str = ""
    side: str = ""
    setups: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def play(wishes: Wishes, resume: Path | None, box: Path | None, seed: int | None) -> None:
    """Run a plain game at the keyboard."""
    terminal = Keyboard()
    rng = Random(seed) if seed is not None else SystemRandom()
    with _closing_is_leaving() as stay_calm:
        table = None
        try:
            table = _table(wishes, resume, box, terminal, rng)
            table.run()
        except (Quit, KeyboardInterrupt) as end:
            try:
                stay_calm()
            except Quit:
                stay_calm()
            with contextlib.suppress(Quit):
                if isinstance(end, KeyboardInterrupt):
                    terminal.say("")
            with contextlib.suppress(Quit):
                if table is None:
                    terminal.say("Good-bye.")
                else:
                    table.leave()


def _table(
    wishes: Wishes, resume: Path | None, box: Path | None, terminal: Terminal, rng: Random
) -> PlainGame:
    if resume is None:
        return new_table(wishes, terminal, rng, players=where_it_is_strong)
    if wishes != Wishes():
        raise UserError("A saved game goes on as it was begun; beside --resume only --box and --seed help.")
    return resumed(resume, terminal, rng, box, players=where_it_is_strong)


@contextlib.contextmanager
def _closing_is_leaving() -> Iterator[Callable[[], None]]:
    """A window that is closed counts as somebody who leaves; gives a way to save in peace after that."""

    names = [name for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}

    def stay_calm() -> None:
        for name in names:
            signal.signal(getattr(signal, name), signal.SIG_IGN)

    def leave(number: int, frame: object) -> None:
        stay_calm()
        raise Quit

    for name in names[:-1]:
        signal.signal(getattr(signal, name), leave)
    try:
        yield stay_calm
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def new_table(
    wishes: Wishes,
    terminal: Terminal,
    rng: Random,
    watch: Watch | None = None,
    players: Seats = in_this_process,
) -> PlainGame:
    """Ask for what was not said, and sit down."""
    game, box = _asked_game(wishes, terminal)
    options = resolve(game, parse_pairs(wishes.options))
    rival = _asked_rival(wishes, terminal)
    seating = _seating(wishes, game, rival, rng)
    persons = 2 if rival == HUMAN else 1
    if len(wishes.setups) > persons:
        raise UserError(f"There are {len(wishes.setups)} setups for {persons}; give one for each person.")
    watch = watch or Watch()
    match = Match.created(game, options, seating, watch.now_ms())
    match.remarks = Annotations(date=time.strftime("%Y-%m-%d"))
    return PlainGame(match, terminal, rng, setups=wishes.setups, box=box, watch=watch, players=players)


def resumed(
    file: Path,
    terminal: Terminal,
    rng: Random,
    box: Path | None = None,
    watch: Watch | None = None,
    players: Seats = in_this_process,
) -> PlainGame:
    """Go on with a saved game; a game of a box of one's own needs that box.

    Its clocks stood still meanwhile, except those that count days.
    """
    try:
        match = load(file.read_bytes(), finder(box))
    except ValueError as problem:
        why = sentence(problem).rstrip(".")
        raise UserError(
            f"{file} cannot be taken up again: {why}; give a file that save has written."
        ) from None
    if watch is None:
        runs_on = match.options.clock.style == "days"
        watch = Watch() if runs_on else Watch(match.put_away_ms or match.last.at_ms)
    return PlainGame(match, terminal, rng, file=file, box=box, watch=watch, players=players)


def _asked_game(wishes: Wishes, terminal: Terminal) -> tuple[Game, Path | None]:
    """The game, and the box of one's own that it comes from."""
    if wishes.game:
        return _loaded(wishes.game)
    ids = game_ids()
    terminal.say("Flagfall. Which game?")
    for number, name in enumerate(ids, start=1):
        game = load_game(name)
        newcomer = "   (new here? begin with this one)" if name == "spin-master/duel" else ""
        terminal.say(f"  {number}  {name}: {game.army_size(0)} pieces a side{newcomer}")
    while True:
        answer = terminal.ask("Number or id: ").strip()
        if answer.isascii() and answer.isdecimal() and 0 < int(answer[:9]) <= len(ids):
            return load_game(ids[int(answer) - 1]), None
        if not answer:
            terminal.say(f"Type a number from 1 to {len(ids)}, or the id of a game.")
            continue
        try:
            return _loaded(answer)
        except (LookupError, ValueError) as problem:
            terminal.say(sentence(problem))


def _loaded(address: str) -> tuple[Game, Path | None]:
    game = load_game(address)
    is_file = ".toml" in address
    return game, Path(address.rpartition(".toml")[0] + ".toml") if is_file else None


def _asked_rival(wishes: Wishes, terminal: Terminal) -> str:
    levels = [level.id for level in LEVELS]
    rivals = [HUMAN, *levels, *sorted(set(PLAYERS) - set(levels))]
    if wishes.against:
        if wishes.against not in rivals:
            raise UserError(f"“{wishes.against}” is nobody I know; play against {', '.join(rivals)}.")
        return wishes.against
    while True:
        answer = terminal.ask(f"Against whom? {', '.join(rivals)} [greedy]: ").strip().lower() or "greedy"
        if answer in rivals:
            return answer
        terminal.say(f"“{answer[:20]}” is nobody I know; type one of {', '.join(rivals)}.")


def _seating(wishes: Wishes, game: Game, rival: str, rng: Random) -> Seating:
    if wishes.side not in ("", "south", "north", "lot"):
        raise UserError(f"“{wishes.side}” is not a side; sides are south, north and lot.")
    one, other = _names(wishes.names, rival)
    try:
        if wishes.side == "lot" or (not wishes.side and game.sides == "lot"):
            return draw_lots(one, other, rng)
        return Seating(other, one) if wishes.side == "north" else Seating(one, other)
    except ValueError as problem:
        raise UserError(sentence(problem)) from None


def _names(wanted: list[str], rival: str) -> tuple[str, str]:
    usual = ["Player 1", "Player 2"] if rival == HUMAN else ["You"]
    if len(wanted) > len(usual):
        raise UserError(f"There are {len(wanted)} names for {len(usual)}; give one for each person.")
    for name in wanted:
        if player_in_seat(name):
            raise UserError(f"“{name}” is a computer's name; choose another one.")
    names = wanted + usual[len(wanted) :]
    return names[0], names[1] if rival == HUMAN else seat_name(rival)
