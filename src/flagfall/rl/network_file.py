"""Networks as files (`array_files`): weights without pickle, and a header that says which game they play."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from flagfall.array_files import FLOATS, BrokenFileError, decode, encode
from flagfall.errors import UserError
from flagfall.files import write_atomically
from flagfall.rl.layout import Layout
from flagfall.rl.network import Floats, NetworkShape

MAX_BYTES = 8 * 1024 * 1024
"""no network file is larger"""
MAX_TEMPERATURE = 10
_VERSION = 1
_MAX_TEXT = 300
_MAX_FIGURES = 20
_LARGEST = NetworkShape(
    planes=200, rows=10, columns=12, scalars=300, slots=400, rest=300, channels=256, layers=20
)


class NetworkFileError(UserError):
    """A file is not a network that can play; the message says why."""

    code = "network-file"


class NetworkHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """What a network plays, and how it came about."""

    version: int
    game: str
    options: dict[str, str]
    """options it was trained with that are not the usual ones"""
    places: bool
    """whether it places its pieces; otherwise they are dealt at random"""
    shape: NetworkShape
    planes: tuple[str, ...]
    """the names of what South sees, so that another version of the layout is noticed"""
    scalars: tuple[str, ...]
    trained: str = ""
    """how much it has learned, in words"""
    figures: tuple[str, ...] = ()
    """results of its last evaluation, in words"""
    temperature: float = 1.0
    """it plays each action with the chance that it gives to the power of 1 / temperature; 0: the likeliest"""


class NetworkFile(Struct, frozen=True):
    """A header and the weights."""

    header: NetworkHeader
    weights: dict[str, Floats]


def header_for(
    layout: Layout, shape: NetworkShape, *, trained: str = "", figures: tuple[str, ...] = ()
) -> NetworkHeader:
    """Return the header of a network for the observations of a layout."""
    return NetworkHeader(
        version=_VERSION,
        game=layout.game.id,
        options=layout.options.changed(layout.game),
        places=layout.places,
        shape=shape,
        planes=layout.plane_names(),
        scalars=layout.scalar_names(),
        trained=trained,
        figures=figures,
    )


def write_network(file: Path, network: NetworkFile) -> None:
    """Write a network atomically."""
    write_atomically(file, network_bytes(network))


def network_bytes(network: NetworkFile) -> bytes:
    """Return a network as the bytes of a file."""
    try:
        return encode(network.header, network.weights, network.header.shape.arrays(), FLOATS)
    except BrokenFileError as problem:
        raise NetworkFileError(f"The network cannot be written: {problem}.") from None


def read_network(file: Path) -> NetworkFile:
    """Return the network of a file; `NetworkFileError` if it is none."""
    try:
        if not file.is_file():
            raise NetworkFileError(f"There is no network file {file}.")
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as problem:
        raise NetworkFileError(f"{file} cannot be read: {problem.strerror}.") from None
    if len(data) > MAX_BYTES:
        raise NetworkFileError(f"{file} has more than {MAX_BYTES >> 20} MB, too much for a network.")
    try:
        return NetworkFile(*decode(data, NetworkHeader, _checked_sizes, FLOATS))
    except BrokenFileError as problem:
        raise NetworkFileError(f"{file} is not a network of Flagfall: {problem}.") from None


def _checked_sizes(header: NetworkHeader) -> dict[str, tuple[int, ...]]:
    """Return the arrays of a network; refuse a header that is none of ours."""
    if header.version != _VERSION:
        raise BrokenFileError(
            f"it is of version {header.version}, and this Flagfall reads version {_VERSION}"
        )
    for name in NetworkShape.__struct_fields__:
        least = 0 if name in ("rest", "layers") else 1
        most = getattr(_LARGEST, name)
        if not least <= getattr(header.shape, name) <= most:
            raise BrokenFileError(f"its {name} are {getattr(header.shape, name)}, not {least} to {most}")
    texts = (header.game, header.trained, *header.figures, *header.options, *header.options.values())
    if len(header.figures) > _MAX_FIGURES or any(len(text) > _MAX_TEXT for text in texts):
        raise BrokenFileError("its texts are too long")
    if not 0 <= header.temperature <= MAX_TEMPERATURE:
        raise BrokenFileError(f"its temperature is {header.temperature}, not 0 to {MAX_TEMPERATURE}")
    return header.shape.arrays()


def check_fits(network: NetworkFile, layout: Layout) -> None:
    """Refuse a game, or a version of the layout, that the network was not made for."""
    header = network.header
    if header.game != layout.game.id:
        raise NetworkFileError(f"This network plays {header.game}, not {layout.game.id}.")
    if (header.planes, header.scalars) != (layout.plane_names(), layout.scalar_names()):
        raise NetworkFileError(
            f"This network was trained with another version of {header.game}, or of what players are shown; "
            "train it again."
        )
    shape, space = header.shape, layout.space
    sizes = (layout.plane_count, space.rows, space.columns, layout.scalar_count, space.slots, space.size)
    if (shape.planes, shape.rows, shape.columns, shape.scalars, shape.slots, shape.actions) != sizes:
        raise NetworkFileError(
            f"This network was trained with other options of {header.game}, under which other actions are "
            f"possible: {_options_in_words(header)}. Choose the same."
        )


def _options_in_words(header: NetworkHeader) -> str:
    return ", ".join(f"{name}={value}" for name, value in header.options.items()) or "the usual ones"
