"""Networks that correct the evaluation (`search.leaf_net`), and their files.

Only open squares are in the table of a file (`array_files`).
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flagfall.array_files import INTEGERS, BrokenFileError, decode, encode
from flagfall.board import CELLS
from flagfall.edition import Game
from flagfall.errors import UserError
from flagfall.files import read_bytes, write_atomically
from flagfall.players.search import buffers as B
from flagfall.players.search.leaf_net import STATUSES

MAX_BYTES: Final = 1 << 20
"""no file is larger"""
MAX_HIDDEN: Final = B.MAX_NET_WIDTH - 1
_MAX_TEXT: Final = 300
_MAX_FIGURES: Final = 20
_VERSION: Final = 1
_KEPT: Final = 8
Numbers = NDArray[np.int16]


class ValueNetError(UserError):
    """A file is not a network that corrects the evaluation; the message says why."""

    code = "value-net-file"


class ValueNetHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """For which game a network was fitted, and how."""

    version: int
    game: str
    kinds: tuple[str, ...]
    columns: int
    rows: int
    zones: tuple[int, ...]
    hidden: int
    """numbers of the first layer, without the one that counts as it is"""
    trained: str = ""
    """how much it has learned, in words"""
    figures: tuple[str, ...] = ()
    """results of its gate, in words"""

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Return the arrays of the network and their sizes."""
        width, cells = self.hidden + 1, self.columns * self.rows - len(self.zones)
        return {
            "table": (2, len(self.kinds), STATUSES, cells, width),
            "bias": (2, width),
            "out": (width,),
        }


class ValueNet(Struct, frozen=True):
    """A network that corrects the evaluation of one game."""

    header: ValueNetHeader
    arrays: dict[str, Numbers]

    def check_fits(self, game: Game) -> None:
        """Raise `ValueNetError` for another game, or another version of it."""
        header = self.header
        if header.game != game.id:
            raise ValueNetError(f"This network values positions of {header.game}, not of {game.id}.")
        own = header_for(game, header.hidden)
        if (header.kinds, header.columns, header.rows, header.zones) != (
            own.kinds,
            own.columns,
            own.rows,
            own.zones,
        ):
            raise ValueNetError(
                f"This network was fitted for another version of {header.game}, with other pieces or "
                "squares; fit it again."
            )

    def numbers(self, game: Game) -> NDArray[np.int32]:
        """Return the network as a search reads it, from `buffers.NET_WIDTH` on."""
        self.check_fits(game)
        kinds, width = len(self.header.kinds), self.header.hidden + 1
        found = np.zeros(B.NET_TABLE - B.NET_WIDTH + 2 * kinds * STATUSES * CELLS * width, dtype=np.int32)

        def part(start: int, size: int) -> NDArray[np.int32]:
            return found[start - B.NET_WIDTH :][:size]

        found[B.NET_WIDTH - B.NET_WIDTH] = width
        found[B.NET_KINDS - B.NET_WIDTH] = kinds
        found[B.NET_TURN - B.NET_WIDTH] = turned_sum(game)
        for index, bias in enumerate(self.arrays["bias"]):
            part(B.NET_BIAS + index * B.MAX_NET_WIDTH, width)[:] = bias
        part(B.NET_OUT, width)[:] = self.arrays["out"]
        table = found[B.NET_TABLE - B.NET_WIDTH :].reshape(2, kinds, STATUSES, CELLS, width)
        table[:, :, :, game.board.open_cells()] = self.arrays["table"]
        return found


def turned_sum(game: Game) -> int:
    """Return what a cell and its place on the turned board add up to."""
    cells = list(game.board.cells())
    return cells[0] + cells[-1]


def header_for(
    game: Game, hidden: int, *, trained: str = "", figures: tuple[str, ...] = ()
) -> ValueNetHeader:
    """Return the header of a network for a game."""
    board = game.board
    return ValueNetHeader(
        version=_VERSION,
        game=game.id,
        kinds=tuple(kind.id for kind in game.kinds),
        columns=board.columns,
        rows=board.rows,
        zones=tuple(sorted(board.zones)),
        hidden=hidden,
        trained=trained,
        figures=figures,
    )


def zero_net(game: Game, hidden: int) -> ValueNet:
    """Return a network that corrects nothing."""
    header = header_for(game, hidden)
    return ValueNet(
        header, {name: np.zeros(sizes, dtype=np.int16) for name, sizes in header.arrays().items()}
    )


def write_value_net(file: Path, net: ValueNet) -> None:
    """Write a network atomically."""
    write_atomically(file, value_net_bytes(net))


def value_net_bytes(net: ValueNet) -> bytes:
    """Return a network as the bytes of a file."""
    try:
        data = encode(net.header, net.arrays, net.header.arrays(), INTEGERS)
    except BrokenFileError as problem:
        raise ValueNetError(f"The network cannot be written: {problem}.") from None
    if len(data) > MAX_BYTES:
        raise ValueNetError(
            f"This network would have {len(data) / MAX_BYTES:.1f} MB, more than one; give it fewer numbers "
            "with --hidden."
        )
    return data


def value_net_of(file: str) -> ValueNet:
    """Return the network of a file; it is read again only if the file has changed."""
    return _decoded_once(file, _read(file))


def digest_of(file: str) -> str:
    """Return a short hash of a file's contents."""
    return hashlib.blake2b(_read(file), digest_size=8).hexdigest()


def _read(file: str) -> bytes:
    try:
        data = read_bytes(Path(file).expanduser())
    except FileNotFoundError:
        raise ValueNetError(f"There is no network file {file}.") from None
    except OSError as problem:
        raise ValueNetError(f"{file} cannot be read: {problem.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise ValueNetError(f"{file} has more than {MAX_BYTES >> 20} MB, too much for such a network.")
    return data


@lru_cache(_KEPT)
def _decoded_once(file: str, data: bytes) -> ValueNet:
    try:
        header, arrays = decode(data, ValueNetHeader, _checked_sizes, INTEGERS)
    except BrokenFileError as problem:
        raise ValueNetError(f"{file} is not a network that values positions: {problem}.") from None
    return ValueNet(header, {name: array.astype(np.int16) for name, array in arrays.items()})


def _checked_sizes(header: ValueNetHeader) -> dict[str, tuple[int, ...]]:
    """Return the arrays of a network; refuse a header that is none of ours."""
    if header.version != _VERSION:
        raise BrokenFileError(
            f"it is of version {header.version}, and this Flagfall reads version {_VERSION}"
        )
    for name, least, most in (("columns", 1, 10), ("rows", 1, 10), ("hidden", 0, MAX_HIDDEN)):
        if not least <= getattr(header, name) <= most:
            raise BrokenFileError(f"its {name} are {getattr(header, name)}, not {least} to {most}")
    if not 1 <= len(header.kinds) <= 40 or len(header.zones) >= header.columns * header.rows:
        raise BrokenFileError("its kinds or squares are none of a game")
    texts = (header.game, header.trained, *header.figures, *header.kinds)
    if len(header.figures) > _MAX_FIGURES or any(len(text) > _MAX_TEXT for text in texts):
        raise BrokenFileError("its texts are too long")
    return header.arrays()
