"""Write pictures as PNG with a palette of 256 colours, also animated ones."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

MAX_COLOURS = 256
SIGNATURE = b"\x89PNG\r\n\x1a\n"
DECODE = """async (png) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const bytes = canvas.getImageData(0, 0, image.width, image.height).data;
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768)
        text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return [image.width, image.height, btoa(text)];
}"""

Pixels = NDArray[np.uint32]
"""one number 0xRRGGBB for every pixel"""


def decode(page: Page, png: bytes) -> Pixels:
    """Return the pixels of a picture; the page is an empty one of a browser."""
    width, height, text = page.evaluate(DECODE, base64.b64encode(png).decode())
    rgba = np.frombuffer(base64.b64decode(text), dtype=np.uint8).reshape(height, width, 4).astype(np.uint32)
    pixels: Pixels = rgba[..., 0] << 16 | rgba[..., 1] << 8 | rgba[..., 2]
    return pixels


def encode(frames: Sequence[Pixels], durations_ms: Sequence[int] = ()) -> bytes:
    """Return a PNG; with more than one frame, an animated one that repeats."""
    palette, indexed = _reduce_colours(frames)
    height, width = indexed[0].shape
    chunks = [
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", palette.astype(np.uint8).tobytes()),
    ]
    if len(indexed) == 1:
        chunks.append(_chunk(b"IDAT", _compress(indexed[0])))
    else:
        chunks.append(_chunk(b"acTL", struct.pack(">II", len(indexed), 0)))
        chunks += _animation(indexed, durations_ms)
    return SIGNATURE + b"".join(chunks) + _chunk(b"IEND", b"")


def _animation(frames: Sequence[NDArray[np.uint8]], durations_ms: Sequence[int]) -> list[bytes]:
    """Return the chunks of all frames; each draws only the rectangle that differs from the one before."""
    chunks: list[bytes] = []
    for at, (frame, duration) in enumerate(zip(frames, durations_ms, strict=True)):
        top, left, bottom, right = _changed(frames[at - 1], frame) if at else (0, 0, *frame.shape)
        control = struct.pack(
            ">IIIIIHHBB", len(chunks), right - left, bottom - top, left, top, duration, 1000, 0, 0
        )
        data = _compress(frame[top:bottom, left:right])
        chunks.append(_chunk(b"fcTL", control))
        if at == 0:
            first = _chunk(b"IDAT", data)
        else:
            chunks.append(_chunk(b"fdAT", struct.pack(">I", len(chunks)) + data))
    return [chunks[0], first, *chunks[1:]]


def _changed(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(before != after)
    if len(rows) == 0:
        return 0, 0, 1, 1
    return int(rows.min()), int(columns.min()), int(rows.max()) + 1, int(columns.max()) + 1


def _reduce_colours(frames: Sequence[Pixels]) -> tuple[NDArray[np.int64], list[NDArray[np.uint8]]]:
    """Return a palette for all frames and their pixels as places in it."""
    pixels = np.concatenate([frame.ravel() for frame in frames])
    found, places, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.int64)
    palette, nearest = _median_cut(colours, counts)
    indexed = np.split(nearest[places].astype(np.uint8), np.cumsum([frame.size for frame in frames])[:-1])
    return palette, [part.reshape(frame.shape) for part, frame in zip(indexed, frames, strict=True)]


def _median_cut(
    colours: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a palette and the place in it of each colour; the widest box is cut until there are enough."""
    boxes = [np.arange(len(colours))]
    while len(boxes) < MAX_COLOURS:
        spreads = [_spread(colours[box], counts[box]) if len(box) > 1 else -1.0 for box in boxes]
        widest = int(np.argmax(spreads))
        if spreads[widest] < 0:
            break
        box = boxes.pop(widest)
        axis = int(np.argmax(np.ptp(colours[box], axis=0)))
        order = box[np.argsort(colours[box, axis], kind="stable")]
        half = np.searchsorted(np.cumsum(counts[order]), counts[order].sum() / 2)
        cut = min(max(int(half), 1), len(order) - 1)
        boxes += [order[:cut], order[cut:]]
    palette = np.zeros((len(boxes), 3), dtype=np.int64)
    places = np.zeros(len(colours), dtype=np.int64)
    for at, box in enumerate(boxes):
        palette[at] = np.rint(np.average(colours[box], axis=0, weights=counts[box]))
        places[box] = at
    return palette, places


def _spread(colours: NDArray[np.int64], counts: NDArray[np.int64]) -> float:
    return float(np.ptp(colours, axis=0).max() * np.log2(1 + counts.sum()))


def _compress(rows: NDArray[np.uint8]) -> bytes:
    """Return rows of pixels compressed, each after the number of its filter: none."""
    filters = np.zeros((len(rows), 1), dtype=np.uint8)
    return zlib.compress(np.concatenate([filters, rows], axis=1).tobytes(), 9)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
