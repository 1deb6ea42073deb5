"""Setups as short texts: one letter a square, the owner's back row first.

Each row is written from column a to the last one, for both sides alike (North is not mirrored), with ``.``
for an empty square and ``/`` between rows. A reader ignores slashes, spaces and line breaks::

    FB9…/889…/5B6…/1S9…       South:  a1 b1 c1 … / a2 b2 c2 … / a3 … / a4 …
                              North:  a10 b10 … / a9 b9 … / a8 … / a7 …

>>> from random import Random
>>> from flagfall.edition import load_game
>>> from flagfall.setups.setup import random_setup
>>> game = load_game("onyx/classic")
>>> setup = random_setup(game, 1, Random(7))
>>> read_setup(game, 1, write_setup(setup)) == setup
True
"""

from __future__ import annotations

from itertools import groupby
from typing import SupportsIndex

from flagfall.board import cell_name, row_of
from flagfall.edition.schema import Game
from flagfall.errors import quoted
from flagfall.languages import say
from flagfall.setups.setup import Setup, SetupError
from flagfall.sides import SIDES, Side

MAX_SETUP_CHARS = 400
"""maximum length of a setup text: the largest home has fifty squares, and blanks may separate them"""
EMPTY = "."
ROW_MARK = "/"


def write_setup(setup: Setup) -> str:
    """Return the compact text of a setup, rows joined by slashes."""
    kinds = setup.game.kinds
    return ROW_MARK.join(
        "".join(kinds[setup.kinds[cell]].code if cell in setup.kinds else EMPTY for cell in row)
        for row in home_rows(setup.game, setup.side)
    )


def read_setup(game: Game, side: SupportsIndex, text: str) -> Setup:
    """Return the setup of a compact text; `SetupError` says which square or row is wrong."""
    if len(text) > MAX_SETUP_CHARS:
        problem = say("setups.error.too-long", number=str(len(text)), most=MAX_SETUP_CHARS)
        raise _at(problem, text, MAX_SETUP_CHARS)
    side, rows = SIDES[side], home_rows(game, side)
    letters = [(at, letter) for at, letter in enumerate(text) if not letter.isspace() and letter != "\ufeff"]
    if any(letter == ROW_MARK for _, letter in letters):
        _check_rows(text, rows, letters)
    squares = [cell for row in rows for cell in row]
    letters = [(at, letter) for at, letter in letters if letter != ROW_MARK]
    kinds: dict[int, int] = {}
    for (at, letter), cell in zip(letters, squares, strict=False):
        if letter != EMPTY:
            kinds[cell] = _kind_of(game, side, letter, cell, text, at)
    if len(letters) != len(squares):
        at = letters[len(squares)][0] if len(letters) > len(squares) else len(text)
        problem = say(
            "setups.error.squares",
            number=len(letters),
            side=side.title,
            right=len(squares),
            shape=_shape(rows),
            empty=EMPTY,
        )
        raise _at(problem, text, at)
    return Setup(game, side, kinds)


def home_rows(game: Game, side: SupportsIndex) -> list[list[int]]:
    """Return the home squares of a side row by row, its back row first, column a first, without zones."""
    return [list(row) for _, row in groupby(game.board.home(side), key=row_of)]


def _check_rows(text: str, rows: list[list[int]], letters: list[tuple[int, str]]) -> None:
    """Refuse a text with slashes whose rows have wrong lengths."""
    written: list[list[int]] = [[]]
    for at, letter in letters:
        if letter == ROW_MARK:
            written.append([])
        else:
            written[-1].append(at)
    starts = [0] + [at + 1 for at, letter in letters if letter == ROW_MARK]
    for number, (row, right, start) in enumerate(zip(written, rows, starts, strict=False), start=1):
        if len(row) != len(right):
            at = row[len(right)] if len(row) > len(right) else start
            problem = say(
                "setups.error.row",
                row=number,
                start=cell_name(right[0]),
                end=cell_name(right[-1]),
                number=len(row),
                right=len(right),
            )
            raise _at(problem, text, at)
    if len(written) != len(rows):
        problem = say("setups.error.rows", number=len(written), right=len(rows), shape=_shape(rows))
        raise _at(problem, text, starts[min(len(rows), len(starts) - 1)])


def _kind_of(game: Game, side: Side, letter: str, cell: int, text: str, at: int) -> int:
    """Return the kind of that side's army with a letter; case is ignored if that is unambiguous."""
    own = [kind for kind, count in enumerate(game.rosters[side]) if count]
    exact = [kind for kind in own if game.kinds[kind].code == letter]
    near = [kind for kind in own if game.kinds[kind].code.casefold() == letter.casefold()]
    for found in (exact, near):
        if len(found) == 1:
            return found[0]
    alphabet = ", ".join(f"{game.kinds[kind].code} {game.kind_name(kind, side)}" for kind in own)
    square = cell_name(cell)
    problem = say(
        "setups.error.letter",
        letter=quoted(letter),
        square=square,
        side=side.title,
        letters=alphabet,
        empty=EMPTY,
    )
    raise _at(problem, text, at, square=square)


def _shape(rows: list[list[int]]) -> str:
    """Return the shape of a setup text: ``4 rows of 10``."""
    if len({len(row) for row in rows}) == 1:
        return say("setups.shape.even", number=len(rows), squares=len(rows[0]))
    return say("setups.shape.uneven", squares=", ".join(str(len(row)) for row in rows))


def _at(message: str, text: str, offset: int, square: str = "") -> SetupError:
    before = text[:offset]
    line, column = before.count("\n") + 1, offset - before.rfind("\n")
    return SetupError(message, square=square, line=line, column=column)
