"""The game in a terminal, as lines of text: against the computer, or two people at one keyboard."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from flagfall.errors import sentence
from flagfall.files import free_name, write_new, write_with_fallback
from flagfall.languages import say
from flagfall.match import Match, save, to_record, write_note
from flagfall.match.texts import reason_words
from flagfall.notation import write_record
from flagfall.players import Player
from flagfall.players.levels import player_in_seat
from flagfall.setups import Setup, read_setup, style_names, styled_setup
from flagfall.sides import SIDES, Side
from flagfall.terminal import commands
from flagfall.terminal.advice import Adviser
from flagfall.terminal.console import Quit, Terminal
from flagfall.terminal.setup_editor import SetupEditor
from flagfall.terminal.thinking import PlayerFactory, in_this_process


def system_ms() -> int:
    """Return the system time in milliseconds."""
    return time.time_ns() // 1_000_000


class GameClock:
    """A clock that can be set, so that a resumed game continues at the moment it was saved.

    >>> GameClock(5_000, system=lambda: 1_700_000_000_000).now_ms()
    5000
    """

    def __init__(self, at_ms: int | None = None, system: Callable[[], int] = system_ms) -> None:
        self._system = system
        self._ahead_ms = 0 if at_ms is None else at_ms - system()

    def now_ms(self) -> int:
        """Return its time in milliseconds."""
        return self._system() + self._ahead_ms


class TerminalGame:
    """One match at one terminal."""

    def __init__(
        self,
        match: Match,
        terminal: Terminal,
        rng: Random,
        *,
        clock: GameClock,
        setups: list[str] | None = None,
        file: Path | None = None,
        box: Path | None = None,
        players: PlayerFactory = in_this_process,
    ) -> None:
        self.match, self.terminal, self.rng, self.clock = match, terminal, rng, clock
        self.file, self.box = file, box
        self.wanted_setups = list(setups or [])
        self.computers: dict[Side, Player] = {}
        for side in SIDES:
            # games saved by 0.1.0 have the computer player in the name of its seat only
            if player := match.computers.get(side) or player_in_seat(match.seating.name(side)):
                self.computers[side] = players(player, match.game, match.options, rng, terminal)
        self.adviser = Adviser(match)
        self.at_keyboard: Side | None = None
        self._heard: dict[Side, int | None] = dict.fromkeys(SIDES)
        """the first log number each player has not been told about; None if unknown"""
        self._acts = 0

    # ------------------------------------------------------------------ the course of a game

    def run(self) -> None:
        """Play from the setups to the end."""
        self._greet()
        for side in SIDES:
            if side not in self.match.sealed and not self.match.is_over:
                self._set_up(side)
        while not self.match.is_over:
            self.match.check_time(self.clock.now_ms())
            mover = self.match.to_move
            if mover in self.computers:
                self._computer_acts(mover)
            elif mover is not None:
                self._person_acts(mover)
        self._farewell()

    def _greet(self) -> None:
        game, seating = self.match.game, self.match.seating
        title = say("rules.title", box=game.edition.name, game=game.name)
        self.terminal.say(f"{title}. {game.text}")
        how = "random" if seating.is_random else "chosen"
        for index, side in enumerate(SIDES):
            army, name = game.armies[index].name, seating.shown_name(side)
            self.terminal.say(say(f"terminal.seat.{how}.{side}", name=name, army=army, side=side.title))

    def _set_up(self, side: Side) -> None:
        index = int(side)
        if side in self.computers:
            setup = self.computers[side].set_up(index)
        elif self.wanted_setups:
            setup = self._wanted_setup(index, self.wanted_setups.pop(0))
        else:
            self._sit_down(side)
            setup = SetupEditor(self.match.game, index, self.rng, self.terminal).run(
                say("terminal.setup-line", name=self._name(side)) + "> "
            )
        self.match.seal(side, setup, self.clock.now_ms())
        self._heard = dict.fromkeys(SIDES, self.match.number)

    def _wanted_setup(self, index: int, wanted: str) -> Setup:
        game = self.match.game
        if wanted in style_names(game):
            return styled_setup(game, index, wanted, self.rng)
        return read_setup(game, index, wanted)

    def _sit_down(self, side: Side) -> None:
        """Hide the screen when the other person takes the keyboard."""
        if not self.computers and self.at_keyboard != side:
            self.terminal.curtain(self._name(side), self._name(self.at_keyboard) if self.at_keyboard else "")
        self.at_keyboard = side

    def _name(self, side: Side) -> str:
        return f"{self.match.seating.shown_name(side)} ({side.title})"

    def _computer_acts(self, side: Side) -> None:
        if self.match.offer not in (None, side):
            self.match.answer_draw(side, False, self.clock.now_ms())
        action = self.computers[side].choose(self.match.view(side, forgets=False), self.match.history(side))
        self.match.act(side, None, action, self.clock.now_ms())

    def _person_acts(self, side: Side) -> None:
        """Let a person type commands until one action has been played."""
        self._sit_down(side)
        self._tell_news(side)
        self.terminal.say(commands.board(self.match.game, self.match.view(side)))
        if self.match.clocks.clock.style != "none":
            self.terminal.say(commands.clock(self.match.clocks, self.clock.now_ms()))
        if self.match.offer not in (None, side):
            self.terminal.say(say("terminal.draw.offered"))
        before = self._acts
        while not self.match.is_over and self._acts == before:
            line = self.terminal.ask(f"{self._name(side)}> ")
            if self.match.check_time(self.clock.now_ms()) is None:
                self._execute(side, line)

    def _tell_news(self, side: Side) -> None:
        """Tell a player what happened since they were last told."""
        since = self._heard[side]
        if since is None:
            self.terminal.say(commands.last(self.match.game, self.match.view(side)))
        else:
            for message in self.match.messages(side, since):
                self.terminal.say(message.text)
        self._heard[side] = self.match.number

    # ------------------------------------------------------------------ one line of input

    def _execute(self, side: Side, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        answer = self._answers(side, rest.strip()).get(word.lower())
        try:
            if not word:
                self.terminal.say(say("terminal.empty-line"))
            elif answer is not None:
                answer()
            else:
                self._act(side, line)
        except (ValueError, OSError) as error:
            self.terminal.say(sentence(error))

    def _answers(self, side: Side, rest: str) -> dict[str, Callable[[], object]]:
        match, game, options = self.match, self.match.game, self.match.options
        view, notes, show = match.view(side), match.notes.of(side), self.terminal.say
        return {
            "help": lambda: show(commands.help_text(game, options)),
            "?": lambda: show(commands.help_text(game, options)),
            "board": lambda: show(commands.board(game, view)),
            "who": lambda: show(commands.who(game, options, view, notes, rest)),
            "tray": lambda: show(commands.tray(game, view)),
            "last": lambda: show(commands.last(game, view)),
            "explain": lambda: show(self.adviser.answer(side, rest)),
            "legal": lambda: show(commands.legal(game, view, rest)),
            "opponent": lambda: show(commands.opponent(game, view)),
            "piece": lambda: show(commands.card(game, rest, int(side))),
            "rules": lambda: show(commands.rules(game, options, rest)),
            "options": lambda: show(commands.options_text(options)),
            "clock": lambda: show(commands.clock(match.clocks, self.clock.now_ms())),
            "note": lambda: self._note(side, rest),
            "notes": lambda: show(commands.notes_text(view, notes)),
            "save": lambda: self._save(rest),
            "quit": self._quit,
            "exit": self._quit,
            "draw": lambda: self._offer_draw(side),
            "accept": lambda: match.answer_draw(side, True, self.clock.now_ms()),
            "decline": lambda: self._decline(side),
            "resign": lambda: self._resign(side),
        }

    def _act(self, side: Side, line: str) -> None:
        self.match.act(side, None, line, self.clock.now_ms())
        self._acts += 1
        self._tell_news(side)

    def _note(self, side: Side, rest: str) -> None:
        name, _, text = rest.partition(" ")
        piece = write_note(
            self.match, side, commands.square(self.match.game, name, "note d6 spy?"), text.strip()
        )
        self.terminal.say(f"{piece.cell}: {text.strip() or say('terminal.note.removed')}")

    def _offer_draw(self, side: Side) -> None:
        self.match.offer_draw(side, self.clock.now_ms())
        self._heard[side] = self.match.number
        self.terminal.say(say("terminal.draw.offer"))

    def _decline(self, side: Side) -> None:
        self.match.answer_draw(side, False, self.clock.now_ms())
        self._tell_news(side)

    def _resign(self, side: Side) -> None:
        yes = ("yes", say("terminal.resign.yes"))
        if self.terminal.ask(say("terminal.resign.really") + " ").strip().lower() in yes:
            self.match.resign(side, self.clock.now_ms())
        else:
            self.terminal.say(say("terminal.resign.no"))

    def _quit(self) -> None:
        raise Quit

    # ------------------------------------------------------------------ saving and leaving

    def _save(self, name: str) -> None:
        data = save(self.match, self.clock.now_ms())
        if name:
            self.file = write_new(name, data, self.file)
        else:
            self.file = write_with_fallback(
                self.file or free_name(self.match.game.id, "saved", ".json"), data
            )
        self.terminal.say(say("terminal.saved", file=self._shell(self.file)))

    def _shell(self, file: Path) -> str:
        """Return a file as a shell argument, with the box that its game needs."""
        return shlex.quote(str(file)) + (f" --box {shlex.quote(str(self.box))}" if self.box else "")

    def leave(self) -> None:
        """Save the game when a person leaves."""
        if self.match.is_over:
            return
        if any(side not in self.computers for side in self.match.sealed):
            self._save("")
        else:
            self.terminal.say(say("terminal.nothing-to-save"))

    def _farewell(self) -> None:
        result = self.match.result
        if result is None:
            return
        for side in SIDES:
            if self.computers and side not in self.computers:
                self._tell_news(side)
        why = reason_words(result.reason)
        if result.side:
            self.terminal.say(say("terminal.end.wins", name=self._name(result.side), why=why))
        else:
            self.terminal.say(say("terminal.end.draw", why=why))
        if not self.match.is_open:
            return
        self.terminal.say(commands.board(self.match.game, self.match.view("truth")))
        record = write_record(to_record(self.match))
        try:
            file = write_with_fallback(free_name(self.match.game.id, "games", ".txt"), record.encode())
        except OSError as error:
            self.terminal.say(f"{say('terminal.record.not-written', problem=sentence(error))}\n{record}")
            return
        self.terminal.say(say("terminal.record.written", file=file, shell=self._shell(file)))
