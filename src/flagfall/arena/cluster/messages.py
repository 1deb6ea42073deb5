"""What the command and the process that drives Ray say to each other over their pipe."""

from __future__ import annotations

from dataclasses import dataclass

RAY_CLIENT = "ray://"
"""the beginning of the address of a Ray cluster: ray://HOST:PORT"""


@dataclass(frozen=True)
class Place:
    """Where to find Ray."""

    address: str
    """ray://HOST:PORT, HOST:PORT or auto; empty to start Ray on this machine"""
    jobs: int | None
    folder: str
    """where a Ray that is started here keeps its files"""


@dataclass(frozen=True)
class Chunk:
    """Tasks to run together: pickled work and pickled tasks."""

    number: int
    work: bytes
    tasks: list[bytes]


@dataclass(frozen=True)
class Drop:
    """Cancel all chunks: nobody waits for them any more."""


@dataclass(frozen=True)
class Window:
    """How many chunks may be in progress at the same time."""

    chunks: int


@dataclass(frozen=True)
class Note:
    """A sentence about the cluster."""

    sentence: str


@dataclass(frozen=True)
class Finished:
    """The outcomes of a chunk: for each task whether it succeeded, and its pickled result or exception."""

    number: int
    outcomes: list[tuple[bool, bytes]]


@dataclass(frozen=True)
class GivenUp:
    """A task has ended its worker every time it was tried."""

    number: int
    index: int
    times: int


@dataclass(frozen=True)
class Ended:
    """Nothing more can be run; the sentence says why."""

    sentence: str
