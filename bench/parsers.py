"""Measure the CPU time of each parser for the worst text of the largest size: python -m bench.parsers.

Every parser has a largest input, a named constant. Here each gets several texts of that size that
were made to take as long as possible, valid ones and wrong ones; the slowest of them is shown.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random

from rich.console import Console
from rich.table import Table
from tests.fuzz.targets import HARBOUR, matches, record_texts, saved_texts

from flagfall.edition import load_game, load_text, resolve
from flagfall.edition.clock import MAX_CLOCK_CHARS, parse_clock
from flagfall.edition.load import MAX_BOX_CHARS, MAX_LINE_DOTS
from flagfall.edition.option_table import MAX_OPTION_CHARS
from flagfall.edition.options import concerning, parse_pairs
from flagfall.edition.reader import MAX_TABLES
from flagfall.match import Match, Seating, decode_log, load, save
from flagfall.match.saving import MAX_LOG_ENTRIES, MAX_SAVED_BYTES
from flagfall.notation import from_json, read_damaged_record, read_record, read_turn, to_json
from flagfall.notation.reading import MAX_TURN_CHARS
from flagfall.notation.record import MAX_RECORD_SIZE, MAX_RECORD_TURNS
from flagfall.protocol.engine import Engine
from flagfall.protocol.messages import MAX_LINE, MAX_WORDS
from flagfall.setups import random_setup, read_setup, setup_from_squares, write_setup
from flagfall.setups.setup import MAX_PIECE_CHARS
from flagfall.setups.text import MAX_SETUP_CHARS

RUNS = 5
MAX_MS = 10_000
"""seconds after which a text is not run again"""
LOTR = load_game("lotr/special-powers")
HEAD = record_texts()[3].partition("\n1s ")[0]
TAIL = "result: unfinished\nend\n"
SETUP = random_setup(LOTR, 0, Random(1))
SQUARES = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]


@dataclass(frozen=True)
class Case:
    """One parser, its largest input in words, and texts of that size."""

    parser: str
    limit: str
    texts: dict[str, str]
    read: Callable[[str], object]


@dataclass(frozen=True)
class Figure:
    """The slowest text of a parser."""

    parser: str
    limit: str
    text: str
    median_ms: float
    is_read: bool
    """false: the text was refused, as it should be"""


def filled(part: str, size: int, start: str = "", end: str = "") -> str:
    """Return a text of exactly that many characters, or the most whole parts that fit."""
    return start + part * ((size - len(start) - len(end)) // len(part)) + end


def record_of(lines: str, before: str = "") -> str:
    """Return a record whose turns, or whose head, are these lines."""
    return f"{HEAD}\n{before}\n{lines}{TAIL}"


def turns(count: int, text: str) -> str:
    """Return this many lines of turns."""
    return "".join(f"{at // 2 + 1}{'sn'[at % 2]} {text}\n" for at in range(count))


def long_log() -> str:
    """Return a log of as many entries as possible; decoding does not check whether they are legal."""
    entries = json.loads(saved_texts()[3])["log"][:3]
    for number in range(3, MAX_LOG_ENTRIES):
        offer = {"what": "draw offered", "number": number, "at_ms": 0, "seat": "south"}
        answer = {"what": "draw answered", "number": number, "at_ms": 0, "seat": "north", "accepts": False}
        entries.append(offer if number % 2 else answer)
    return json.dumps(entries)


def long_match() -> str:
    """Return a saved match of as many entries as possible: two pieces step back and forth."""
    game = load_game("onyx/classic")
    setup = "8B64B8B8BF/689755778B/945B963697/9519924s93"
    options = resolve(game, {"two_square_limit": "off", "no_progress_draw": "off"})
    match = Match.created(game, options, Seating("Anna", "Ben"), 0)
    for seat in ("south", "north"):
        match.seal(seat, setup, 0)
    saved = json.loads(save(match))
    for at in range(MAX_LOG_ENTRIES - match.number):
        text, seat = ("a4-a5", "a7-a6", "a5-a4", "a6-a7")[at % 4], ("south", "north")[at % 2]
        saved["log"].append({"what": "acted", "number": 3 + at, "at_ms": 0, "seat": seat, "text": text})
    return json.dumps(saved)


def box_of_games() -> str:
    """Return a box of as many games as possible, each extending the one before."""
    games = [
        f'[game.g{at}]\nextends = "{f"g{at - 1}" if at else "classic"}"\n' for at in range(MAX_TABLES - 3)
    ]
    return HARBOUR + "".join(f'{game}name = "G"\ntext = "A game."\n' for game in games)


def cases() -> list[Case]:
    """Return every parser with its texts."""
    view = matches()[0].view("south")
    wide = record_of(turns(MAX_RECORD_TURNS, filled("d4xd5 ", 88).strip()))
    key = ".".join(["a"] * (MAX_LINE_DOTS + 1))
    return [
        Case(
            "turn",
            f"{MAX_TURN_CHARS} characters",
            {
                "names of two words": filled("gandalf the ", MAX_TURN_CHARS),
                "names of one letter": filled("g ", MAX_TURN_CHARS),
                "marks": filled("- ", MAX_TURN_CHARS, "gandalf "),
                "attacks": filled("d4xd5 ", MAX_TURN_CHARS),
                "squares": filled("a1 ", MAX_TURN_CHARS),
                "one path": filled("a1-", MAX_TURN_CHARS, end="a1"),
                "digits": filled("1", MAX_TURN_CHARS, "a"),
                "strange letters": filled("ß\u0130", MAX_TURN_CHARS),
            },
            lambda text: read_turn(LOTR, text, view),
        ),
        Case(
            "setup code",
            f"{MAX_SETUP_CHARS} characters",
            {
                "blanks": write_setup(SETUP).ljust(MAX_SETUP_CHARS),
                "slashes": filled("/", MAX_SETUP_CHARS),
                "letters": filled("F", MAX_SETUP_CHARS),
            },
            lambda text: read_setup(LOTR, 0, text),
        ),
        Case(
            "setup by squares",
            f"{len(SQUARES)} squares, names of {MAX_PIECE_CHARS} characters",
            {
                "a whole army": "\n".join(
                    f"{square}={LOTR.kinds[kind].id.rjust(MAX_PIECE_CHARS)}"
                    for square, kind in zip(LOTR.board.names(SETUP.kinds), SETUP.kinds.values(), strict=True)
                ),
                "nobody": "\n".join(f"{square}={'x' * MAX_PIECE_CHARS}" for square in SQUARES),
            },
            lambda text: setup_from_squares(LOTR, 0, dict(line.split("=") for line in text.split("\n"))),
        ),
        Case(
            "record",
            f"{MAX_RECORD_SIZE:,} characters, {MAX_RECORD_TURNS:,} turns",
            {
                "long turns": wide[:MAX_RECORD_SIZE],
                "comments on one turn": record_of(filled("; a\n", MAX_RECORD_SIZE - 500, "1s b1-b2\n")),
                "comments on the game": record_of(filled("; a\n", MAX_RECORD_SIZE - 500)),
                "one comment": record_of(filled("\u00a0a", MAX_RECORD_SIZE - 500, "; ", "\n")),
                "options": record_of("", "".join(f"option o{at}: x\n" for at in range(100_000)))[
                    :MAX_RECORD_SIZE
                ],
                "blank lines": record_of(filled("\n", MAX_RECORD_SIZE - 500)),
            },
            read_record,
        ),
        Case(
            "damaged record",
            f"{MAX_RECORD_SIZE:,} characters, {MAX_RECORD_TURNS:,} turns",
            {
                "long turns": wide[: MAX_RECORD_SIZE - 3],
                "a broken first turn": record_of(filled("1s ?\n", MAX_RECORD_SIZE - 500)),
            },
            read_damaged_record,
        ),
        Case(
            "record as JSON",
            f"{MAX_RECORD_SIZE:,} characters, {MAX_RECORD_TURNS:,} turns",
            {
                "turns": to_json(
                    read_record(record_of(turns(MAX_RECORD_TURNS, filled("d4xd5 ", 60).strip())))
                ),
                "nesting": "[" * MAX_RECORD_SIZE,
                "digits": "1" * MAX_RECORD_SIZE,
                "names": "{" + ",".join(f'"{at}":1' for at in range(150_000)) + "}",
            },
            from_json,
        ),
        Case(
            "box",
            f"{MAX_BOX_CHARS:,} characters",
            {
                "keys of many parts": "\n".join([f"[{key}]", *(f"{at:x}=1" for at in range(13_000))]),
                "many parts in many keys": "\n".join([f"[{key}]", *(f"{key}{at}=1" for at in range(450))]),
                "lists": filled("[[a]]\n", MAX_BOX_CHARS),
                "nesting": "a=" + "[" * (MAX_BOX_CHARS - 2),
                "digits": "a=" + "9" * (MAX_BOX_CHARS - 2),
                "games": box_of_games(),
                "comments": HARBOUR + "#" * (MAX_BOX_CHARS - len(HARBOUR)),
            },
            load_text,
        ),
        Case(
            "log",
            f"{MAX_SAVED_BYTES:,} bytes, {MAX_LOG_ENTRIES:,} entries",
            {
                "offers of a draw": long_log(),
                "nesting": "[" * MAX_SAVED_BYTES,
                "digits": "1" * MAX_SAVED_BYTES,
            },
            decode_log,
        ),
        Case(
            "saved match",
            f"{MAX_SAVED_BYTES:,} bytes, {MAX_LOG_ENTRIES:,} entries",
            {
                "blanks": saved_texts()[1].ljust(MAX_SAVED_BYTES),
                "an unknown field": filled("x", MAX_SAVED_BYTES, '{"flagfall_match":1,"', '":1}'),
                "a game of many turns": long_match(),
            },
            load,
        ),
        Case(
            "line of the engine protocol",
            f"{MAX_LINE:,} characters, {MAX_WORDS:,} words",
            {
                "legal actions": filled("gandalf the, ", MAX_LINE, "legal ") + "\ngo",
                "a position": filled("south:a1=? ", MAX_LINE, "position "),
                "pairs": filled("a=1 ", 4 * MAX_WORDS, "newgame "),
                "squares": filled("a1,", MAX_LINE, "enemy "),
                "a setup": filled("F/", MAX_LINE, "setup "),
                "one turn": filled("d4", MAX_LINE, "played south "),
            },
            _say,
        ),
        Case(
            "options",
            f"{len(concerning(LOTR))} options, values of {MAX_OPTION_CHARS} characters",
            {
                "all": " ".join(f"{one.name}={one.default}" for one in concerning(LOTR)),
                "a wrong name": f"{'clock' * 16}=on",
                "a wrong value": f"clock={'9' * (MAX_OPTION_CHARS - 1)}",
            },
            lambda text: resolve(LOTR, parse_pairs(text.split())),
        ),
        Case(
            "clock",
            f"{MAX_CLOCK_CHARS} characters",
            {"digits": "9" * MAX_CLOCK_CHARS, "blanks": "10m+5s".rjust(MAX_CLOCK_CHARS)},
            parse_clock,
        ),
    ]


def _say(text: str) -> None:
    said: list[str] = []
    lines = ["newgame game=lotr/special-powers side=south seed=1 nodes=1", "setup", *text.split("\n")]
    Engine("lotr/special-powers", "random", {}, said.append).run(lines)
    if any(line.startswith("error") for line in said):
        raise ValueError


def measured(case: Case, runs: int) -> Figure:
    """Return the slowest text of a parser, by the median of several runs."""
    found = []
    for words, text in case.texts.items():
        times: list[float] = []
        is_read = True
        while len(times) < runs and sum(times) < MAX_MS:
            start = time.process_time()
            try:
                case.read(text)
            except ValueError:
                is_read = False
            times.append(1000 * (time.process_time() - start))
        found.append(Figure(case.parser, case.limit, words, round(statistics.median(times), 3), is_read))
    return max(found, key=lambda figure: figure.median_ms)


def main(arguments: list[str]) -> None:
    """Measure and print a table, or JSON with ``--json``."""
    figures = [measured(case, RUNS) for case in cases()]
    console = Console()
    if "--json" in arguments:
        console.print_json(json.dumps([asdict(figure) for figure in figures]))
        return
    table = Table("parser", "largest input", "slowest text", "CPU, ms", "", title=f"Median of {RUNS} runs")
    for figure in figures:
        verdict = "read" if figure.is_read else "refused"
        table.add_row(figure.parser, figure.limit, figure.text, f"{figure.median_ms:.2f}", verdict)
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
