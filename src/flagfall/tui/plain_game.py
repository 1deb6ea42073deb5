"""The plain game: two at one keyboard with a curtain, or one against the computer. Lines of text only."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom

from platformdirs import user_data_path

from flagfall.edition import Game, Options, game_ids, load_game, parse_pairs, resolve
from flagfall.match import Match, Refusal, Seating, draw_lots, load, save, to_record
from flagfall.notation import write_record
from flagfall.players import PLAYERS, Player, make_player
from flagfall.setups import Setup, SetupError, read_setup, style_names, styled_setup
from flagfall.tui import plain_commands as commands
from flagfall.tui.boxes import finder
from flagfall.tui.plain_setup import SetupDesk
from flagfall.tui.terminal import Keyboard, Quit, Terminal
from flagfall.view.view import Side

HUMAN = "human"
SIDES: tuple[Side, Side] = ("south", "north")


@dataclass
class Wishes:
    """What was said on the command line."""

    game: str = ""
    against: str = ""
    side: str = ""
    setups: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)


def play(
    game: str,
    against: str,
    side: str,
    setups: list[str],
    resume: Path | None,
    box: Path | None,
    seed: int | None,
    options: list[str],
) -> None:
    """Run a plain game at the keyboard."""
    terminal = Keyboard()
    rng = Random(seed) if seed is not None else SystemRandom()
    try:
        if resume is not None:
            table = resumed(resume, terminal, rng, box)
        else:
            table = new_table(Wishes(game, against, side, setups, options), terminal, rng)
    except (Quit, KeyboardInterrupt):
        terminal.say("Good-bye.")
        return
    try:
        table.run()
    except (Quit, KeyboardInterrupt):
        table.leave()


def new_table(wishes: Wishes, terminal: Terminal, rng: Random) -> PlainGame:
    """Ask for what was not said, and sit down."""
    game = _asked_game(wishes, terminal)
    options = resolve(game, parse_pairs(wishes.options))
    rival = _asked_rival(wishes, terminal, game, options)
    seating = _seating(wishes, game, rival, rng)
    match = Match.created(game, options, seating, _now_ms())
    return PlainGame(match, terminal, rng, wishes.setups)


def resumed(file: Path, terminal: Terminal, rng: Random, box: Path | None = None) -> PlainGame:
    """Go on with a saved game; a game of a box of one's own needs that box."""
    return PlainGame(load(file.read_bytes(), finder(box)), terminal, rng, [], file=file)


def _asked_game(wishes: Wishes, terminal: Terminal) -> Game:
    if wishes.game:
        return load_game(wishes.game)
    ids = game_ids()
    terminal.say("Flagfall. Which game?")
    for number, name in enumerate(ids, start=1):
        game = load_game(name)
        newcomer = "   (new here? begin with this one)" if name == "spin-master/duel" else ""
        terminal.say(f"  {number}  {name}: {game.army_size(0)} pieces a side{newcomer}")
    while True:
        answer = terminal.ask("Number or id: ").strip()
        try:
            if answer.isdecimal() and 1 <= int(answer) <= len(ids):
                return load_game(ids[int(answer) - 1])
            return load_game(answer)
        except (LookupError, ValueError) as problem:
            terminal.say(str(problem.args[0]))


def _asked_rival(wishes: Wishes, terminal: Terminal, game: Game, options: Options) -> str:
    rivals = [HUMAN, *sorted(PLAYERS)]
    if wishes.against:
        if wishes.against != HUMAN:
            make_player(wishes.against, game, options, Random(0))
        return wishes.against
    while True:
        answer = terminal.ask(f"Against whom? {', '.join(rivals)} [greedy]: ").strip().lower() or "greedy"
        if answer in rivals:
            return answer
        terminal.say(f"“{answer}” is nobody I know; type one of {', '.join(rivals)}.")


def _seating(wishes: Wishes, game: Game, rival: str, rng: Random) -> Seating:
    if wishes.side not in ("", "south", "north", "lot"):
        raise Refusal("unknown-seat", f"“{wishes.side}” is not a side; sides are south, north and lot.")
    names = ("You", f"Computer ({rival})") if rival != HUMAN else ("Player 1", "Player 2")
    if wishes.side == "south":
        return Seating(*names)
    if wishes.side == "north":
        return Seating(names[1], names[0])
    if wishes.side == "lot" or game.sides == "lot":
        return draw_lots(*names, rng)
    return Seating(*names)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class PlainGame:
    """One match at one terminal."""

    def __init__(
        self, match: Match, terminal: Terminal, rng: Random, setups: list[str], file: Path | None = None
    ) -> None:
        self.match, self.terminal, self.rng, self.file = match, terminal, rng, file
        self.computers: dict[Side, Player] = {}
        for side in SIDES:
            name = match.seating.name(side)
            if name.startswith("Computer (") and name.endswith(")"):
                player = name.removeprefix("Computer (").removesuffix(")")
                self.computers[side] = make_player(player, match.game, match.options, rng)
        self.wanted_setups = list(setups)
        self.notes: dict[Side, dict[str, str]] = {"south": {}, "north": {}}
        self.at_keyboard: Side | None = None

    # ------------------------------------------------------------------ the course of a game

    def run(self) -> None:
        """From the setups to the end."""
        self._greet()
        for side in SIDES:
            if side not in self.match.sealed and not self.match.is_over:
                self._set_up(side)
        while not self.match.is_over:
            self.match.check_time(_now_ms())
            mover = self.match.to_move
            if self.match.is_over or mover is None:
                break
            if mover in self.computers:
                self._computer_acts(mover)
            else:
                self._person_acts(mover)
        self._farewell()

    def _greet(self) -> None:
        game, seating = self.match.game, self.match.seating
        self.terminal.say(f"{game.edition.name}: {game.name}. {game.text}")
        how = " by lot" if seating.by_lot else ""
        for index, side in enumerate(SIDES):
            first = ", moves first" if index == 0 else ""
            army = game.armies[index].name
            self.terminal.say(f"{seating.name(side)}: {army}, sits {side.title()}{how}{first}.")

    def _set_up(self, side: Side) -> None:
        index = SIDES.index(side)
        if side in self.computers:
            self.match.seal(side, self.computers[side].set_up(index), _now_ms())
            return
        self._sit_down(side)
        desk = SetupDesk(self.match.game, index, self.rng, self.terminal)
        if self.wanted_setups:
            desk.setup = self._wanted_setup(index, self.wanted_setups.pop(0))
            self.match.seal(side, desk.setup, _now_ms())
            return
        self.match.seal(side, desk.run(f"{self._name(side)} setup> "), _now_ms())

    def _wanted_setup(self, index: int, wish: str) -> Setup:
        game = self.match.game
        if wish in style_names(game):
            return styled_setup(game, index, wish, self.rng)
        return read_setup(game, index, wish)

    def _sit_down(self, side: Side) -> None:
        """The curtain falls when another person comes to the keyboard."""
        if self.at_keyboard not in (None, side) or (not self.computers and self.at_keyboard is None):
            self.terminal.curtain(self._name(side))
        self.at_keyboard = side

    def _name(self, side: Side) -> str:
        return f"{self.match.seating.name(side)} ({side.title()})"

    def _computer_acts(self, side: Side) -> None:
        other = SIDES[1 - SIDES.index(side)]
        if self.match.offer == other:
            self.match.answer_draw(side, False, _now_ms())
            self.terminal.say("The computer declines the draw.")
        action = self.computers[side].choose(self.match.view(side, forgets=False))
        self.match.act(side, None, action, _now_ms())

    def _person_acts(self, side: Side) -> None:
        self._sit_down(side)
        view = self.match.view(side)
        if view.prompt is None:
            self.terminal.say(commands.last(self.match.game, view))
        self.terminal.say(commands.board(self.match.game, view))
        if self.match.offer == SIDES[1 - SIDES.index(side)]:
            self.terminal.say("Your opponent offers a draw: type accept or decline, or just move.")
        number = self.match.number
        while not self.match.is_over and self.match.number == number:
            self._obey(side, self.terminal.ask(f"{self._name(side)}> "))

    # ------------------------------------------------------------------ one line of input

    def _obey(self, side: Side, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        answer = self._answers(side, rest.strip()).get(word.lower())
        try:
            if not word:
                self.terminal.say("Type an action such as d4-d5, or help.")
            elif answer is not None:
                answer()
            else:
                self._act(side, line)
        except (ValueError, OSError) as problem:
            self.terminal.say(str(problem))

    def _answers(self, side: Side, rest: str) -> dict[str, Callable[[], object]]:
        game, options, view = self.match.game, self.match.options, self.match.view(side)
        say = self.terminal.say
        return {
            "help": lambda: say(commands.help_text(game, options)),
            "?": lambda: say(commands.help_text(game, options)),
            "board": lambda: say(commands.board(game, view)),
            "who": lambda: say(commands.who(game, view, self.notes[side], rest)),
            "tray": lambda: say(commands.tray(game, view)),
            "last": lambda: say(commands.last(game, view)),
            "legal": lambda: say(commands.legal(game, view, rest)),
            "opponent": lambda: say(commands.opponent(game, view)),
            "piece": lambda: say(commands.card(game, rest, SIDES.index(side))),
            "rules": lambda: say(commands.rules(game, options)),
            "options": lambda: say(commands.options_text(options)),
            "note": lambda: self._note(side, rest),
            "save": lambda: self._save(rest),
            "quit": self._quit,
            "exit": self._quit,
            "draw": lambda: self._offer_draw(side),
            "accept": lambda: self.match.answer_draw(side, True, _now_ms()),
            "decline": lambda: self.match.answer_draw(side, False, _now_ms()),
            "resign": lambda: self._resign(side),
        }

    def _act(self, side: Side, line: str) -> None:
        number = self.match.number
        self.match.act(side, None, line, _now_ms())
        for message in self.match.messages(side, number):
            self.terminal.say(message.text)

    def _note(self, side: Side, rest: str) -> None:
        if self.match.options["memory"] == "strict":
            raise SetupError("Notes are not allowed with memory = strict.")
        square, _, text = rest.partition(" ")
        piece = self.match.view(side).at(square.lower())
        if piece is None:
            raise SetupError(f"Nobody stands on “{square}”; write note d6 and your remark.")
        if text:
            self.notes[side][piece.name] = text
        else:
            self.notes[side].pop(piece.name, None)
        self.terminal.say(f"{piece.cell}: {text or 'note removed'}")

    def _offer_draw(self, side: Side) -> None:
        self.match.offer_draw(side, _now_ms())
        self.terminal.say("You offer a draw. It stands until your opponent has moved; now make your move.")
        self._keep_asking(side)

    def _keep_asking(self, side: Side) -> None:
        number = self.match.number
        while not self.match.is_over and self.match.number == number:
            self._obey(side, self.terminal.ask(f"{self._name(side)}> "))

    def _resign(self, side: Side) -> None:
        if self.terminal.ask("Really give up? Type yes: ").strip().lower() == "yes":
            self.match.resign(side, _now_ms())

    def _quit(self) -> None:
        raise Quit

    # ------------------------------------------------------------------ saving and leaving

    def _save(self, name: str) -> None:
        file = Path(name).expanduser() if name else self.file or self._default_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(save(self.match))
        self.file = file
        self.terminal.say(f"Saved. Go on later with: flagfall play --resume {file}")

    def _default_file(self) -> Path:
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        return user_data_path("flagfall") / "saved" / f"{self.match.game.id.replace('/', '-')}-{stamp}.json"

    def leave(self) -> None:
        """Nothing is lost when somebody leaves."""
        if self.match.is_over:
            return
        if len(self.match.sealed) == 2:
            self._save("")
        else:
            self.terminal.say("Good-bye; the game had not begun, so there is nothing to save.")

    def _farewell(self) -> None:
        result = self.match.result
        if result is None:
            return
        outcome = f"{self._name(result.winner)} wins" if result.winner else "Draw"
        self.terminal.say(f"{outcome}: {result.reason}.")
        if len(self.match.sealed) == 2:
            self.terminal.say(commands.board(self.match.game, self.match.view("truth")))
            file = user_data_path("flagfall") / "games" / self._default_file().with_suffix(".txt").name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(write_record(to_record(self.match)), encoding="utf-8")
            self.terminal.say(f"The record: {file}  (look at it: flagfall replay {file})")
